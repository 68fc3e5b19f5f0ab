// SPDX-License-Identifier: Apache-2.0
// The derived statistics and the lanes of a cache, by name.
#include <fmt/format.h>

#include "cache/cache.hpp"
#include "stats/collect_counters.hpp"

namespace strata::cache {

void Cache::collect(stats::Collector& collector) const {
  const CacheStatistics s = statistics();
  stats::collect_counters(collector, s);
  if (prefetching_ != nullptr) stats::collect_counters(collector, s.prefetches);
  collector.highest("MSHRs at most", "MSHRs", "most in use at once since the machine started", mshrs_.peak());

  const auto resource = [&](const std::string& name, const char* meaning, const LaneUse& use) {
    collector.resource(name, meaning, use.busy, use.served, use.ahead);
  };
  const Time now = simulation_.now();
  const auto of_lane = [now](const engine::Lane& lane) { return LaneUse{lane.busy(), lane.served(), lane.ahead(now)}; };
  resource("tags", "lookups",
           {design_.tag_occupancy * static_cast<std::int64_t>(s.requests), s.requests, lanes_.tags_ahead(now)});
  resource("data",
           design_.stores_apart ? "answers and write-backs at the array's width"
                                : "answers, stores and write-backs at the array's width",
           data_use());
  if (design_.stores_apart) resource("store port", "stores into the array", of_lane(store_lane_));
  lanes_.visit_banks(design_, [&](std::size_t bank, const engine::Lane& lane) {
    resource(fmt::format("bank {}", bank), "reads, stores, fills and write-backs in one bank of the array",
             of_lane(lane));
  });
  if (design_.spec.misses_per_clock) {
    const std::uint64_t fetches = counts_.total(&CacheCounts::BySectors::fetched);
    resource("miss port", "requests passed on",
             {design_.miss_occupancy * static_cast<std::int64_t>(fetches), fetches, lanes_.misses_ahead(now)});
  }
  LaneUse atomics = of_lane(atomic_lane_);
  if (design_.spec.fill_width) {
    const auto fill = [this](unsigned sectors) { return design_.occupancy[sectors].fill; };
    LaneUse fills{counts_.time(&CacheCounts::BySectors::filled, fill), counts_.total(&CacheCounts::BySectors::filled),
                  lanes_.fills_ahead(now)};
    if (design_.atomics_take_fill_port) {  // either is held up while the other is served
      fills.busy = atomics.busy = fills.busy + atomics.busy;
      atomics.ahead = fills.ahead;
    }
    resource("fill port", "fills into the array", fills);
  }
  if (design_.performs_atomics) resource("atomic unit", "atomics performed", atomics);
}

}  // namespace strata::cache
