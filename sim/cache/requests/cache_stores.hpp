// SPDX-License-Identifier: Apache-2.0
// What stores do to the tags, and how a dirty line is written back: member
// templates of Cache as those of cache_requests.hpp, which includes them.
#pragma once
#include "cache/requests/cache_compressed.hpp"

namespace strata::cache {

template <class Tags>
inline void Cache::add_leaving(Needs& needs, const Room& room) const {
  if (LineWord::empty(room.leaving)) return;
  needs.add(design_.writes_back ? incomplete_.masked(LineWord::line(room.leaving)) : SectorMask{0},
            LineWord::dirty(room.leaving), blocks_in<Tags>(LineWord::dirty(room.leaving)));
}

inline Stall Cache::lacking(const Needs& needs) const {
  if (mshrs_.open() + needs.mshrs > mshrs_.count()) return mshr_full;
  return writebacks_.alive() + needs.places > design_.spec.writeback_buffer ? writeback_full : stall_kinds;
}

template <class Tags>
inline void Cache::let_go(std::uint64_t set, Victim victim, SectorMask masked) {
  if (masked != 0 && design_.writes_back) {
    complete(victim.line, set, masked, victim.dirty);
  } else if (victim.dirty != 0) {
    each_block<Tags>(design_, victim.line, victim.dirty,
                     [&](std::uint64_t block, SectorMask dirty) { send_back(block, victim.line, dirty); });
  }
}

/// The dirty sectors of a line are written back and stay here, clean. A request for the
/// missing words of its masked sectors finds them valid.
template <class Tags>
void Cache::clean(Tags& tags, LineNumber line) {
  const std::uint64_t set = index(line);
  const std::uint32_t way = tags.find(set, line);
  const SectorMask masked = incomplete_.forget(line);
  const SectorMask dirty = LineWord::dirty(tags.word(set, way));
  make_valid(tags, set, way, line, masked, 0);
  tags.clean(set, way);
  let_go<Tags>(set, {line, dirty}, masked);
}

/// A load has a fetch of the line under way, which may complete it.
template <class Tags>
bool Cache::fetched_now(const Tags& tags, LineNumber line) const {
  const std::uint64_t set = index(line);
  return LineWord::pending(tags.word(set, tags.find(set, line)));
}

/// A store or a write-back from above that ends here.
template <class Tags>
bool Cache::store_here(Tags& tags, Transaction& transaction) {
  const SectorMask sectors = transaction.wanted;
  const LineNumber line = line_of<Tags>(design_, transaction.block, sectors);
  const std::uint64_t set = set_of(transaction, line);
  if (completions_.under_way(transaction.block)) return stall(being_completed, set);
  std::uint32_t way = tags.find(set, line);
  const SectorMask valid = way == no_way ? SectorMask{0} : LineWord::valid(tags.word(set, way));
  const SectorMask masked =
      design_.keeps_masks ? without(sectors, joined(transaction.covered(), valid)) : SectorMask{0};
  const SectorMask whole = in_line<Tags>(transaction.block, without(sectors, masked));
  const bool incomplete = design_.keeps_masks && joined(valid, whole) != memory::all_sectors;

  // What must be cleaned so that this line may be dirty.
  Needs needs;
  std::optional<LineNumber> to_clean;
  const auto make_room_for_dirt = [&](std::uint32_t leaving) {
    if (!design_.spec.dirty_ways || (way != no_way && LineWord::dirty(tags.word(set, way)) != 0)) return;
    const auto most = static_cast<std::uint32_t>(*design_.spec.dirty_ways);
    const std::uint32_t oldest = tags.oldest_dirty(set, most, leaving);
    if (oldest == no_way) return;
    to_clean = LineWord::line(tags.word(set, oldest));
    needs.add(incomplete_.masked(*to_clean), memory::all_sectors, blocks_in<Tags>(memory::all_sectors));
  };
  if (incomplete)
    if (const LineNumber* const other = incomplete_.one_too_many(line, masked != 0)) {
      if (fetched_now(tags, *other)) return stall(being_completed, set);
      needs.add(incomplete_.masked(*other), memory::all_sectors);
    }
  Victim victim;
  SectorMask victim_masked = 0;
  if (way == no_way) {
    if (const Stall by = make_space(tags, set, line, {}); by != stall_kinds) return stall(by, set);
    const auto room = tags.room(set, line);
    if (room.way == no_way) return stall(ways_pending, room.set_alone ? set : StalledHeads::any_set);
    add_leaving<Tags>(needs, room);
    make_room_for_dirt(room.leaving_way(set));
    if (const Stall by = lacking(needs); by != stall_kinds) return stall(by, set);
    const Access done = tags.install(set, room, line, whole, Kind::write_dirty);
    statistics_.evictions += done.evicted ? 1 : 0;
    report_eviction<Tags>(done);
    way = done.way;
    victim = done.victim;
    if (done.evicted) victim_masked = incomplete_.forget(victim.line);
  } else {
    make_room_for_dirt(no_way);
    if (const Stall by = lacking(needs); by != stall_kinds) return stall(by, set);
    if (LineWord::pending(tags.word(set, way))) {
      Mshr& mshr = mshrs_[mshrs_.find(line)];
      mshr.have = joined(mshr.have, whole);
    }
    way = tags.use(set, way, whole, Kind::write_dirty).way;
  }
  if (to_clean) {
    ++statistics_.lines_cleaned;
    clean(tags, *to_clean);
  }
  if (incomplete) {
    if (const LineNumber* const other = incomplete_.one_too_many(line, masked != 0)) {
      ++statistics_.lines_cleaned;
      clean(tags, *other);
    }
    incomplete_.validate(line, whole);
    make_valid(tags, set, way, line, 0, incomplete_.keep(line, masked, transaction.words));
  }
  incomplete_.forget_if_complete(line, LineWord::valid(tags.word(set, way)));
  if (keeps_values_) value_of_store(transaction, line);
  const Time begun = start(transaction);
  ++statistics_.stores;
  statistics_.sectors_stored += count(sectors);
  statistics_.sectors_masked += count(masked);
  statistics_.store_hits += count(sectors);
  answer_store(transaction, begun, line);
  let_go<Tags>(set, victim, victim_masked);
  return true;
}

/// What keeps the copy that a store passed on would leave here from coming about:
/// what is dirty and would go for it cannot. That line's home is here, so it goes as soon
/// as this die's memory has answered; where it needs an MSHR it waits like other far
/// requests for one that these may take.
template <class Tags>
Stall Cache::copy_must_wait(const Tags& tags, std::uint64_t set, LineNumber line, Kind kind) const {
  if (!design_.writes_back || kind == Kind::write_present || tags.find(set, line) != no_way) return stall_kinds;
  Needs needs;
  add_leaving<Tags>(needs, tags.room(set, line));
  return lacking(needs);
}

/// A forwarded store; a copy here takes the sectors that it covers whole, and updates those
/// that are valid.
template <class Tags>
bool Cache::store_through(Tags& tags, Transaction& transaction) {
  const LineNumber line = line_of<Tags>(design_, transaction.block, transaction.wanted);
  const std::uint64_t set = set_of(transaction, line);
  const SectorMask covered = design_.sector_groups.covered(transaction.covered());
  const bool keeps_words = design_.keeps_masks && !design_.writes_back;
  const Kind kind = covered == 0 && !keeps_words ? Kind::write_present : through_kind();
  if (lacks_space(tags, set, line) && kind != Kind::write_present && tags.find(set, line) == no_way)
    if (const Stall by = make_space(tags, set, line, {}); by != stall_kinds) return stall(by, set);
  if (const Stall by = copy_must_wait(tags, set, line, kind); by != stall_kinds) return stall(by, set);
  const Time begun = start(transaction);
  ++statistics_.stores;
  ++statistics_.stores_forwarded;
  statistics_.sectors_stored += count(transaction.wanted);
  statistics_.sectors_forwarded += count(transaction.wanted);
  const std::uint32_t before = tags.find(set, line);
  const SectorMask there = design_.writes_back ? transaction.wanted
                           : before == no_way
                               ? SectorMask{0}
                               : in_block<Tags>(transaction.block, LineWord::valid(tags.word(set, before)));
  const SectorMask replaced = in_line<Tags>(transaction.block, covered);
  const Access done = tags.access(set, line, replaced, kind);
  if (done.evicted) let_go<Tags>(set, done.victim, incomplete_.forget(done.victim.line));
  statistics_.evictions += done.evicted ? 1 : 0;
  report_eviction<Tags>(done);
  SectorMask masked = 0;
  if (done.way != no_way && keeps_words)
    masked = keep_words(tags, transaction, set, done.way, covered, without(transaction.wanted, joined(covered, there)));
  statistics_.store_hits += count(common(transaction.wanted, joined(there, masked)));
  if (done.way != no_way) {
    if (keeps_values_) value_of_store(transaction, line);
    statistics_.bytes_written += bytes(transaction.wanted);
    const std::uint32_t sectors = count(transaction.wanted);
    reserve_store(lanes_.read_out(design_, line, begun, sectors), sectors);
    if (LineWord::pending(tags.word(set, done.way))) {
      Mshr& mshr = mshrs_[mshrs_.find(line)];
      mshr.have = joined(mshr.have, replaced);
    }
  }
  transaction.fetched = transaction.wanted;
  downstream_.take(transaction, begun + design_.tag_latency);
  return true;
}

/// The words of sectors that are not valid stay beside the copy. Returns the sectors of
/// which there were words already.
template <class Tags>
SectorMask Cache::keep_words(Tags& tags, const Transaction& transaction, std::uint64_t set, std::uint32_t way,
                             SectorMask covered, SectorMask fresh) {
  const LineNumber line = line_of<Tags>(design_, transaction.block, transaction.wanted);
  if (!incomplete_.any() && fresh == 0) return 0;
  const SectorMask were = incomplete_.masked(line);
  incomplete_.validate(line, covered);
  if (fresh != 0) {
    if (const LineNumber* const other = incomplete_.one_too_many(line, true)) incomplete_.forget(*other);
    make_valid(tags, set, way, line, incomplete_.keep(line, fresh, transaction.words), 0);
  }
  incomplete_.forget_if_complete(line, LineWord::valid(tags.word(set, way)));
  return were;
}

}  // namespace strata::cache
