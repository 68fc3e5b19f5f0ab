// SPDX-License-Identifier: Apache-2.0
// Loads of a cache with a prefetcher: the member templates of Cache that serve one and
// send what it makes the prefetcher ask for.
#pragma once
#include "cache/requests/cache_compressed.hpp"

namespace strata::cache {

template <class Tags>
bool Cache::read_and_prefetch(Tags& tags, Transaction& transaction) {
  // The answer may be on its way, and the transaction another's, when read() returns.
  const PrefetchOrigin origin = PrefetchOrigin::of(transaction);
  const LineNumber line = line_of<Tags>(design_, transaction.block, sectors_of(transaction));
  if (!read(tags, transaction)) return false;
  const bool missed = counts_.last() == CacheCounts::miss || counts_.last() == CacheCounts::evicting_miss;
  const auto fetch_line = [&](LineNumber wanted) {
    if (!prefetching_->routed()) return prefetch(tags, origin, wanted);
    if (!same_region(origin, wanted)) return;
    if (!prefetching_->route(wanted, origin)) ++statistics_.prefetches.dropped;
  };
  const bool used = prefetching_->load(line, origin.warp_of_machine(), missed, fetch_line);
  statistics_.prefetches.used += used ? 1 : 0;
  return true;
}

/// Physical and virtual addresses are known to go together within 4 KiB alone.
inline bool Cache::same_region(const PrefetchOrigin& origin, LineNumber line) const {
  constexpr std::uint64_t blocks_of_a_region = 4096 / memory::block_bytes;
  return design_.block_of(line) / blocks_of_a_region == origin.block / blocks_of_a_region;
}

/// Sends a request for a whole line, unless that would be in the way of a demand. It takes no
/// turn of the tags: real ones look up in turns that are idle.
template <class Tags>
void Cache::prefetch(Tags& tags, const PrefetchOrigin& origin, LineNumber line) {
  if (!same_region(origin, line)) return;
  const std::uint64_t block = design_.block_of(line);
  const std::uint64_t set = index(line);
  if (tags.find(set, line) != no_way || mshrs_.find(line) != MshrTable::none) return;
  // Demands keep half of the MSHRs.
  const auto room = tags.room(set, line);
  if (lacks_space(tags, set, line) || 2 * (mshrs_.open() + 1) > mshrs_.count() || room.way == no_way ||
      LineWord::dirty(room.leaving) != 0 || incomplete_.any()) {
    ++statistics_.prefetches.dropped;
    return;
  }
  ++statistics_.prefetches.sent;
  if (keeps_values_) values_->allocate(this, block, design_.all_of(line));
  const Access done = tags.install(set, room, line, 0, Kind::read);
  statistics_.evictions += done.evicted ? 1 : 0;
  report_eviction<Tags>(done);
  tags.hold(set, done.way);
  const SectorMask sectors = design_.all_of(line);
  const Time begun = simulation_.now();
  const std::uint32_t register_index = mshrs_.take(line, set, begun, 0, true, false);
  Transaction& request = prefetching_->begin(line);
  request.block = block;
  request.virtual_block = block + origin.to_virtual;
  request.wanted = request.fetched = sectors;
  request.operation = memory::Operation::load;
  request.cache_operator = memory::CacheOperator::ca;
  request.core = origin.core;
  request.warp = origin.warp;
  request.requester_die = origin.die;
  request.home_die = home_die_.value_or(Transaction::unknown_home);
  request.issued = begun;
  fetch<Tags>(request, begun, register_index, sectors, true);
}

}  // namespace strata::cache
