// SPDX-License-Identifier: Apache-2.0
#include "machine/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace strata::machine {

namespace {

std::uint64_t instances_of(Sharers sharers, const DiesSpec& dies) {
  switch (sharers) {
    case Sharers::core:
      return dies.compute * dies.cores_per_die;
    case Sharers::group:
      return dies.compute * groups_of_die(dies);
    case Sharers::die:
      return dies.compute;
    case Sharers::memory_die:
      return dies.memory;
  }
  return 1;
}

std::vector<const char*> counted_by(Sharers sharers) {
  switch (sharers) {
    case Sharers::core:
      return {"dies.compute", "dies.cores_per_die"};
    case Sharers::group:
      return {"dies.compute", "dies.cores_per_die", "dies.cores_per_group", "dies.group_sizes"};
    case Sharers::die:
      return {"dies.compute"};
    case Sharers::memory_die:
      return {"dies.memory"};
  }
  return {};
}

Frequency clock_of(Sharers sharers, const ClocksSpec& clocks) {
  switch (sharers) {
    case Sharers::core:
    case Sharers::group:
      return clocks.core;
    case Sharers::die:
      return clocks.l2;
    case Sharers::memory_die:
      return clocks.fabric;
  }
  return clocks.core;
}

Level l2_of(const MachineSpec& spec) {
  Level level;
  level.kind = LevelKind::l2;
  level.path = "l2";
  level.slices_path = "l2.slices_per_die";
  level.cache = &spec.l2.cache;
  level.index = &spec.l2.index;
  level.shared_by = Sharers::die;
  level.slices = spec.l2.slices_per_die;
  level.capacity = spec.l2.capacity;
  level.partitioned = spec.l2.partitioned;
  return level;
}

Level side_of(const MemorySideCacheSpec& side) {
  Level level;
  level.kind = LevelKind::memory_side_cache;
  level.path = "memory_side_cache";
  level.slices_path = "memory_side_cache.slices_per_die";
  level.cache = &side.cache;
  level.index = &side.index;
  level.shared_by = Sharers::memory_die;
  level.slices = side.slices_per_die;
  level.capacity = side.capacity;
  level.addresses = side.addresses;
  level.latency = side.latency;
  return level;
}

Level further(const LevelSpec& spec, std::size_t index) {
  Level level;
  level.path = fmt::format("levels[{}]", index);
  level.slices_path = level.path + ".slices";
  level.cache = &spec.cache;
  level.index = &spec.index;
  level.shared_by = spec.shared_by;
  level.slices = spec.slices;
  level.capacity = spec.capacity;
  level.addresses = spec.addresses;
  level.latency = spec.latency;
  return level;
}

}  // namespace

std::vector<Level> levels_of(const MachineSpec& spec) {
  std::vector<Level> levels;
  std::uint8_t number = 1;
  const auto add = [&](Level level, std::size_t place) {
    level.instances = instances_of(level.shared_by, spec.dies);
    level.counted_by = counted_by(level.shared_by);
    level.clock = clock_of(level.shared_by, spec.clocks);
    level.number = number;
    level.place = place;
    number = static_cast<std::uint8_t>(number + (level.partitioned ? 2 : 1));
    levels.push_back(std::move(level));
  };
  for (const Sharers sharers : {Sharers::core, Sharers::group, Sharers::die, Sharers::memory_die}) {
    if (sharers == Sharers::die && !spec.l2.bypass) add(l2_of(spec), 0);
    std::size_t place = 0;
    for (std::size_t i = 0; i < spec.levels.size(); ++i)
      if (spec.levels[i].shared_by == sharers) add(further(spec.levels[i], i), place++);
    if (sharers == Sharers::memory_die && spec.memory_side_cache) add(side_of(*spec.memory_side_cache), place);
  }
  return levels;
}

bool caches_perform_atomics(const MachineSpec& spec) {
  const std::vector<Level> levels = levels_of(spec);
  return spec.l1.cache.performs_atomics ||
         std::any_of(levels.begin(), levels.end(), [](const Level& level) { return level.cache->performs_atomics; });
}

