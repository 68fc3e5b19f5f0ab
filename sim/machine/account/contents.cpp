// SPDX-License-Identifier: Apache-2.0
#include "machine/account/contents.hpp"

#include <fmt/format.h>

#include "machine/machine.hpp"

namespace strata::machine {

Contents Machine::contents(std::uint32_t index, std::uint64_t address) {
  const CoreFront& front = core(index);
  const std::uint64_t virtual_block = address / memory::block_bytes;
  const std::uint64_t block = pages_.block_for(virtual_block, nearest_domain(index));
  const std::uint32_t home = memory_map().home(block);
  Contents found;
  found.physical = block * memory::block_bytes + address % memory::block_bytes;
  found.tlbs = of_process_[process_of(index)].translator.held(index, virtual_block);
  const auto add = [&](std::string name, std::string instance, const cache::Cache& cache) {
    found.caches.push_back({std::move(name), std::move(instance), cache.held(found.physical)});
  };
  const auto add_slice = [&](const char* prefix, std::uint32_t die) {
    const std::uint32_t slice = compute_dies_[die].place(block).slice;
    add(prefix + spec_.l2.cache.name,
        spec_.dies.compute > 1 ? fmt::format("die {} slice {}", die, slice) : fmt::format("slice {}", slice),
        compute_dies_[die].slices()[slice]);
  };
  const auto add_levels = [&](const CacheLevels& levels, const std::string& place) {
    for (const CacheLevel& level : levels.levels()) {
      if (!level.homes(block)) continue;
      const std::uint32_t slice = level.place(block).slice;
      add(level.slices()[slice].spec().name, fmt::format("{}slice {}", place, slice), level.slices()[slice]);
    }
  };
  const ComputeDie& die = compute_dies_[front.die()];
  const auto within_die = static_cast<std::uint32_t>(index % spec_.dies.cores_per_die);
  add(front.l1().spec().name, fmt::format("core {}", index), front.l1());
  add_levels(front.levels(), fmt::format("core {} ", index));
  if (!die.groups().empty()) {
    const std::uint32_t group = group_of(spec_.dies, within_die);
    add_levels(die.groups()[group], fmt::format("die {} group {} ", front.die(), group));
  }
  if (!spec_.l2.bypass) add_slice("", front.die());
  if (spec_.l2.partitioned && home != front.die()) add_slice("far ", home);
  if (!spec_.l2.partitioned || home == front.die())
    add_levels(die.behind_l2(), fmt::format("die {} ", front.die()));
  else
    add_levels(compute_dies_[home].behind_l2(), fmt::format("die {} ", home));
  if (host_ && host_->holds(block)) return found;
  add_levels(memory_dies_[home].levels(), fmt::format("die {} ", home));
  found.channel = memory_map().channel_block(block).channel;
  found.row = memory_dies_[home].held_row(block);
  return found;
}

}  // namespace strata::machine
