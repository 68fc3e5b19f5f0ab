// SPDX-License-Identifier: Apache-2.0
#include "machine/atlas.hpp"

#include <fmt/format.h>

#include "base/invalid_request.hpp"
#include "machine/layout/numa.hpp"
#include "machine/machine.hpp"

namespace strata::machine {

bool Atlas::pages_by_access() const { return machine_.pages_.by_access(); }

std::uint32_t Atlas::logical_gpu(std::uint32_t core) const {
  return static_cast<std::uint32_t>(core / machine_.spec_.dies.cores_per_die * machine_.spec_.dies.logical_gpus /
                                    machine_.spec_.dies.compute);
}

std::uint64_t Atlas::local_memory(std::uint32_t core) const {
  const std::uint64_t domain = domain_bytes(machine_.spec_);
  return domain == 0 ? 0 : homes_by_distance(core).nearest * domain;
}

Atlas::Homes Atlas::homes_by_distance(std::uint32_t core) const {
  Homes homes;
  if (machine_.network_ == nullptr) return homes;
  const std::uint32_t node =
      machine_.routes_.node_of(static_cast<std::uint8_t>(core / machine_.spec_.dies.cores_per_die));
  for (std::uint32_t m = 1; m < machine_.spec_.dies.memory; ++m) {
    if (machine_.network_->flight(node, m) < machine_.network_->flight(node, homes.nearest)) homes.nearest = m;
    if (machine_.network_->flight(node, homes.farthest) < machine_.network_->flight(node, m)) homes.farthest = m;
  }
  return homes;
}

Duration Atlas::flight(std::uint32_t first, std::uint32_t second) const {
  if (machine_.network_ == nullptr) return {};
  const auto node = [this](std::uint32_t core) {
    return machine_.routes_.node_of(static_cast<std::uint8_t>(core / machine_.spec_.dies.cores_per_die));
  };
  return machine_.network_->flight(node(first), node(second));
}

std::uint64_t Atlas::host_memory() const {
  if (!machine_.host_)
    throw InvalidRequest(fmt::format("{} has no link to a host's memory: host is none", machine_.spec_.name), {"host"},
                         "give host in a file on this base, as configs/vendors/mi300x.yaml does");
  return host_memory_begin(machine_.spec_);
}

Atlas::Whereabouts Atlas::whereabouts(std::uint32_t index, std::uint64_t address) const {
  Whereabouts found;
  const std::uint64_t block = machine_.pages_.block_for(address / memory::block_bytes, machine_.nearest_domain(index));
  const ComputeDie& die = machine_.compute_dies_[index / machine_.spec_.dies.cores_per_die];
  const fabric::Place place = die.place(block);
  found.physical = block * memory::block_bytes + address % memory::block_bytes;
  found.home_die = machine_.memory_map().home(block);
  found.slice = place.slice;
  found.set = place.set;
  found.channel = machine_.memory_map().channel_block(block).channel;
  const auto& side = machine_.spec_.memory_side_cache;
  if (side && (!side->addresses || side->addresses->holds(found.physical)))
    found.memory_slice = machine_.memory_map().place(block).slice;
  return found;
}

}  // namespace strata::machine
