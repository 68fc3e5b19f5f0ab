// SPDX-License-Identifier: Apache-2.0
#include "machine/checks/cache_shortages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/rounding.hpp"
#include "machine/levels.hpp"

namespace strata::machine {

namespace {

double ns(Cycles cycles, Frequency clock) { return cycles.value / real(clock.value) * 1e9; }
double rate(BytesPerClock width, Frequency clock) { return width.value * real(clock.value); }

/// From a memory-side cache or the last L2 to DRAM and back, on closed rows.
double memory_ns(const MachineSpec& spec) {
  const Frequency clock = spec.memory.channel.timing.clock();
  return spec.memory.latency.value +
         ns(spec.memory.channel.controller.latency + dram::peaks(spec.memory.channel).row_closed, clock);
}

double memory_rate(const MachineSpec& spec) {
  return dram::peaks(spec.memory.channel).bandwidth.value * real(spec.memory.channels_per_die * spec.dies.memory);
}

struct Fetches {
  std::string path;  ///< `l2.cache`
  std::string size;  ///< the setting that gives an instance its size
  const cache::CacheSpec& cache;
  double fetch_ns;  ///< of a line, on an idle machine
  double wanted;    ///< bytes a second that one instance could bring in
};

/// Pending lines at random addresses when some set is full of them, which stalls later requests: of
/// `sets`, the fullest holds about mean + sqrt(2 mean ln sets).
double lines_under_way(double sets, double ways) {
  if (sets <= 1) return sets * ways;
  const double spread = std::sqrt(2 * std::log(sets));
  const double root_of_mean = (std::sqrt(spread * spread + 4 * ways) - spread) / 2;
  return sets * root_of_mean * root_of_mean;
}

std::string size_text(double bytes) {
  return std::fmod(bytes, 1024) == 0 ? fmt::format("{:.0f}KiB", bytes / 1024) : fmt::format("{:.0f}B", bytes);
}

void judge(const Fetches& fetches, std::vector<CacheShortage>& out) {
  const cache::CacheSpec& cache = fetches.cache;
  const double mshrs = real(cache.mshr_count());
  const double ways = real(cache.ways);
  double sets = real(cache.lines()) / ways;
  const double lines = std::min(mshrs, lines_under_way(sets, ways));
  const double carried = lines * real(cache.line.value) / fetches.fetch_ns * 1e9;
  constexpr double enough = 0.9;  // fetch times are those of an idle machine
  if (carried >= enough * fetches.wanted) return;
  const bool small = lines < mshrs;
  double needed = std::ceil(fetches.wanted * fetches.fetch_ns * 1e-9 / real(cache.line.value));
  if (small) {
    while (lines_under_way(sets, ways) < needed) sets *= 2;
    needed = sets * ways;
  }
  const std::string remedy = small ? fmt::format("{}={}", fetches.size, size_text(needed * real(cache.line.value)))
                                   : fmt::format("{}.mshrs={:.0f}", fetches.path, needed);
  const std::string count = std::floor(lines) == lines ? fmt::format("{:.0f}", lines) : fmt::format("{:.1f}", lines);
  const std::string_view noun = small ? "lines" : lines == 1 ? "MSHR" : "MSHRs";
  // Only addresses at random fill sets unevenly.
  out.push_back({cache.name,
                 fmt::format("{}: {} {} of {} B in flight, {:.0f} ns each{}, limit fetches of an instance "
                             "to {:.3g} of {:.3g} GB/s: {} or more lifts that limit",
                             cache.name, count, noun, cache.line.value, fetches.fetch_ns,
                             small ? ", if addresses are random" : "", carried * 1e-9, fetches.wanted * 1e-9, remedy)});
}

/// The last level of a group, whose misses go to the crossbar; null: cores are the sources of the crossbar.
const LevelSpec* at_crossbar(const MachineSpec& spec) {
  const auto last = std::find_if(spec.levels.rbegin(), spec.levels.rend(),
                                 [](const LevelSpec& level) { return level.shared_by == Sharers::group; });
  return last == spec.levels.rend() ? nullptr : &*last;
}

}  // namespace

std::string narrow_group_ports(const MachineSpec& spec) {
  const LevelSpec* const level = at_crossbar(spec);
  if (level == nullptr) return {};
  const fabric::CrossbarSpec& crossbar = spec.crossbar;
  const double delivered = level->cache.data_width.value * real(level->slices);
  std::vector<std::string> narrow;
  std::vector<std::string> remedy;
  const auto judge_port = [&](const char* name, BytesPerClock width) {
    if (width.value == 0 || width.value >= delivered) return;
    narrow.push_back(fmt::format("crossbar.{} = {:g} B/clk", name, width.value));
    remedy.push_back(fmt::format("crossbar.{}={:g}B/clk", name, delivered));
  };
  judge_port("source_response_width", crossbar.source_response_width);
  // Requests are short compared with the data that they fetch: their port does not limit reads.
  if (narrow.empty()) return {};
  if (crossbar.source_write_width.value > 0)
    judge_port("source_write_width", crossbar.source_write_width);
  else
    judge_port("source_request_width", crossbar.source_request_width);
  return fmt::format(
      "the sources of the crossbar are groups of cores, which have {} as a level: {} {} of a whole group, "
      "less than the {:g} B/clk that its {} delivers: set {}",
      level->cache.name, fmt::join(narrow, " and "), narrow.size() == 1 ? "is the port" : "are the ports", delivered,
      level->cache.name, fmt::join(remedy, " and "));
}

std::vector<CacheShortage> cache_shortages(const MachineSpec& spec) {
  std::vector<CacheShortage> out;
  const std::vector<Level> levels = levels_of(spec);
  const double crossing = ns(spec.crossbar.request_latency + spec.crossbar.response_latency, spec.clocks.l2);
  const auto before_crossbar = [](Sharers sharers) { return sharers < Sharers::die; };
  // Time of a fetch from level i, in addition to that of the requesting level, and the total rate of level i.
  const auto fetched_from = [&](std::size_t i, bool crosses) {
    const double way = crosses ? crossing : 0;
    return way + (i == levels.size() ? memory_ns(spec)
                                     : levels[i].latency.value + ns(levels[i].cache->hit_latency, levels[i].clock));
  };
  const auto rate_of_all = [&](std::size_t i) {
    return i == levels.size() ? memory_rate(spec)
                              : rate(levels[i].cache->data_width, levels[i].clock) * real(levels[i].slices_of_all());
  };
  const auto crosses = [&](bool asks_before, std::size_t next) {
    return asks_before && (next == levels.size() || !before_crossbar(levels[next].shared_by));
  };
  const cache::CacheSpec l1 = spec.l1.chosen();
  double into_core = rate(l1.data_width, spec.clocks.core);
  const LevelSpec* const of_group = at_crossbar(spec);
  if (of_group == nullptr && spec.crossbar.source_response_width.value > 0)
    into_core = std::min(into_core, rate(spec.crossbar.source_response_width, spec.clocks.core));
  if (!l1.streaming)
    judge({"l1.cache", "l1.capacity", l1,
           ns(l1.tag_latency + l1.fill_latency, spec.clocks.core) + fetched_from(0, crosses(true, 0)), into_core},
          out);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const cache::CacheSpec& cache = *levels[i].cache;
    const double own = ns(cache.tag_latency + cache.fill_latency, levels[i].clock);
    double share = rate_of_all(i + 1) / real(levels[i].slices_of_all());
    if (of_group != nullptr && &cache == &of_group->cache && spec.crossbar.source_response_width.value > 0)
      share = std::min(share, rate(spec.crossbar.source_response_width, spec.clocks.core) / real(levels[i].slices));
    judge({levels[i].path + ".cache", levels[i].path + ".cache.size", cache,
           own + fetched_from(i + 1, crosses(before_crossbar(levels[i].shared_by), i + 1)),
           std::min(share, rate(cache.data_width, levels[i].clock))},
          out);
  }
  return out;
}

}  // namespace strata::machine
