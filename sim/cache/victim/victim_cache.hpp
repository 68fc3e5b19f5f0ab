// SPDX-License-Identifier: Apache-2.0
// A victim cache (Jouppi, ISCA 1990): a few fully associative lines behind a cache that writes
// through. It is filled by the evictions of that cache alone. A load that misses the cache and
// finds its sectors here is answered from here, and the line moves back; a store, an atomic or a
// load that bypasses the cache invalidates it. Evicted lines are clean, so none is written back.
//
// A lookup runs in parallel with the miss path and delays no request. The oldest line is evicted,
// which is the least recently used one, since a line is used here once.
#pragma once
#include <cstdint>
#include <deque>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"
#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "engine/simulation.hpp"
#include "memory/stages.hpp"
#include "memory/transaction.hpp"
#include "stats/collector.hpp"
#include "stats/counter.hpp"

namespace strata::cache {

struct VictimCacheSpec {
  std::uint64_t lines = 16;
  Cycles hit_latency{0};        ///< from the miss of the cache to the data
  double hits_per_clock = 1.0;  ///< lines that it returns

  static config::Schema<VictimCacheSpec> schema();
};

struct VictimCounters {
  stats::Counter<"lookups", "requests", "loads that missed the cache in front"> lookups;
  stats::Counter<"hits", "requests", "of these, answered here"> hits;
  stats::Counter<"fills", "lines", "evicted by the cache in front"> fills;
  stats::Counter<"invalidations", "lines",
                 "by stores, atomics, bypassing loads, and loads of sectors that were not valid">
      invalidations;
};

class VictimCache {
 public:
  VictimCache(engine::Simulation& simulation, memory::StageNames& stages, const VictimCacheSpec& spec,
              engine::Clock clock);

  void connect(memory::Sink downstream) { downstream_ = downstream; }
  /// A request that missed the cache in front.
  void take(memory::Transaction& transaction, Time ready);
  /// The cache in front has evicted these valid sectors of a block.
  void evicted(std::uint64_t block, memory::SectorMask valid);
  /// Without time: whether a load of these sectors is served here; the line moves back.
  bool touch(std::uint64_t block, memory::SectorMask sectors, bool load);
  void drop_all() { lines_.clear(); }
  std::uint64_t loads_returned() const { return counters_.hits; }
  std::uint64_t sectors_returned() const { return sectors_returned_; }
  void collect(stats::Collector& collector) const;

 private:
  struct Line {
    std::uint64_t block;
    memory::SectorMask valid;
  };

  engine::Simulation& simulation_;
  memory::Sink downstream_{};
  std::size_t most_;
  Duration hit_latency_, occupancy_;
  engine::Lane port_;
  memory::Stage stage_;
  /// Oldest first. The line that a miss evicts comes before the lookup of that miss, so there is one
  /// more than fits until the lookup is done: both change places where the lookup hits.
  std::deque<Line> lines_;
  VictimCounters counters_;
  std::uint64_t sectors_returned_ = 0;
};

}  // namespace strata::cache