std::uint64_t probe_filter_sets(const MachineSpec& spec) {
  const MemorySideCacheSpec& side = *spec.memory_side_cache;
  const std::uint64_t slices = side.slices_per_die * spec.dies.memory;
  return side.probe_filter->capacity.value / (slices * side.probe_filter->ways * memory::block_bytes);
}

bool groups_have_levels(const MachineSpec& spec) {
  return std::any_of(spec.levels.begin(), spec.levels.end(),
                     [](const LevelSpec& level) { return level.shared_by == Sharers::group; });
}

std::uint32_t groups_of_die(const DiesSpec& dies) {
  if (!dies.group_sizes.empty()) return static_cast<std::uint32_t>(dies.group_sizes.size());
  return static_cast<std::uint32_t>((dies.cores_per_die + dies.cores_per_group - 1) / dies.cores_per_group);
}

std::uint64_t instruction_caches_of_die(const MachineSpec& spec) {
  const std::uint64_t sharing = spec.instruction_cache->cores;
  return (spec.dies.cores_per_die + sharing - 1) / sharing;
}

std::uint32_t group_of(const DiesSpec& dies, std::uint32_t core) {
  if (dies.group_sizes.empty()) return static_cast<std::uint32_t>(core / dies.cores_per_group);
  std::uint32_t group = 0;
  for (std::uint32_t beyond = dies.group_sizes[0]; core >= beyond; beyond += dies.group_sizes[group]) ++group;
  return group;
}

std::uint32_t group_in_all(const DiesSpec& dies, std::uint32_t core) {
  const auto of_die = static_cast<std::uint32_t>(dies.cores_per_die);
  return core / of_die * groups_of_die(dies) + group_of(dies, core % of_die);
}

std::uint32_t next_in_group(const DiesSpec& dies, std::uint32_t core) {
  const auto of_die = static_cast<std::uint32_t>(dies.cores_per_die);
  const std::uint32_t within = core % of_die;
  const std::uint32_t group = group_of(dies, within);
  if (within + 1 < of_die && group_of(dies, within + 1) == group) return core + 1;
  std::uint32_t first = within;
  while (first > 0 && group_of(dies, first - 1) == group) --first;
  return core - within + first;
}

namespace {
// The copy unit is in place of a first-level cache; it serves no requests.
std::string first_level_name(const MachineSpec& spec, trace::Space space) {
  switch (space) {
    case trace::Space::scalar:
      return spec.scalar_cache.value().name;
    case trace::Space::texture:
      return spec.texture_cache.value().name;
    case trace::Space::bulk:
      return compute::BulkCopySpec::name;
    default:
      return spec.l1.cache.name;
  }
}
}  // namespace

std::vector<std::string> level_names(const MachineSpec& spec, trace::Space space) {
  if (space == trace::Space::shared) return {"shared memory"};
  if (space == trace::Space::cluster) return {"shared memory of another core"};
  std::vector<std::string> names{first_level_name(spec, space)};
  for (const Level& level : levels_of(spec)) {
    names.push_back(level.cache->name);
    if (level.partitioned) names.push_back("far " + level.cache->name);
  }
  names.emplace_back("DRAM");
  if (spec.host) names.emplace_back("host memory");
  // Last, so that the numbers of the others are those of all spaces.
  if (space == trace::Space::scalar && spec.second_scalar_cache) names.push_back(spec.second_scalar_cache->name);
  return names;
}

std::vector<Capacity> capacities(const MachineSpec& spec) {
  std::vector<Capacity> all;
  const cache::CacheSpec l1 = spec.l1.chosen();
  all.push_back({l1.name, l1.size.value});
  for (const Level& level : levels_of(spec)) {
    const std::uint64_t instance = level.slices * level.cache->size.value;
    if (level.partitioned) all.push_back({"near " + level.cache->name, instance});
    const bool all_instances = level.partitioned || level.shared_by == Sharers::memory_die;
    all.push_back({level.cache->name, all_instances ? level.bytes() : instance});
  }
  return all;
}

std::uint64_t last_cache_bytes(const MachineSpec& spec) {
  const std::vector<Level> levels = levels_of(spec);
  if (levels.empty()) return spec.l1.chosen().size.value * spec.dies.cores_per_die * spec.dies.compute;
  return levels.back().bytes();
}

}  // namespace strata::machine
