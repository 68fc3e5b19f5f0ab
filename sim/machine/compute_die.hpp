// SPDX-License-Identifier: Apache-2.0
// A compute die: the slices of its L2 and the crossbar in front of them. What
// misses a slice goes to the sink that the machine gives.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cache/cache.hpp"
#include "engine/port.hpp"
#include "fabric/address_map.hpp"
#include "fabric/crossbar.hpp"
#include "machine/spec.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

class ComputeDie {
 public:
  /// clock: of the L2 and its crossbar. below: takes what a slice misses and what it writes back.
  ComputeDie(engine::Simulation& simulation, memory::StageNames& stages, const MachineSpec& spec,
             const fabric::AddressMap& map, engine::Clock clock, engine::Clock core_clock, std::uint8_t index,
             memory::Sink below);
  ComputeDie(const ComputeDie&) = delete;
  ComputeDie& operator=(const ComputeDie&) = delete;

  /// A request of this die's core, counted within the die.
  void from_core(memory::Transaction& transaction, std::uint32_t core, Time ready);
  /// A request of another die for a block whose home is here, which has come just now.
  void from_die(memory::Transaction& transaction);

  /// The slice that holds a block here, as home or as copy.
  fabric::Place place(std::uint64_t block) const;
  cache::Cache& slice(std::uint32_t index) { return slices_[index]; }
  const std::deque<cache::Cache>& slices() const { return slices_; }
  const fabric::Crossbar& crossbar() const { return *crossbar_; }
  void keep_values(memory::Values& values) {
    crossbar_->keep_values(&values);
    for (cache::Cache& slice : slices_) slice.keep_values(&values);
  }
  void collect(stats::Collector& collector) const;
  void collect_ports(std::vector<const engine::Port*>& ports) const;

 private:
  static std::uint64_t set_of(const void* self, std::uint64_t line);
  static bool prefetch(void* self, cache::LineNumber line, const cache::PrefetchOrigin& origin);
  /// Where there is no L2: what arrives at an output of the crossbar goes on at once.
  static void pass(void* self, void* transaction);

  /// The place asked for last: a request is placed when it is sent and again
  /// when the slice looks its set up.
  struct Placed {
    std::uint64_t block = ~std::uint64_t{0};
    fabric::Place place{};
  };

  const fabric::AddressMap& map_;
  mutable Placed last_;
  std::uint8_t index_;
  bool partitioned_;
  std::uint64_t first_host_block_;
  unsigned line_shift_;  ///< from line to block
  engine::Simulation& simulation_;
  memory::Sink below_;
  std::deque<cache::Cache> slices_;
  std::deque<engine::Port> from_die_;
  std::unique_ptr<fabric::Crossbar> crossbar_;
};

}  // namespace strata::machine
