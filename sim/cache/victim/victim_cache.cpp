// SPDX-License-Identifier: Apache-2.0
#include "cache/victim/victim_cache.hpp"

#include "stats/collect_counters.hpp"

#include <algorithm>

namespace strata::cache {

using config::range;

config::Schema<VictimCacheSpec> VictimCacheSpec::schema() {
  return config::Schema<VictimCacheSpec>("victim cache",
                                         "fully associative lines behind a first-level cache, filled by its evictions")
      .optional("lines", &VictimCacheSpec::lines, "its capacity in lines of the cache in front",
                range<std::uint64_t>(1, 4096))
      .required("hit_latency", &VictimCacheSpec::hit_latency,
                "from the miss of the cache in front to the data; its fill latency adds",
                range(Cycles{0}, Cycles{10000}))
      .optional("hits_per_clock", &VictimCacheSpec::hits_per_clock, "lines returned per clock", range(0.01, 64.0));
}

VictimCache::VictimCache(engine::Simulation& simulation, memory::StageNames& stages, const VictimCacheSpec& spec,
                         engine::Clock clock)
    : simulation_(simulation),
      most_(spec.lines),
      hit_latency_(clock.cycles(spec.hit_latency.value)),
      occupancy_(clock.cycles(1.0 / spec.hits_per_clock)),
      stage_(stages.add("victim cache")) {}

void VictimCache::take(memory::Transaction& transaction, Time ready) {
  const bool load =
      transaction.operation == memory::Operation::load && transaction.cache_operator == memory::CacheOperator::ca;
  counters_.lookups += load ? 1 : 0;
  const memory::SectorMask sectors = load ? transaction.fetched : transaction.wanted;
  if (!touch(transaction.block, sectors, load)) return downstream_.take(transaction, ready);
  ++counters_.hits;
  sectors_returned_ += memory::sector_count(sectors);
  const Time data = port_.reserve(ready, occupancy_) + hit_latency_;
  transaction.mark(stage_, data);
  transaction.release();  // it leaves the input of the cache in front, as if it were forwarded
  transaction.answer(simulation_, data);
}

bool VictimCache::touch(std::uint64_t block, memory::SectorMask sectors, bool load) {
  const auto overlaps = [&](const Line& line) { return line.block == block && (line.valid & sectors) != 0; };
  const auto found = std::find_if(lines_.begin(), lines_.end(), overlaps);
  bool served = false;
  if (found != lines_.end()) {
    // If sectors are missing, the cache in front fetches all of them from the next level.
    served = load && (sectors & ~found->valid) == 0;
    counters_.invalidations += served ? 0 : 1;
    lines_.erase(found);
  }
  if (lines_.size() > most_) lines_.pop_front();
  return served;
}

void VictimCache::evicted(std::uint64_t block, memory::SectorMask valid) {
  if (valid == 0) return;
  if (lines_.size() > most_) lines_.pop_front();
  lines_.push_back({block, valid});
  ++counters_.fills;
}

void VictimCache::collect(stats::Collector& collector) const { stats::collect_counters(collector, counters_); }

}  // namespace strata::cache
