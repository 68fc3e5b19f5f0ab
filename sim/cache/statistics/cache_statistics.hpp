// SPDX-License-Identifier: Apache-2.0
// What a cache counts. Every request is exactly one of hit, miss, merge,
// bypass, store or forwarded atomic.
#pragma once
#include <cstdint>

#include "cache/statistics/stall.hpp"
#include "memory/transaction.hpp"
#include "stats/counter.hpp"

namespace strata::cache {

/// Of a cache with a prefetcher.
struct PrefetchStatistics {
  stats::Counter<"prefetches", "lines", "requested from the next level by the prefetcher"> sent;
  stats::Counter<"prefetches used", "lines", "of these, loaded while present or being fetched"> used;
  stats::Counter<"prefetches dropped", "lines",
                 "not requested: no free MSHR, no clean line to evict, or a line that another die holds">
      dropped;
};

struct CacheStatistics {
  stats::Counter<"requests", "requests", "looked up"> requests;
  stats::Counter<"hits", "requests", "loads and atomics performed here that found all sectors"> hits;
  stats::Counter<"misses", "requests", "loads and atomics performed here that sent a request to the next level"> misses;
  stats::Counter<"merges", "requests", "loads and atomics that joined a pending fetch"> merges;
  stats::Counter<"bypasses", "requests", "loads that bypassed the cache"> bypasses;
  stats::Counter<"stores", "requests", "stores and write-backs from above"> stores;
  stats::Counter<"stores forwarded", "requests", "stores passed on to the next level"> stores_forwarded;
  stats::Counter<"atomics forwarded", "requests", "atomics passed on to the next level"> atomics_forwarded;
  stats::Counter<"atomics performed", "requests", "atomics performed here: each is a hit, a miss or a merge as well">
      atomics_performed;
  stats::Counter<"atomic passes", "turns", "passes of the atomics unit for these"> atomic_passes;
  stats::Counter<"answers", "requests", "requests answered here"> answers;

  stats::Counter<"sectors read", "sectors", "asked for by loads and atomics performed here"> sectors_read;
  stats::Counter<"sector hits", "sectors", "of these, valid or being fetched at lookup"> sector_hits;
  stats::Counter<"sectors bypassed", "sectors", "asked for by loads that bypassed the cache"> sectors_bypassed;
  stats::Counter<"sectors fetched", "sectors", "requested from the next level"> sectors_fetched;
  stats::Counter<"sectors filled", "sectors", "received from the next level"> sectors_filled;
  stats::Counter<"sectors stored", "sectors", "of stores and write-backs from above"> sectors_stored;
  stats::Counter<"store hits", "sectors", "of these, kept until written back, or valid before"> store_hits;
  stats::Counter<"sectors masked", "sectors", "of these, written in part where they were not valid"> sectors_masked;
  stats::Counter<"sectors completed", "sectors", "fetched because they were written in part"> sectors_completed;
  stats::Counter<"lines cleaned", "lines", "dirty and incomplete, written back because their number exceeded its bound">
      lines_cleaned;
  stats::Counter<"lines flushed", "lines", "dirty, written back at the end of a kernel"> lines_flushed;
  stats::Counter<"sectors forwarded", "sectors", "of stores passed on to the next level"> sectors_forwarded;
  stats::Counter<"sectors atomic", "sectors", "of atomics passed on to the next level"> sectors_atomic;
  stats::Counter<"bytes read", "bytes", "returned in answers"> bytes_read;
  stats::Counter<"bytes written", "bytes", "stored into the array"> bytes_written;

  stats::Counter<"evictions", "lines", "replaced"> evictions;
  stats::Counter<"write-backs", "lines", "with dirty sectors, sent to the next level"> writebacks;
  stats::Counter<"bytes written back", "bytes", "sent to the next level on eviction"> bytes_written_back;

  stats::Counter<"stalls (MSHR full)", "requests", "that stopped the input because every MSHR was in use">
      stalls_mshr_full;
  stats::Counter<"stalls (ways pending)", "requests",
                 "that stopped the input because every way of their set was being fetched">
      stalls_ways_pending;
  stats::Counter<"stalls (merge list full)", "requests",
                 "that stopped the input because the merge list of their MSHR was full">
      stalls_merges_full;
  stats::Counter<"stalls (write-back buffer full)", "requests",
                 "that stopped the input because the write-back buffer was full">
      stalls_writeback_full;
  stats::Counter<"stalls (being completed)", "requests",
                 "stores that stopped the input until the missing sectors of their line arrived">
      stalls_being_completed;

  stats::Counter<"MSHR time", "ticks", "in use, summed over the MSHRs: divided by the time, their mean"> mshr_ticks;

  PrefetchStatistics prefetches;
  std::uint64_t fetches = 0;     ///< requests for the sectors fetched
  std::uint64_t data_apart = 0;  ///< turns of the data array that are not answers to reads
  Time flushed{};                ///< when the last write-back of a flush was answered

  std::uint64_t sector_misses() const { return sectors_read - sector_hits; }
  // Traffic between levels: what all caches and memories below were asked for
  // is what all above them asked.
  std::uint64_t sectors_read_here() const { return sectors_read + sectors_bypassed + sectors_atomic; }
  std::uint64_t requests_below() const { return fetches + stores_forwarded + atomics_forwarded + writebacks; }
  std::uint64_t sectors_read_below() const { return sectors_fetched + sectors_atomic; }
  std::uint64_t sectors_stored_below() const { return sectors_forwarded + bytes_written_back / memory::sector_bytes; }
  void count_stall(Stall cause) {
    switch (cause) {
      case Stall::mshr_full:
        ++stalls_mshr_full;
        return;
      case Stall::ways_pending:
        ++stalls_ways_pending;
        return;
      case Stall::merges_full:
        ++stalls_merges_full;
        return;
      case Stall::writeback_full:
        ++stalls_writeback_full;
        return;
      case Stall::being_completed:
        ++stalls_being_completed;
        return;
      case Stall::stall_kinds:
        return;
    }
  }
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
