// SPDX-License-Identifier: Apache-2.0
#include "machine/warm_up.hpp"

#include <algorithm>

#include "cache/compression/table.hpp"
#include "cache/prefetch/table.hpp"
#include "fabric/address_map.hpp"
#include "machine/levels.hpp"
#include "replacement/table.hpp"

namespace strata::machine {

namespace {

/// Those that the accesses of one core may pass.
std::uint64_t slices_on_one_way(const Level& level) {
  return level.partitioned || level.shared_by == Sharers::memory_die ? level.slices_of_all() : level.slices;
}

cache::CacheSpec first_level(const MachineSpec& spec, trace::Space space) {
  switch (space) {
    case trace::Space::scalar:
      return spec.scalar_cache.value();
    case trace::Space::texture:
      return spec.texture_cache.value();
    default:
      return spec.l1.chosen();
  }
}

/// The same and, of scalars, the cache behind it.
std::vector<cache::CacheSpec> caches_of_core(const MachineSpec& spec, trace::Space space) {
  std::vector<cache::CacheSpec> own{first_level(spec, space)};
  if (space == trace::Space::scalar && spec.second_scalar_cache) own.push_back(*spec.second_scalar_cache);
  return own;
}

/// Whether it holds of every cache on the way of accesses of that space.
template <class Condition>
bool all_on_the_way(const MachineSpec& spec, trace::Space space, const Condition& condition) {
  const std::vector<cache::CacheSpec> own = caches_of_core(spec, space);
  const std::vector<Level> levels = levels_of(spec);
  return std::all_of(own.begin(), own.end(), condition) &&
         std::all_of(levels.begin(), levels.end(), [&](const Level& level) { return condition(*level.cache); });
}

/// Instances of a level that touches pass.
using Instances = std::uint64_t (*)(const Level& level);

// Recency alone decides what an LRU cache holds. even, uneven: by how many times its lines every set has seen all its
// ways, behind an index that is balanced or not. Where a policy forgets by the factor e for each capacity that passes,
// eight leave less than a thousandth.
std::uint64_t touches_until_forgotten(const MachineSpec& spec, Instances instances, double even, double uneven) {
  bool bounded = replacement::ReplacementTable::forgets(spec.l1.chosen().replacement) != replacement::Forgets::never &&
                 !spec.translation.may_keep_entries();
  const auto forgotten_after = [&](const cache::CacheSpec& cache, const IndexSpec& index) {
    const replacement::Forgets forgets = replacement::ReplacementTable::forgets(cache.replacement);
    if (forgets == replacement::Forgets::never) bounded = false;
    if (forgets != replacement::Forgets::by_recency) return cache.most_lines() * 8;
    const fabric::IndexPolicy* const policy = fabric::find_index_policy(index.policy);
    const double times = policy != nullptr && policy->fills_evenly ? even : uneven;
    return static_cast<std::uint64_t>(static_cast<double>(cache.most_lines()) * times);
  };
  std::uint64_t touches = 0;
  for (const Level& level : levels_of(spec)) {
    touches += forgotten_after(*level.cache, *level.index) * instances(level);
    if (level.addresses) bounded = false;  // others do not displace what it homes
  }
  return bounded ? touches + 8 * spec.l1.chosen().most_lines() : all_touches;
}

// So many adjacent pages come to every set, the first and the last round in part.
bool holds_all(const translation::TlbLevelSpec& level, std::uint64_t bytes) {
  const std::uint64_t sets = level.ways == 0 ? 1 : level.entries / level.ways;
  return bytes / level.entry_reach.value + 1 + sets <= level.entries;
}

}  // namespace

std::uint64_t first_level_lines(const MachineSpec& spec, trace::Space space) {
  return first_level(spec, space).lines();
}

std::uint64_t warm_up_touches(const MachineSpec& spec) {
  return touches_until_forgotten(spec, slices_on_one_way, 2, 2.5);
}

std::uint64_t lines_that_always_miss(const MachineSpec& spec, trace::Space space) {
  std::uint64_t lines = touches_until_forgotten(spec, slices_on_one_way, 2, 5);
  for (const cache::CacheSpec& own : caches_of_core(spec, space)) lines = std::max(lines, 8 * own.lines());
  return lines;
}

std::uint64_t sweep_touches(const MachineSpec& spec) {
  const auto all_slices = [](const Level& level) { return level.slices_of_all(); };
  const std::uint64_t cores = std::uint64_t{spec.dies.compute} * spec.dies.cores_per_die;
  return std::max(touches_until_forgotten(spec, all_slices, 1.25, 2.5), 2 * cores * spec.l1.chosen().most_lines());
}

bool recency_decides(const cache::CacheSpec& cache) {
  return replacement::ReplacementTable::forgets(cache.replacement) == replacement::Forgets::by_recency;
}

std::uint64_t settling_touches(const MachineSpec& spec) {
  std::uint64_t entries = 0;
  const auto add = [&](const cache::CacheSpec& cache, std::uint64_t count) {
    if (!recency_decides(cache)) entries = std::max(entries, cache.most_lines() * count);
  };
  add(spec.l1.chosen(), 1);
  if (spec.scalar_cache) add(*spec.scalar_cache, 1);
  if (spec.second_scalar_cache) add(*spec.second_scalar_cache, 1);
  if (spec.texture_cache) add(*spec.texture_cache, 1);
  for (const Level& level : levels_of(spec)) add(*level.cache, slices_on_one_way(level));
  for (const translation::TlbLevelSpec& level : spec.translation.levels)
    if (replacement::ReplacementTable::forgets(level.replacement) != replacement::Forgets::by_recency)
      entries = std::max<std::uint64_t>(entries, level.entries);
  return 16 * entries;
}

bool contents_do_not_matter(const MachineSpec& spec, trace::Space space, std::uint64_t stride) {
  const auto plain = [stride](const cache::CacheSpec& cache) {
    return stride % cache.line.value == 0 && recency_decides(cache) && cache.prefetcher == cache::no_prefetcher &&
           cache.compression == cache::no_compression;
  };
  const std::vector<Level> levels = levels_of(spec);
  return !spec.l1.victim_cache && all_on_the_way(spec, space, plain) &&
         std::none_of(levels.begin(), levels.end(), [](const Level& level) { return level.addresses.has_value(); });
}

std::uint64_t touches_past_caches(const MachineSpec& spec, std::uint64_t bytes) {
  // Drawn at random from more entries than a set has ways, k touches for each way leave one that is older with a
  // probability of about e^-k. What a TLB is asked follows from those in front of it, so their touches add up. Refreshes
  // close rows that are older soon.
  const dram::ControllerSpec& controller = spec.memory.channel.controller;
  const bool rows_stay_open = controller.page_policy != dram::PagePolicy::closed;
  constexpr std::uint64_t of_entry = 24;
  const std::uint64_t of_bank = !rows_stay_open ? 0 : controller.refresh == dram::Refresh::none ? 24 : 8;
  std::uint64_t touches = 0;
  for (const translation::TlbLevelSpec& level : spec.translation.levels) {
    const std::uint64_t pages = bytes / level.entry_reach.value + 1;
    const bool recent = replacement::ReplacementTable::forgets(level.replacement) == replacement::Forgets::by_recency;
    if (!recent && !holds_all(level, bytes)) return all_touches;
    touches += of_entry * std::min<std::uint64_t>(level.entries, pages);
  }
  const dram::OrganisationSpec& channel = spec.memory.channel.organisation;
  const std::uint64_t banks = std::uint64_t{channel.pseudo_channels} * channel.stack_ids * channel.bank_groups *
                              channel.banks_per_group * spec.memory.channels_per_die * spec.dies.memory;
  return std::max(touches, of_bank * banks);
}

std::uint64_t pages_that_stay(const MachineSpec& spec, std::uint64_t bytes) {
  std::uint64_t smallest = 0;
  for (const translation::TlbLevelSpec& level : spec.translation.levels)
    if (holds_all(level, bytes) && (smallest == 0 || level.entry_reach.value < smallest))
      smallest = level.entry_reach.value;
  return smallest;
}

bool caches_forget(const MachineSpec& spec, trace::Space space) {
  return all_on_the_way(spec, space, [](const cache::CacheSpec& cache) {
    return replacement::ReplacementTable::forgets(cache.replacement) != replacement::Forgets::never;
  });
}

}  // namespace strata::machine
