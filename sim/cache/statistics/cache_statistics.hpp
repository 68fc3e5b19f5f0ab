// SPDX-License-Identifier: Apache-2.0
// What a cache counts. Every request is exactly one of hit, miss, merge,
// bypass, store or forwarded atomic.
#pragma once
#include <cstdint>

#include "memory/transaction.hpp"

namespace strata::cache {

struct CacheStatistics {
  std::uint64_t requests = 0;
  std::uint64_t hits = 0;             ///< reads (loads and atomics performed here), all sectors there
  std::uint64_t misses = 0;           ///< reads that sent a request down
  std::uint64_t sectors_read = 0;     ///< asked for by reads
  std::uint64_t sector_hits = 0;      ///< of these, valid or on their way at lookup
  std::uint64_t sectors_fetched = 0;  ///< asked from the next level
  std::uint64_t fetches = 0;          ///< requests for these
  std::uint64_t evictions = 0;
  std::uint64_t merges = 0;  ///< reads that joined a fetch under way

  std::uint64_t answers = 0;         ///< requests answered here
  std::uint64_t data_apart = 0;      ///< turns of the data array that are not answers to reads
  std::uint64_t bytes_read = 0;      ///< given in answers
  std::uint64_t sectors_filled = 0;  ///< come back from the next level
  std::uint64_t mshr_ticks = 0;      ///< sum over the MSHRs of the time in use

  std::uint64_t bypasses = 0;          ///< loads that bypassed the cache
  std::uint64_t stores = 0;            ///< stores and write-backs from above
  std::uint64_t stores_forwarded = 0;  ///< of these, passed on to the next level
  std::uint64_t atomics_forwarded = 0;
  std::uint64_t atomics_performed = 0;  ///< also counted as hit, miss or merge
  std::uint64_t atomic_passes = 0;      ///< turns of the unit that these took

  std::uint64_t sectors_bypassed = 0;   ///< asked for by loads that bypassed the cache
  std::uint64_t sectors_stored = 0;     ///< of stores and write-backs from above
  std::uint64_t sectors_forwarded = 0;  ///< of these, passed on to the next level
  /// Of those stored: kept until written back, or valid before; and of atomics that a
  /// write-back cache passes on.
  std::uint64_t store_hits = 0;
  std::uint64_t sectors_masked = 0;     ///< of those stored: in part, where they were not valid
  std::uint64_t sectors_completed = 0;  ///< of those fetched: written in part before
  std::uint64_t lines_cleaned = 0;      ///< incomplete ones, for one too many
  std::uint64_t lines_flushed = 0;      ///< dirty ones, at the end of a kernel
  std::uint64_t sectors_atomic = 0;     ///< of atomics passed on to the next level
  std::uint64_t bytes_written = 0;      ///< stored into the array
  std::uint64_t writebacks = 0;
  std::uint64_t bytes_written_back = 0;

  std::uint64_t prefetches = 0;          ///< lines that the prefetcher requested
  std::uint64_t prefetches_used = 0;     ///< of these, asked for by a load while they were here or on their way
  std::uint64_t prefetches_dropped = 0;  ///< no free MSHR, or no line that may be evicted

  std::uint64_t stalls_mshr_full = 0;  ///< requests that stopped the input, by cause
  std::uint64_t stalls_ways_pending = 0;
  std::uint64_t stalls_merges_full = 0;
  std::uint64_t stalls_writeback_full = 0;
  std::uint64_t stalls_being_completed = 0;

  Time flushed{};  ///< when the last write-back of a flush was answered

  std::uint64_t sector_misses() const { return sectors_read - sector_hits; }
  // Traffic between levels: what all caches and memories below were asked for
  // is what all above them asked.
  std::uint64_t sectors_read_here() const { return sectors_read + sectors_bypassed + sectors_atomic; }
  std::uint64_t requests_below() const { return fetches + stores_forwarded + atomics_forwarded + writebacks; }
  std::uint64_t sectors_read_below() const { return sectors_fetched + sectors_atomic; }
  std::uint64_t sectors_stored_below() const { return sectors_forwarded + bytes_written_back / memory::sector_bytes; }
  std::uint64_t stalls() const {
    return stalls_mshr_full + stalls_ways_pending + stalls_merges_full + stalls_writeback_full + stalls_being_completed;
  }
};

/// What a cache holds at an instant.
struct InFlight {
  std::uint64_t waiting = 0;      ///< requests not yet looked up
  std::uint64_t requests = 0;     ///< looked up, that wait for a fetch
  std::uint64_t sectors = 0;      ///< fetched, on their way from the next level
  std::uint64_t write_backs = 0;  ///< and completions, on their way
  std::uint64_t own = 0;          ///< these, and prefetches on their way
  std::uint64_t mshrs = 0;        ///< in use
  std::uint64_t mshrs_peak = 0;

  /// Nothing waits, nothing is on its way, and every request was answered or passed on.
  bool drained(const CacheStatistics& all) const {
    return waiting + requests + own + mshrs == 0 &&
           all.requests == all.answers + all.stores_forwarded + all.atomics_forwarded &&
           all.sectors_fetched == all.sectors_filled;
  }
};

}  // namespace strata::cache
