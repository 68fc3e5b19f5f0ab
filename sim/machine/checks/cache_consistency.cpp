// SPDX-License-Identifier: Apache-2.0
#include "machine/checks/cache_consistency.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cache/prefetch/table.hpp"
#include "machine/layout/address_maps.hpp"
#include "machine/layout/numa.hpp"
#include "machine/levels.hpp"
#include "memory/transaction.hpp"

namespace strata::machine {

namespace {

using Faults = std::vector<RequestFault>;

// Tags exist for every line of a level, at least as untouched pages of the host.
void check_lines(const MachineSpec& spec, Faults& faults) {
  constexpr std::uint64_t most = std::uint64_t{1} << 28U;
  const auto check = [&](const cache::CacheSpec& cache, Bytes size, std::uint64_t instances, const char* what,
                         std::vector<std::string> settings) {
    const std::uint64_t lines = size.value / cache.line.value;
    if (lines <= most / instances) return;
    faults.push_back(
        {fmt::format("{} = {} B in lines of {} B, {} times, has more than the {} lines that a level may have",
                     settings.front(), size.value, cache.line.value, instances, most),
         std::move(settings), fmt::format("keep {} within {} B", what, most / instances * cache.line.value)});
  };
  const std::uint64_t cores = spec.dies.compute * spec.dies.cores_per_die;
  check(spec.l1.cache, spec.l1.chosen().size, cores, "an L1",
        {"l1.carve_outs", "l1.carve_out", "dies.cores_per_die", "dies.compute"});
  const auto beside = [&](const cache::CacheSpec& cache, const char* size) {
    check(cache, cache.size, cores, "a cache", {size, "dies.cores_per_die", "dies.compute"});
  };
  if (spec.scalar_cache) beside(*spec.scalar_cache, "scalar_cache.size");
  if (spec.second_scalar_cache) beside(*spec.second_scalar_cache, "second_scalar_cache.size");
  if (spec.texture_cache) beside(*spec.texture_cache, "texture_cache.size");
  if (spec.instruction_cache) beside(spec.instruction_cache->cache, "instruction_cache.cache.size");
  for (const Level& level : levels_of(spec)) {
    std::vector<std::string> settings{level.path + ".cache.size", level.slices_path};
    settings.insert(settings.end(), level.counted_by.begin(), level.counted_by.end());
    check(*level.cache, level.cache->size, level.slices_of_all(), "a slice", std::move(settings));
  }
}

// A victim cache cannot write back a line.
void check_victim_cache(const MachineSpec& spec, Faults& faults) {
  if (!spec.l1.victim_cache || spec.l1.cache.write_policy == cache::WritePolicy::write_through) return;
  faults.push_back({"l1.victim_cache keeps clean lines only, and l1.cache.write_policy = write_back evicts dirty ones",
                    {"l1.victim_cache.lines", "l1.cache.write_policy"},
                    "set l1.victim_cache=none or l1.cache.write_policy=write_through"});
}

void check_second_scalar_cache(const MachineSpec& spec, Faults& faults) {
  if (!spec.second_scalar_cache) return;
  const cache::CacheSpec& second = *spec.second_scalar_cache;
  if (!spec.scalar_cache) {
    faults.push_back({"second_scalar_cache is behind scalar_cache, which is none",
                      {"second_scalar_cache", "scalar_cache"},
                      "set second_scalar_cache=none, or give scalar_cache"});
    return;
  }
  if (second.line < spec.scalar_cache->line)
    faults.push_back({fmt::format("second_scalar_cache.line = {} B is shorter than scalar_cache.line = {} B",
                                  second.line.value, spec.scalar_cache->line.value),
                      {"second_scalar_cache.line", "scalar_cache.line"},
                      fmt::format("set second_scalar_cache.line={}B", spec.scalar_cache->line.value)});
}

// A line of two blocks needs both in one slice, but a slice bound to a channel has only blocks of that channel.
void check_wide_lines(const MachineSpec& spec, const std::vector<Level>& levels, Faults& faults) {
  const auto wide = [](const cache::CacheSpec& cache) { return cache.line.value > memory::block_bytes; };
  const auto refuse = [&](const std::string& path, const std::string& why, std::vector<std::string> settings) {
    const std::string line = path + ".cache.line";
    settings.insert(settings.begin(), line);
    faults.push_back({fmt::format("{} is more than the {} B of a request: {}", line, memory::block_bytes, why),
                      std::move(settings), fmt::format("set {}={}B", line, memory::block_bytes)});
  };
  if (wide(spec.l1.cache) && spec.l1.victim_cache)
    refuse("l1", "l1.victim_cache takes one block for each line that is evicted", {"l1.victim_cache"});
  for (const Level& level : levels) {
    if (!wide(*level.cache)) continue;
    if (level.partitioned)
      refuse(level.path, "l2.partitioned = true gives each block a home and copies of its own", {"l2.partitioned"});
    else if (level.is_l2() && !channels_are_apart(spec))
      refuse(level.path,
             fmt::format("each slice is bound to one of memory.channels_per_die = {} channels, and the two blocks of "
                         "a line may be of different ones",
                         spec.memory.channels_per_die),
             {"l2.slices_per_die", "memory.channels_per_die"});
    else if (level.kind == LevelKind::memory_side_cache)
      refuse(level.path, "each slice is bound to a channel, and the two blocks of a line may be of different channels",
             {"memory_side_cache.slices_per_die"});
    else if (level.shared_by == Sharers::memory_die)
      for (const fabric::HomeBitSpec& home : home_bits(spec))
        for (const std::uint32_t bit : home.address_bits)
          if (bit == 7)
            refuse(level.path, "home_bits with address bit 7 put the two blocks of a line on different memory dies",
                   {"l2.index.home_bits", "memory_side_cache.index.home_bits"});
  }
}

// The statistics of each slice take some kilobytes, lines or not.
void check_slices(const MachineSpec& spec, Faults& faults) {
  constexpr std::uint64_t most = 8192;
  for (const Level& level : levels_of(spec)) {
    if (level.slices <= most / level.instances) continue;
    std::vector<std::string> settings{level.slices_path};
    settings.insert(settings.end(), level.counted_by.begin(), level.counted_by.end());
    faults.push_back(
        {fmt::format("{} = {} in {} instances ({}) are more than the {} slices that a level may have",
                     level.slices_path, level.slices, level.instances, fmt::join(level.counted_by, ", "), most),
         std::move(settings), fmt::format("set {}={}", level.slices_path, most / level.instances)});
  }
}

// Stores of other cores do not reach a level that only some share: it may neither hold dirty lines nor perform
// atomics.
void check_shared_by_some(const Level& level, Faults& faults) {
  if (level.shared_by != Sharers::core && level.shared_by != Sharers::group) return;
  const std::string who = level.shared_by == Sharers::core ? "core" : "group";
  const auto refuse = [&](const char* setting, const char* value, const char* other) {
    const std::string path = fmt::format("{}.cache.{}", level.path, setting);
    faults.push_back(
        {fmt::format("{} = {} in a level shared_by {}: stores of other cores do not reach it", path, value, who),
         {path, level.path + ".shared_by"},
         fmt::format("set {}={}", path, other)});
  };
  if (level.cache->write_policy == cache::WritePolicy::write_back)
    refuse("write_policy", "write_back", "write_through");
  if (level.cache->performs_atomics) refuse("performs_atomics", "true", "false");
}

// Of a level in `levels`.
void check_further(const MachineSpec& spec, const Level& level, Faults& faults) {
  check_shared_by_some(level, faults);
  if (!level.index->home_bits.empty())
    faults.push_back(
        {fmt::format("{}.index.home_bits is given, but the L2 or the memory-side cache determines the home of a block",
                     level.path),
         {level.path + ".index.home_bits"},
         fmt::format("set {}.index.home_bits=[]", level.path)});
  if (level.shared_by == Sharers::group && spec.crossbar.coalescer)
    faults.push_back({fmt::format("{} is shared_by group, so the sources of the crossbar are groups, and "
                                  "crossbar.coalescer merges the reads of cores",
                                  level.path),
                      {level.path + ".shared_by", "crossbar.coalescer.scope"},
                      "set crossbar.coalescer=none"});
}

// The fetches and write-backs of a cache lie within a line of the cache below.
void check_shorter_lines(const std::string& above_path, const cache::CacheSpec& above, const Level& below,
                         Faults& faults) {
  const std::uint64_t line = below.cache->line.value;
  if (line >= memory::block_bytes || above.line.value <= line) return;
  const bool writes_back = above.write_policy == cache::WritePolicy::write_back;
  const bool prefetches = above.prefetcher != cache::no_prefetcher;
  if (above.fill_granularity.value <= line && !writes_back && !prefetches) return;
  const char* const why = writes_back  ? "writes back whole lines"
                          : prefetches ? "prefetches whole lines"
                                       : "fetches more than that at a time";
  faults.push_back(
      {fmt::format("{}.cache.line = {} B is shorter than {}.line = {} B, which {}", below.path, line, above_path,
                   above.line.value, why),
       {below.path + ".cache.line", above_path + ".line", above_path + ".fill_granularity"},
       fmt::format("set {}.line={}B and {}.fill_granularity={}B at most", above_path, line, above_path, line)});
}

// A level must be the home of some addresses, and addresses beyond the memory never reach it.
void check_addresses(const MachineSpec& spec, const Level& level, Faults& faults) {
  const Bytes space = address_space(spec);
  if (!level.addresses || level.addresses->to.value <= space.value) return;
  const bool none = level.addresses->from.value >= space.value;
  const std::string path = fmt::format("{}.addresses.{}", level.path, none ? "from" : "to");
  const auto mib = [](Bytes bytes) { return static_cast<double>(bytes.value) / (1U << 20U); };
  faults.push_back({fmt::format("{} = {} MiB lies beyond the memory, whose addresses end at {} MiB", path,
                                mib(none ? level.addresses->from : level.addresses->to), mib(space)),
                    {path, "memory.size"},
                    fmt::format("set it to {} MiB at most, or leave {}.addresses out", mib(space), level.path)});
}

// Each block on the path of a request takes a step of its return path.
void check_ways(const MachineSpec& spec, const std::vector<Level>& levels, Faults& faults) {
  std::size_t steps = 3;  // load/store unit, first-level cache, crossbar
  steps +=
      (spec.second_scalar_cache ? 1U : 0U) + (spec.crossbar.coalescer ? 1U : 0U) + (has_probe_filter(spec) ? 1U : 0U);
  if (spec.dies.compute > 1 || spec.dies.memory > 1) ++steps;
  for (const Level& level : levels) steps += level.partitioned ? 2U : 1U;
  if (steps <= memory::Transaction::most_steps) return;
  const std::size_t surplus = steps - memory::Transaction::most_steps;
  faults.push_back({fmt::format("levels = {} entries make a request pass {} blocks on its path, and the maximum is {}",
                                spec.levels.size(), steps, memory::Transaction::most_steps),
                    {"levels", "l2.bypass", "memory_side_cache"},
                    fmt::format("leave out {} level{}", surplus, surplus == 1 ? "" : "s")});
}

}  // namespace

void check_caches(const MachineSpec& spec, std::vector<RequestFault>& faults) {
  const std::vector<Level> levels = levels_of(spec);
  check_lines(spec, faults);
  check_victim_cache(spec, faults);
  check_second_scalar_cache(spec, faults);
  check_slices(spec, faults);
  check_wide_lines(spec, levels, faults);
  for (const Level& level : levels)
    if (level.kind == LevelKind::further) check_further(spec, level, faults);
  for (const Level& level : levels) check_addresses(spec, level, faults);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const bool first = i == 0;
    check_shorter_lines(first ? "l1.cache" : levels[i - 1].path + ".cache",
                        first ? spec.l1.cache : *levels[i - 1].cache, levels[i], faults);
  }
  if (spec.second_scalar_cache && !levels.empty())
    check_shorter_lines("second_scalar_cache", *spec.second_scalar_cache, levels.front(), faults);
  if (spec.instruction_cache && !levels.empty())
    check_shorter_lines("instruction_cache.cache", spec.instruction_cache->cache, levels.front(), faults);
  check_names(spec, faults);
  check_ways(spec, levels, faults);
}

}  // namespace strata::machine
