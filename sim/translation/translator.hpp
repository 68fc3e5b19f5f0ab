// SPDX-License-Identifier: Apache-2.0
// Translation of addresses: levels of TLB, each private to a core, a group of
// cores or a die, and page walkers behind the last. A miss costs the level's
// latency and a turn on the level's way down, of which there are so many a
// clock; a miss of the last level takes a walker for the whole of its walk, so
// walks are bounded in number and not only in latency (Pichai, Hsu,
// Bhattacharjee: Architectural Support for Address Translation on GPUs, 2014).
// A page that is asked for again while its walk is under way waits for that
// walk and starts no other.
//
// Nothing here is an event: the answer is the time at which the address is
// known, reckoned on lanes that serve first come first served. Calls come in
// the order of time.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "memory/journey.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"
#include "stats/counter.hpp"
#include "translation/tlb.hpp"
#include "translation/translator_spec.hpp"

namespace strata::translation {

/// The cores of a machine: groups and dies are of consecutive cores.
struct TranslatorShape {
  std::uint32_t cores = 1;
  std::uint32_t cores_per_group = 1;
  std::uint32_t cores_per_die = 1;
};

/// Cores that share an instance of a level.
std::uint32_t cores_sharing(Scope scope, const TranslatorShape& shape);

class Translator {
 public:
  /// Of one TLB.
  struct Counters {
    stats::Counter<"hits", "requests", "translations found here, or pending"> hits;
    stats::Counter<"misses", "requests", "translations requested from the next level, or from a walker"> misses;
  };

  /// clock: that of the levels' cycles. Throws std::invalid_argument where a
  /// count is 0, ways do not divide entries, or an entry's reach is no power
  /// of two of at least 128 B.
  Translator(const engine::Timebase& timebase, engine::Clock clock, const TranslationSpec& spec,
             const TranslatorShape& shape, memory::StageNames& stages);

  /// When the translation that a core begins at ready is known; ready itself
  /// on a hit in the first level. Milestones go to journey, whose last one
  /// should be at ready: stage "<level> miss" for each level missed, "page walk".
  Time translate(std::uint32_t core, std::uint64_t virtual_block, Time ready, memory::Journey* journey = nullptr);

  /// The same look-ups without time: leaves the same entries, counts nothing.
  void touch(std::uint32_t core, std::uint64_t virtual_block);

  /// What each level, as a core sees it, holds in the set of a block's page; from the core on.
  std::vector<HeldPages> held(std::uint32_t core, std::uint64_t virtual_block) const;

  /// What several cores share has seen the pages before: they were written once. Free places
  /// of it count as hits (H200: a kernel that reads a line of each of 4096 pages takes 25 us
  /// when it is the first, 2.6 us after any other, whatever the state of the caches).
  void assume_pages_used();

  /// Hits and misses of translate() at a level, from the core on, of all its instances together.
  Counters counts(std::size_t level) const;
  std::uint64_t walks() const { return walks_; }
  /// How long walkers were busy, all together.
  Duration walker_busy() const;

 private:
  friend void collect(std::span<const Translator* const> all, stats::Collector& collector);

  struct Level {
    Level(const TlbLevelSpec& spec, std::uint32_t sharing, std::uint32_t instances, engine::Clock clock,
          memory::StageNames& stages);

    Tlb tlb;
    bool shared;         ///< by several cores
    unsigned tag_shift;  ///< from block number to tag
    std::uint32_t cores_per_instance;
    Duration miss_latency;
    Duration miss_occupancy;
    memory::Stage stage;
    std::string name;
    std::vector<Counters> counts;        ///< of each instance
    std::vector<engine::Lane> way_down;  ///< the same
  };
  Time walk(std::uint32_t core, Time ready);

  std::uint32_t cores_per_die_;
  std::uint32_t parallel_walks_;
  Duration walk_latency_;
  memory::Stage walk_stage_;
  std::uint64_t walks_ = 0;
  std::vector<Level> levels_;
  std::vector<engine::Lane> walkers_;  ///< die by die
};

/// The counters of all, added up: each translates for some of the cores.
void collect(std::span<const Translator* const> all, stats::Collector& collector);

}  // namespace strata::translation
