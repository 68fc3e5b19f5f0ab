// SPDX-License-Identifier: Apache-2.0
// Levels of caches in a row, as one sharer has them: each of slices, with a port in front of every slice and an
// address map that says which slice and set a block is for. What misses the last level goes to the sink.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "cache/cache.hpp"
#include "engine/clock.hpp"
#include "engine/port.hpp"
#include "fabric/address_map.hpp"
#include "machine/account/sector_flow.hpp"
#include "machine/levels.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

/// What all instances of a level have in common.
struct LevelDesign {
  LevelDesign(const engine::Timebase& timebase, memory::StageNames& stages, const Level& level,
              const fabric::AddressMapSpec& map_spec, std::uint64_t host_begins);
  LevelDesign(const LevelDesign&) = delete;
  LevelDesign& operator=(const LevelDesign&) = delete;

  static std::uint64_t set_of(const void* self, std::uint64_t line);
  fabric::Place place(std::uint64_t block) const { return map.place(lines.from_block(block)); }
  bool homes(std::uint64_t block) const { return block >= first_block && block < end_block; }

  fabric::AddressMap map;
  MappedLines lines;
  cache::SharedDesign slice;
  std::uint32_t slices;
  Duration latency;
  std::uint8_t number;
  std::uint64_t first_block, end_block;  ///< that have their home here; others pass by
  std::uint64_t first_host_block;        ///< the host's memory never comes here; all ones: there is none
  bool prefetches;
};
/// Of one sharer, from the cores to memory.
using LevelDesigns = std::vector<const LevelDesign*>;

/// The next level for untimed misses.
struct TouchSink {
  void (*function)(void* self, const cache::TouchRequest& request) = nullptr;
  void* self = nullptr;

  void touch(const cache::TouchRequest& request) const { function(self, request); }
};

class CacheLevel {
 public:
  /// place: of the sharer, as ports name it. seed: of this instance, mixed with the slice; of a memory die its number.
  CacheLevel(engine::Simulation& simulation, const LevelDesign& design, const std::string& place, std::uint32_t seed);
  CacheLevel(const CacheLevel&) = delete;
  CacheLevel& operator=(const CacheLevel&) = delete;

  void connect(memory::Sink below, TouchSink below_without_time);

  void take(memory::Transaction& transaction, Time ready) {
    if (!design_.homes(transaction.block)) return pass_by(transaction, ready);
    transaction.serviced_level = design_.number;
    const fabric::Place to = design_.place(transaction.block);
    transaction.set_destination(static_cast<std::uint16_t>(to.slice), to.set);
    inputs_[transaction.slice]->send(transaction, ready, Duration{});
  }
  void touch(const cache::TouchRequest& request);
  /// touch() will soon be asked for a block that it homes.
  void expect(std::uint64_t block) const {
    const fabric::Place at = design_.place(block);
    slices_[at.slice].expect(at.set);
  }

  bool homes(std::uint64_t block) const { return design_.homes(block); }
  fabric::Place place(std::uint64_t block) const { return design_.place(block); }
  /// Of addresses that it does not home.
  const Arrivals& passed_by() const { return passed_by_; }
  cache::Cache& slice(std::uint64_t block) { return slices_[place(block).slice]; }
  std::deque<cache::Cache>& slices() { return slices_; }
  const std::deque<cache::Cache>& slices() const { return slices_; }
  void collect(stats::Collector& collector) const;
  void collect_ports(std::vector<const engine::Port*>& ports) const;

 private:
  static bool prefetch(void* self, cache::LineNumber line, const cache::PrefetchOrigin& origin);
  void pass_by(memory::Transaction& transaction, Time ready);

  const LevelDesign& design_;
  std::uint32_t home_;                 ///< whose blocks come here, where the map distinguishes homes
  std::vector<engine::Port*> inputs_;  ///< by slice
  std::deque<cache::Cache> slices_;
  std::deque<engine::Port> ports_;
  memory::Sink below_;
  TouchSink below_without_time_{};
  Arrivals passed_by_;
};

class CacheLevels {
 public:
  CacheLevels(engine::Simulation& simulation, const LevelDesigns& designs, const std::string& place, std::uint32_t seed,
              memory::Sink below, TouchSink below_without_time);

  bool empty() const { return first_ == nullptr; }
  void take(memory::Transaction& transaction, Time ready) {
    if (first_ == nullptr) return below_.take(transaction, ready);
    first_->take(transaction, ready);
  }
  void touch(const cache::TouchRequest& request) {
    if (first_ == nullptr) return below_without_time_.touch(request);
    first_->touch(request);
  }

  std::deque<CacheLevel>& levels() { return levels_; }
  const std::deque<CacheLevel>& levels() const { return levels_; }
  /// Every slice of every level.
  template <class Visit>
  void visit(const Visit& visit) {
    for (CacheLevel& level : levels_)
      for (cache::Cache& slice : level.slices()) visit(slice);
  }
  void collect(stats::Collector& collector) const {
    for (const CacheLevel& level : levels_) level.collect(collector);
  }
  void collect_ports(std::vector<const engine::Port*>& ports) const {
    for (const CacheLevel& level : levels_) level.collect_ports(ports);
  }

 private:
  CacheLevel* first_ = nullptr;  ///< null: there is no level
  std::deque<CacheLevel> levels_;
  memory::Sink below_;
  TouchSink below_without_time_;
};

}  // namespace strata::machine
