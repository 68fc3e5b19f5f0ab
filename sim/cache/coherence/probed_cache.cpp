// SPDX-License-Identifier: Apache-2.0
#include "cache/coherence/probed_cache.hpp"

#include "cache/requests/cache_requests.hpp"

namespace strata::cache {

Time ProbedCache::surrender(std::uint64_t block, memory::Transaction& data) {
  const CacheDesign& design = cache_.design_;
  const Time begun = cache_.lanes_.look_up(design, cache_.simulation_.now());
  data.block = data.virtual_block = block;
  data.operation = memory::Operation::writeback;
  data.wanted = data.fetched = cache_.invalidate(block);
  if (data.wanted == 0) return begun + design.tag_latency;
  if (cache_.keeps_values_) cache_.values_->write_back(&cache_, data);
  const std::uint32_t sectors = count(data.wanted);
  return cache_.reserve_data(cache_.lanes_.read_out(design, block, begun, sectors), design.occupancy[sectors].answer) +
         design.hit_latency;
}

bool ProbedCache::keep(const memory::Transaction& atomic) {
  return std::visit([&](auto& tags) { return keep_in(tags, atomic); }, cache_.tags_);
}

template <class Tags>
bool ProbedCache::keep_in(Tags& tags, const memory::Transaction& atomic) {
  const CacheDesign& design = cache_.design_;
  const LineNumber line = line_of<Tags>(design, atomic.block, atomic.wanted);
  const std::uint64_t set = cache_.index(line);
  if (tags.find(set, line) != no_way || cache_.mshrs_.find(line) != MshrTable::none || lacks_space(tags, set, line))
    return false;
  const auto room = tags.room(set, line);
  if (room.way == no_way) return false;
  Needs needs;
  cache_.add_leaving<Tags>(needs, room);
  if (cache_.lacking(needs) != stall_kinds) return false;
  const SectorMask sectors = in_line<Tags>(atomic.block, atomic.wanted);
  const Access done = tags.install(set, room, line, sectors, Kind::write_clean);
  if (cache_.keeps_values_) cache_.values_->keep_copy(&cache_, atomic, atomic.wanted);
  const std::uint32_t moved = count(atomic.wanted);
  cache_.lanes_.enter_bank(design, line, cache_.lanes_.fill(design, cache_.simulation_.now(), moved), moved);
  if (!done.evicted) return true;
  ++cache_.statistics_.evictions;
  cache_.report_eviction<Tags>(done);
  cache_.let_go<Tags>(set, done.victim, cache_.incomplete_.forget(done.victim.line));
  return true;
}

}  // namespace strata::cache
