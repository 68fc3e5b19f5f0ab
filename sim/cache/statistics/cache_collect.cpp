// SPDX-License-Identifier: Apache-2.0
// The counters and lanes of a cache under their names.
#include <fmt/format.h>

#include "cache/cache.hpp"

namespace strata::cache {

void Cache::collect(stats::Collector& collector) const {
  const CacheStatistics s = statistics();
  const auto count = [&](const char* name, const char* unit, const char* meaning, std::uint64_t value) {
    collector.count(name, unit, meaning, value);
  };
  count("requests", "requests", "looked up", s.requests);
  count("hits", "requests", "loads and atomics performed here that found all sectors", s.hits);
  count("misses", "requests", "loads and atomics performed here that sent a request down", s.misses);
  count("merges", "requests", "loads and atomics that joined a fetch under way", s.merges);
  count("bypasses", "requests", "loads that bypassed the cache", s.bypasses);
  count("stores", "requests", "stores and write-backs from above", s.stores);
  count("stores forwarded", "requests", "stores passed on to the next level", s.stores_forwarded);
  count("atomics forwarded", "requests", "atomics passed on to the next level", s.atomics_forwarded);
  count("atomics performed", "requests", "atomics performed here", s.atomics_performed);
  count("atomic passes", "turns", "turns of the atomic unit that these took", s.atomic_passes);
  count("answers", "requests", "requests answered here", s.answers);

  count("sectors read", "sectors", "asked for by loads and atomics performed here", s.sectors_read);
  count("sector hits", "sectors", "of these, valid or on their way at lookup", s.sector_hits);
  count("sectors bypassed", "sectors", "asked for by loads that bypassed the cache", s.sectors_bypassed);
  count("sectors fetched", "sectors", "requested from the next level", s.sectors_fetched);
  count("sectors filled", "sectors", "received from the next level", s.sectors_filled);
  count("sectors stored", "sectors", "of stores and write-backs from above", s.sectors_stored);
  count("store hits", "sectors", "of these, kept until written back, or valid before", s.store_hits);
  count("sectors masked", "sectors", "of these, written in part where they were not valid", s.sectors_masked);
  count("sectors completed", "sectors", "fetched because they were written in part", s.sectors_completed);
  count("lines cleaned", "lines", "dirty and incomplete, written back for one too many of them", s.lines_cleaned);
  count("lines flushed", "lines", "dirty, written back at the end of a kernel", s.lines_flushed);
  count("sectors forwarded", "sectors", "of stores passed on to the next level", s.sectors_forwarded);
  count("sectors atomic", "sectors", "of atomics passed on to the next level", s.sectors_atomic);
  count("bytes read", "bytes", "returned in answers", s.bytes_read);
  count("bytes written", "bytes", "stored into the array", s.bytes_written);

  count("evictions", "lines", "replaced", s.evictions);
  count("write-backs", "lines", "with dirty sectors, sent to the next level", s.writebacks);
  count("bytes written back", "bytes", "sent to the next level on eviction", s.bytes_written_back);

  if (prefetching_ != nullptr) {
    count("prefetches", "lines", "requested from the next level by the prefetcher", s.prefetches);
    count("prefetches used", "lines", "of these, loaded while they were here or on their way", s.prefetches_used);
    count("prefetches dropped", "lines",
          "not requested: no free MSHR, no clean line to evict, or a line that another die holds",
          s.prefetches_dropped);
  }

  count("stalls (MSHR full)", "requests", "that stopped the input because every MSHR was in use", s.stalls_mshr_full);
  count("stalls (ways pending)", "requests", "that stopped the input because every way of their set was being fetched",
        s.stalls_ways_pending);
  count("stalls (merge list full)", "requests", "that stopped the input because the merge list of their MSHR was full",
        s.stalls_merges_full);
  count("stalls (write-back buffer full)", "requests", "that stopped the input because the write-back buffer was full",
        s.stalls_writeback_full);
  count("stalls (being completed)", "requests",
        "stores that stopped the input until the missing sectors of their line arrived", s.stalls_being_completed);

  count("MSHR time", "ticks", "in use, summed over the MSHRs: divided by the time, their mean", s.mshr_ticks);
  collector.highest("MSHRs at most", "MSHRs", "most in use at once since the machine started", mshrs_.peak());

  const auto resource = [&](const std::string& name, const char* meaning, const LaneUse& use) {
    collector.resource(name, meaning, use.busy, use.served, use.ahead);
  };
  const Time now = simulation_.now();
  const auto of_lane = [now](const engine::Lane& lane) { return LaneUse{lane.busy(), lane.served(), lane.ahead(now)}; };
  resource("tags", "lookups",
           {design_.tag_occupancy * static_cast<std::int64_t>(s.requests), s.requests, lanes_.tags_ahead(now)});
  resource("data", "answers, stores and write-backs at the array's width", data_use());
  lanes_.visit_banks(design_, [&](std::size_t bank, const engine::Lane& lane) {
    resource(fmt::format("bank {}", bank), "reads, stores, fills and write-backs in one bank of the array",
             of_lane(lane));
  });
  if (design_.spec.misses_per_clock) {
    const std::uint64_t fetches = counts_.total(&CacheCounts::BySectors::fetched);
    resource("miss port", "requests passed on",
             {design_.miss_occupancy * static_cast<std::int64_t>(fetches), fetches, lanes_.misses_ahead(now)});
  }
  if (design_.spec.fill_width) {
    const auto fill = [this](unsigned sectors) { return design_.occupancy[sectors].fill; };
    resource("fill port", "data from below into the array",
             {counts_.time(&CacheCounts::BySectors::filled, fill), counts_.total(&CacheCounts::BySectors::filled),
              lanes_.fills_ahead(now)});
  }
  if (design_.performs_atomics) resource("atomic unit", "atomics performed", of_lane(atomic_lane_));
}

}  // namespace strata::cache
