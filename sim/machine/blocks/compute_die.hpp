// SPDX-License-Identifier: Apache-2.0
// A compute die: the slices of its L2 and the crossbar in front of them, with the levels of caches that groups of
// cores share before the crossbar and those behind the L2. What misses all of them goes to the sink that the
// machine gives.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/cache.hpp"
#include "cache/coherence/coherent_master.hpp"
#include "engine/port.hpp"
#include "fabric/address_map.hpp"
#include "fabric/crossbar.hpp"
#include "machine/blocks/cache_level.hpp"
#include "machine/spec.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

/// What the compute dies of a machine have in common, beside its spec.
struct DieDesign {
  const fabric::AddressMap& map;  ///< of the L2
  LevelDesigns of_group;          ///< before the crossbar
  LevelDesigns behind_l2;
};

/// Where a compute die sends what it does not hold, timed and without time.
struct DieSinks {
  memory::Sink below_l2;   ///< what a slice misses and what it writes back
  memory::Sink below_die;  ///< the same of the levels behind the L2
  TouchSink touch_below_l2;
  TouchSink touch_below_die;
};

class ComputeDie {
 public:
  /// clock: of the L2 and its crossbar.
  ComputeDie(engine::Simulation& simulation, memory::StageNames& stages, const MachineSpec& spec,
             const DieDesign& design, engine::Clock clock, engine::Clock core_clock, std::uint8_t index,
             const DieSinks& sinks);
  ComputeDie(const ComputeDie&) = delete;
  ComputeDie& operator=(const ComputeDie&) = delete;

  /// A request of this die's core, counted within the die.
  void from_core(memory::Transaction& transaction, std::uint32_t core, Time ready);
  /// The same without time.
  void touch(const cache::TouchRequest& request, std::uint32_t core);
  /// A request of another die for a block whose home is here, which has come just now.
  void from_die(memory::Transaction& transaction);
  void touch_l2(const cache::TouchRequest& request);
  /// touch_l2() will soon be asked for the block.
  void expect(std::uint64_t block) const {
    const fabric::Place at = place(block);
    slices_[at.slice].expect(at.set);
  }

  /// The slice that holds a block here, as home or as copy.
  fabric::Place place(std::uint64_t block) const;
  cache::Cache& slice(std::uint32_t index) { return slices_[index]; }
  const std::deque<cache::Cache>& slices() const { return slices_; }
  /// Levels shared by groups, by group; empty where there are none.
  std::deque<CacheLevels>& groups() { return groups_; }
  const std::deque<CacheLevels>& groups() const { return groups_; }
  /// Where there is a probe filter; nullptr: none.
  cache::CoherentMaster* master() { return master_ ? &*master_ : nullptr; }
  const cache::CoherentMaster* master() const { return master_ ? &*master_ : nullptr; }
  /// network: takes parcels from this die, which is that node of it.
  void connect(cache::ParcelSink network, const cache::CoherentMaster::Homes& homes, std::uint32_t node);
  CacheLevels& behind_l2() { return behind_l2_; }
  const CacheLevels& behind_l2() const { return behind_l2_; }
  const fabric::Crossbar& crossbar() const { return *crossbar_; }
  void keep_values(memory::Values& values);
  /// Every slice of every level here.
  template <class Visit>
  void visit_caches(const Visit& visit) {
    for (CacheLevels& group : groups_) group.visit(visit);
    for (cache::Cache& slice : slices_) visit(slice);
    behind_l2_.visit(visit);
  }
  void collect(stats::Collector& collector) const;
  void collect_ports(std::vector<const engine::Port*>& ports) const;

 private:
  static bool prefetch(void* self, cache::LineNumber line, const cache::PrefetchOrigin& origin);
  static std::uint64_t set_of(const void* self, std::uint64_t line);
  /// Without an L2: requests at an output of the crossbar are forwarded at once.
  static void pass(void* self, void* transaction);

  /// A group's way into the crossbar, of which it is one source.
  struct GroupEnd {
    ComputeDie& die;
    std::uint32_t group;
    void take(memory::Transaction& transaction, Time ready) { die.into_crossbar(transaction, group, ready); }
  };
  void build_groups(const DieDesign& design);
  void into_crossbar(memory::Transaction& transaction, std::uint32_t source, Time ready);

  /// The place asked for last: a request is placed when it is sent and again
  /// when the slice looks its set up.
  struct Placed {
    std::uint64_t block = ~std::uint64_t{0};
    fabric::Place place{};
  };

  const fabric::AddressMap& map_;
  mutable Placed last_;
  const DiesSpec& dies_;
  std::uint8_t index_;
  std::uint8_t l2_number_;  ///< among the machine's levels
  bool partitioned_;
  std::uint64_t first_host_block_;
  bool has_groups_ = false;  ///< with levels of their own
  MappedLines lines_;
  engine::Simulation& simulation_;
  memory::Sink below_l2_;
  TouchSink touch_below_l2_;
  std::deque<GroupEnd> group_ends_;
  std::deque<CacheLevels> groups_;
  std::optional<cache::CoherentMaster> master_;
  std::deque<cache::Cache> slices_;
  CacheLevels behind_l2_;
  std::deque<engine::Port> from_die_;
  std::unique_ptr<fabric::Crossbar> crossbar_;
};

}  // namespace strata::machine
