// SPDX-License-Identifier: Apache-2.0
// What stores do to the tags, and how a line goes that they left dirty: member
// templates of Cache as those of cache_requests.hpp, which includes them.
#pragma once
#include "cache/cache.hpp"

namespace strata::cache {

inline Cache::Stall Cache::held_up(const Room& room, std::uint32_t mshrs) const {
  if (masked_ && masked_->size() != 0 && !LineWord::empty(room.leaving) &&
      masked_->holds(LineWord::line(room.leaving)))
    return mshrs_.count() - mshrs_.open() > mshrs ? stall_kinds : mshr_full;
  const bool dirty = LineWord::dirty(room.leaving) != 0;
  return dirty && writebacks_.alive() == spec_.writeback_buffer ? writeback_full : stall_kinds;
}

inline void Cache::let_go(std::uint64_t set, Victim victim, SectorMask masked) {
  if (masked != 0) {
    complete(victim.line, set, masked, victim.dirty);
  } else if (victim.dirty != 0) {
    send_back(victim);
  }
}

/// Room for the words of one line more. Who asks for its sectors finds them here.
template <class Tags>
void Cache::complete_oldest(Tags& tags) {
  const LineNumber oldest = masked_->oldest();
  const std::uint64_t set = index(oldest);
  const SectorMask masked = masked_->forget(oldest, memory::all_sectors);
  tags.fill(set, tags.find(set, oldest), masked, 0);
  complete(oldest, set, masked, 0);
}

/// A store or a write-back from above that ends here.
template <class Tags>
bool Cache::store_here(Tags& tags, Transaction& transaction) {
  const SectorMask sectors = transaction.wanted;
  const LineNumber line = line_of(transaction.block, sectors);
  const std::uint64_t set = set_of(transaction, line);
  std::uint32_t way = tags.find(set, line);
  const SectorMask valid = way == no_way ? SectorMask{0} : LineWord::valid(tags.word(set, way));
  const SectorMask masked =
      masked_ ? without(sectors, joined(transaction.covered(), valid)) : SectorMask{0};
  const SectorMask whole = without(sectors, masked);
  const bool one_more = masked != 0 && masked_->full() && !masked_->holds(line);
  Victim victim;
  SectorMask victim_masked = 0;
  if (way == no_way) {
    const auto room = tags.room(set);
    if (room.way == no_way) return stall(ways_pending, room.set_alone ? set : any_set);
    if (const Stall by = held_up(room, one_more ? 1 : 0); by != stall_kinds) return stall(by, set);
    if (one_more && mshrs_.full()) return stall(mshr_full, set);
    const Access done = tags.install(set, room, line, whole, Kind::write_dirty);
    statistics_.evictions += done.evicted ? 1 : 0;
    way = done.way;
    if (done.evicted) {
      victim = done.victim;
      victim_masked = forget_masked(victim);
    }
  } else {
    if (one_more && mshrs_.full()) return stall(mshr_full, set);
    if (LineWord::pending(tags.word(set, way))) {
      Mshr& mshr = mshrs_[mshrs_.find(line)];
      mshr.have = joined(mshr.have, whole);
    }
    way = tags.use(set, way, whole, Kind::write_dirty).way;
  }
  if (whole != 0) forget_masked(line, whole);
  if (masked != 0) {
    if (one_more && masked_->full()) complete_oldest(tags);
    const SectorMask completed = masked_->write(line, masked, transaction.words);
    tags.fill(set, way, 0, completed);
  }
  const Time begun = start(transaction);
  ++statistics_.stores;
  statistics_.sectors_stored += count(sectors);
  statistics_.sectors_masked += count(masked);
  statistics_.store_hits += count(sectors);
  answer_store(transaction, begun, line);
  let_go(set, victim, victim_masked);
  return true;
}

/// What keeps the copy that a store passed on would leave here from coming about:
/// what is dirty and would go for it cannot. That line's home is here, so what it
/// waits for is this die's memory alone.
template <class Tags>
Cache::Stall Cache::copy_must_wait(const Tags& tags, std::uint64_t set, LineNumber line,
                                   Kind kind) const {
  if (!writes_back_ || kind == Kind::write_present || tags.find(set, line) != no_way)
    return stall_kinds;
  return held_up(tags.room(set), 0);
}

/// A store that goes on; a copy here takes the sectors that it covers whole, and
/// changes those that are valid.
template <class Tags>
bool Cache::store_through(Tags& tags, Transaction& transaction) {
  const LineNumber line = line_of(transaction.block, transaction.wanted);
  const std::uint64_t set = set_of(transaction, line);
  const SectorMask covered = sector_groups_.covered(transaction.covered());
  const Kind kind = covered == 0 ? Kind::write_present : through_kind();
  if (const Stall by = copy_must_wait(tags, set, line, kind); by != stall_kinds)
    return stall(by, set);
  const Time begun = start(transaction);
  ++statistics_.stores;
  ++statistics_.stores_forwarded;
  statistics_.sectors_stored += count(transaction.wanted);
  statistics_.sectors_forwarded += count(transaction.wanted);
  if (writes_back_) statistics_.store_hits += count(transaction.wanted);
  const Access done = tags.access(set, line, covered, kind);
  if (done.way != no_way) {
    if (!writes_back_) statistics_.store_hits += count(done.hit);
    statistics_.evictions += done.evicted ? 1 : 0;
    if (done.evicted) let_go(set, done.victim, forget_masked(done.victim));
    statistics_.bytes_written += bytes(transaction.wanted);
    const std::uint32_t sectors = count(transaction.wanted);
    data_lane_.reserve(read_out(line, begun, sectors), occupancy_[sectors].write);
    if (LineWord::pending(tags.word(set, done.way))) {
      Mshr& mshr = mshrs_[mshrs_.find(line)];
      mshr.have = joined(mshr.have, covered);
    }
  }
  transaction.fetched = transaction.wanted;
  downstream_.take(transaction, begun + tag_latency_);
  return true;
}

}  // namespace strata::cache
