// SPDX-License-Identifier: Apache-2.0
// The ways of a coherence protocol: from the coherent slaves of memory dies to the coherent masters of compute dies and
// back, over the network between the dies.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "fabric/address_map.hpp"
#include "fabric/die_network.hpp"
#include "machine/blocks/compute_die.hpp"
#include "machine/blocks/die_routes.hpp"
#include "machine/blocks/memory_die.hpp"

namespace strata::machine {

class ProbeRoutes {
 public:
  /// Connects all masters and slaves, which exist by now. map: gives the homes of blocks.
  ProbeRoutes(fabric::DieNetwork& network, const DieRoutes& routes, const fabric::AddressMap& map,
              std::deque<ComputeDie>& compute_dies, std::deque<MemoryDie>& memory_dies);
  ProbeRoutes(const ProbeRoutes&) = delete;
  ProbeRoutes& operator=(const ProbeRoutes&) = delete;

 private:
  /// A die as the sender of parcels.
  struct End {
    static void carry(void* self, memory::Parcel& parcel, Time ready);
    fabric::DieNetwork* network;
    std::uint32_t node;
  };
  /// Memory dies are the first nodes of the network.
  static void address(void* self, cache::Notice& notice);

  const fabric::AddressMap& map_;
  std::deque<MemoryDie>& memory_dies_;
  std::vector<cache::CoherentSlave::Master> masters_;  ///< by compute die
  std::deque<End> ends_;
};

}  // namespace strata::machine
