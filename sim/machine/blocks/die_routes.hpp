// SPDX-License-Identifier: Apache-2.0
// The way of what a compute die does not hold, to the home of its block: the levels behind the L2, the network between
// dies where there is one, the home's L2 where that is partitioned, and the memory die. Each way is walked timed and
// without time.
#pragma once
#include <cstdint>
#include <deque>

#include "fabric/address_map.hpp"
#include "fabric/die_network.hpp"
#include "machine/blocks/compute_die.hpp"
#include "machine/blocks/memory_die.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

class DieRoutes {
 public:
  /// map: gives the homes of blocks. The dies may be added later.
  DieRoutes(const MachineSpec& spec, const fabric::AddressMap& map, std::deque<ComputeDie>& compute_dies,
            std::deque<MemoryDie>& memory_dies);
  DieRoutes(const DieRoutes&) = delete;
  DieRoutes& operator=(const DieRoutes&) = delete;

  /// Where that compute die sends what it does not hold.
  DieSinks sinks_of(std::uint8_t compute_die);
  /// The network between the dies; its nodes are the memory dies, then, where they are apart, the compute dies.
  void connect(fabric::DieNetwork& network);
  std::uint32_t node_of(std::uint8_t compute_die) const { return first_compute_node_ + compute_die; }

 private:
  struct Exit {
    DieRoutes& routes;
    std::uint8_t die;
    void below_l2(memory::Transaction& transaction, Time ready) { routes.below_l2(transaction, ready, die); }
    void below_die(memory::Transaction& transaction, Time ready) { routes.below_die(transaction, ready, die); }
    /// What the network has brought.
    void arrived(memory::Transaction& transaction, Time ready) { routes.at_home(transaction, ready, die); }
  };

  void below_l2(memory::Transaction& transaction, Time ready, std::uint8_t die);
  void below_die(memory::Transaction& transaction, Time ready, std::uint8_t die);
  void at_home(memory::Transaction& transaction, Time ready, std::uint8_t die);
  bool stays(memory::Transaction& transaction, std::uint8_t die) const;
  void touch_below_l2(const cache::TouchRequest& request, std::uint8_t die);
  void touch_memory(const cache::TouchRequest& request);
  std::uint8_t home_of(std::uint8_t known, std::uint64_t block) const {
    return known == memory::Transaction::unknown_home ? static_cast<std::uint8_t>(map_.home(block)) : known;
  }

  const fabric::AddressMap& map_;
  std::deque<ComputeDie>& compute_dies_;
  std::deque<MemoryDie>& memory_dies_;
  fabric::DieNetwork* network_ = nullptr;  ///< null: one die
  std::uint32_t first_compute_node_;
  bool apart_;  ///< compute and memory dies are not the same silicon
  bool partitioned_;
  bool levels_behind_l2_;
  std::deque<Exit> exits_;
  std::deque<Exit> arrivals_;
};

}  // namespace strata::machine
