// SPDX-License-Identifier: Apache-2.0
// What must agree at each level of a machine, and between a level and the next: conservation
// of requests and sectors, and Little's law (Little: A Proof for the Queuing Formula
// L = lambda W, 1961). At rest nothing is in flight and figures are equal; during a run, as at
// the ends of a timed window, they differ by the requests that the blocks hold at that instant.
#pragma once
#include <cstdint>

#include "base/time.hpp"
#include "cache/statistics/cache_statistics.hpp"
#include "compute/load_store/line_flow.hpp"
#include "machine/account/sector_flow.hpp"
#include "observe/balance.hpp"

namespace strata::machine {

/// When the figures were taken.
struct Instant {
  Time now{};
  bool at_rest = false;
  std::uint64_t in_flight = 0;  ///< messages of all levels
};

/// A core's lines, and those of its first-level caches.
struct CoreAccount {
  observe::Name name;
  const compute::LineFlow& flow;
  std::uint64_t looked_up = 0;   ///< by its first-level caches
  std::int64_t mshr_ticks = 0;   ///< of theirs
  bool lines_open_mshrs = true;  ///< and nothing else does: neither prefetches nor write-backs
};
void check(observe::Balance& balance, const CoreAccount& core, const Instant& instant);

struct CacheAccount {
  observe::Name name;
  cache::CacheStatistics counts;
  cache::InFlight held;
};
void check(observe::Balance& balance, const CacheAccount& cache, const Instant& instant);

/// Between the level named and what lies below.
void check(observe::Balance& balance, const observe::Name& below, const SectorFlow& flow, const Instant& instant);

/// The channels of a memory die.
struct DramAccount {
  observe::Name name;
  std::uint64_t arrived = 0;  ///< requests sent to the channels
  Arrivals::Bursts asked;     ///< bursts that hold their sectors
  std::uint64_t served = 0;   ///< requests
  std::uint64_t held = 0;     ///< by the controllers or on the way to them
  Arrivals::Bursts moved;
  double queued = 0;  ///< requests in the queues, integrated over ticks
  double places = 0;  ///< of these queues, times the ticks so far
};
void check(observe::Balance& balance, const DramAccount& dram, const Instant& instant);

}  // namespace strata::machine
