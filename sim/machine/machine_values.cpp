// SPDX-License-Identifier: Apache-2.0
// A machine whose loads return what stores wrote, and what an acquire and a release do to its caches. Cores
// have private caches that stores of others do not reach; so has a die if its L2 serves only that die (CDNA
// 3 and later), or if it keeps copies of blocks of another die.
#include <fmt/format.h>

#include <optional>

#include "base/invalid_request.hpp"
#include "machine/machine.hpp"

namespace strata::machine {

void CoreFront::keep_values(memory::Values& values) {
  core_.keep_values(&values);
  l1_.keep_values(&values);
  if (scalar_) scalar_->keep_values(&values);
  if (second_scalar_) second_scalar_->keep_values(&values);
  if (texture_) texture_->keep_values(&values);
  levels_.visit([&](cache::Cache& cache) { cache.keep_values(&values); });
}

void CoreFront::invalidate(std::uint64_t block) {
  l1_.invalidate(block);
  if (scalar_) scalar_->invalidate(block);
  if (second_scalar_) second_scalar_->invalidate(block);
  if (texture_) texture_->invalidate(block);
  for (CacheLevel& level : levels_.levels()) level.slice(block).invalidate(block);
}

void check_values(const MachineSpec& spec) {
  if (spec.l1.victim_cache)
    throw InvalidRequest("a memory with values does not support victim caches, but l1.victim_cache is given",
                         {"l1.victim_cache"}, "set l1.victim_cache=none");
  // A release would have to write it back; no configured GPU needs this.
  const auto refuse_dirty = [](const std::optional<cache::CacheSpec>& cache, const char* path) {
    if (cache && cache->write_policy == cache::WritePolicy::write_back)
      throw InvalidRequest(
          fmt::format("a memory with values does not support write-back caches of a core, but {} is write_back", path),
          {path}, fmt::format("set {}=write_through", path));
  };
  refuse_dirty(spec.l1.cache, "l1.cache.write_policy");
  refuse_dirty(spec.scalar_cache, "scalar_cache.write_policy");
  refuse_dirty(spec.second_scalar_cache, "second_scalar_cache.write_policy");
  refuse_dirty(spec.texture_cache, "texture_cache.write_policy");
  const auto refuse_wide = [](const cache::CacheSpec& cache, const std::string& path) {
    if (cache.line.value > memory::block_bytes)
      throw InvalidRequest(
          fmt::format("a memory with values does not support lines of more than {} B, but {}.line is {} B",
                      memory::block_bytes, path, cache.line.value),
          {path + ".line"}, fmt::format("set {}.line={}B", path, memory::block_bytes));
  };
  const std::vector<Level> levels = levels_of(spec);
  refuse_wide(spec.l1.cache, "l1.cache");
  if (spec.scalar_cache) refuse_wide(*spec.scalar_cache, "scalar_cache");
  if (spec.second_scalar_cache) refuse_wide(*spec.second_scalar_cache, "second_scalar_cache");
  if (spec.texture_cache) refuse_wide(*spec.texture_cache, "texture_cache");
  for (const Level& level : levels) refuse_wide(*level.cache, level.path + ".cache");
  for (const Level& level : levels)
    if (level.shared_by == Sharers::die && !level.is_l2() && !level.partitioned && spec.dies.compute > 1 &&
        !spec.l2.partitioned)
      throw InvalidRequest(fmt::format("a memory with values does not support a level behind the L2 of one of several "
                                       "dies, but {} is shared_by die",
                                       level.path),
                           {level.path + ".shared_by"}, fmt::format("set {}.shared_by=memory_die", level.path));
}

void Machine::keep_values(memory::Values& values) {
  check_values(spec_);
  values_ = &values;
  for (ComputeDie& die : compute_dies_) die.keep_values(values);
  for (MemoryDie& die : memory_dies_) die.keep_values(&values);
  for (const std::unique_ptr<CoreFront>& core : cores_)
    if (core) core->keep_values(values);
}

bool Machine::release(std::uint32_t index, std::span<const std::uint64_t> virtual_blocks) {
  if (spec_.l2.bypass || spec_.l2.partitioned || spec_.dies.compute == 1) return true;
  CoreFront& front = core(index);
  ComputeDie& die = compute_dies_[front.die()];
  bool done = true;
  for (const std::uint64_t virtual_block : virtual_blocks) {
    const std::uint64_t block = front.block(virtual_block);
    cache::Cache& slice = die.slice(die.place(block).slice);
    done = slice.write_back(block) && slice.in_flight().write_backs == 0 && done;
  }
  return done;
}

void Machine::acquire(std::uint32_t index, std::span<const std::uint64_t> virtual_blocks) {
  CoreFront& front = core(index);
  ComputeDie& die = compute_dies_[front.die()];
  const auto within_die = static_cast<std::uint32_t>(index % spec_.dies.cores_per_die);
  for (const std::uint64_t virtual_block : virtual_blocks) {
    const std::uint64_t block = front.block(virtual_block);
    front.invalidate(block);
    if (!die.groups().empty())
      for (CacheLevel& level : die.groups()[group_of(spec_.dies, within_die)].levels())
        level.slice(block).invalidate(block);
    if (spec_.l2.bypass || spec_.dies.compute == 1) continue;
    if (spec_.l2.partitioned && memory_map().home(block) == front.die()) continue;
    // Lines just written by another core of the die remain.
    cache::Cache& slice = die.slice(die.place(block).slice);
    if (!spec_.l2.partitioned && !slice.write_back(block)) continue;
    slice.invalidate(block);
    if (die.master() != nullptr) die.master()->gone(block);
  }
}

}  // namespace strata::machine
