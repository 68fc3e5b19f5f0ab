// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/probe_routes.hpp"

namespace strata::machine {

ProbeRoutes::ProbeRoutes(fabric::DieNetwork& network, const DieRoutes& routes, const fabric::AddressMap& map,
                         std::deque<ComputeDie>& compute_dies, std::deque<MemoryDie>& memory_dies)
    : map_(map), memory_dies_(memory_dies) {
  const auto from = [&](std::uint32_t node) {
    return cache::ParcelSink{&End::carry, &ends_.emplace_back(End{&network, node})};
  };
  for (std::size_t die = 0; die < compute_dies.size(); ++die) {
    const std::uint32_t node = routes.node_of(static_cast<std::uint8_t>(die));
    compute_dies[die].connect(from(node), {&ProbeRoutes::address, this}, node);
    masters_.push_back({node, compute_dies[die].master()->probed()});
  }
  for (std::size_t die = 0; die < memory_dies.size(); ++die)
    memory_dies[die].connect(from(static_cast<std::uint32_t>(die)), masters_);
}

void ProbeRoutes::End::carry(void* self, memory::Parcel& parcel, Time ready) {
  const End& end = *static_cast<End*>(self);
  end.network->carry(parcel, end.node, ready);
}

void ProbeRoutes::address(void* self, cache::Notice& notice) {
  const ProbeRoutes& routes = *static_cast<ProbeRoutes*>(self);
  notice.to = routes.map_.home(notice.block);
  notice.arrived = routes.memory_dies_[notice.to].noticed();
}

}  // namespace strata::machine
