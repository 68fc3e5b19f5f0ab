// SPDX-License-Identifier: Apache-2.0
// The caches between the L1s and the DRAM as one table, from the cores to memory: the expansion of `l2`,
// `memory_side_cache` and `levels` of a configuration. All code that names, counts, sums or checks levels reads this
// table, and the machine is connected by it; an additional level is an additional row.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/spec.hpp"
#include "trace/instruction.hpp"

namespace strata::machine {

/// Which settings describe a level.
enum class LevelKind : std::uint8_t { l2, further, memory_side_cache };

/// One level. Refers to the spec that it was made of.
struct Level {
  LevelKind kind = LevelKind::further;
  std::string path;                             ///< of its settings: `l2`, `levels[0]`, `memory_side_cache`
  std::string slices_path;                      ///< of the number of slices
  const cache::CacheSpec* cache = nullptr;      ///< a slice
  const IndexSpec* index = nullptr;             ///< how blocks find slice and set
  std::optional<AddressRangeSpec> addresses{};  ///< that it homes; none: all
  Sharers shared_by = Sharers::die;
  std::uint64_t slices = 1;             ///< of one instance
  std::uint64_t instances = 1;          ///< of the machine
  std::vector<const char*> counted_by;  ///< the settings that give the instances
  std::optional<Bytes> capacity;        ///< asked for, of all instances
  Frequency clock{};                    ///< in which its cycles count
  Nanoseconds latency{0};               ///< from the level above to the tags, beside the crossbar
  bool partitioned = false;             ///< each block has a home instance; others may keep copies and ask it
  std::uint8_t number = 0;              ///< of Machine::levels(); the far one of a partitioned level is the next
  std::size_t place = 0;  ///< among the levels that the same sharers have of `levels` and memory_side_cache

  bool is_l2() const { return kind == LevelKind::l2; }
  std::uint64_t slices_of_all() const { return slices * instances; }
  std::uint64_t bytes() const { return slices_of_all() * cache->size.value; }
};

std::vector<Level> levels_of(const MachineSpec& spec);
/// Of some cache: an atomic that no cache performs reaches memory.
bool caches_perform_atomics(const MachineSpec& spec);

bool has_probe_filter(const MachineSpec& spec);
/// Sets of a slice of the probe filter, of which there is one.
std::uint64_t probe_filter_sets(const MachineSpec& spec);

/// Whether groups of cores have a level of their own: the sources of the crossbar are then groups.
bool groups_have_levels(const MachineSpec& spec);
/// Groups of cores of one compute die.
std::uint32_t groups_of_die(const DiesSpec& dies);
/// Instruction caches of one compute die, which has some.
std::uint64_t instruction_caches_of_die(const MachineSpec& spec);
/// The group of a core, both counted within the die.
std::uint32_t group_of(const DiesSpec& dies, std::uint32_t core);
/// The group of a core among those of all dies; the core is counted over the machine.
std::uint32_t group_in_all(const DiesSpec& dies, std::uint32_t core);
/// The core after that one in its group, the first after the last; both counted over the machine.
std::uint32_t next_in_group(const DiesSpec& dies, std::uint32_t core);

/// Names of the levels that may serve a load of that space, from the core to memory, the far part of a partitioned
/// one apart: what a completion's served_by counts.
std::vector<std::string> level_names(const MachineSpec& spec, trace::Space space);

/// Where a level's capacity ends, as one thread sees it.
struct Capacity {
  std::string level;
  std::uint64_t bytes = 0;
};
std::vector<Capacity> capacities(const MachineSpec& spec);

/// Of the last level of caches, all instances.
std::uint64_t last_cache_bytes(const MachineSpec& spec);

}  // namespace strata::machine
