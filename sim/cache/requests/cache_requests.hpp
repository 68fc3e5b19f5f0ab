// SPDX-License-Identifier: Apache-2.0
// What each kind of request does to the tags and what it sets going: the
// member templates of Cache, compiled once for each replacement policy and
// included by the cache's own sources alone; stores have a file of their own.
// Each decides first whether the request can go at all and changes nothing if
// it cannot.
#pragma once
#include "cache/cache.hpp"
#include "cache/requests/cache_atomics.hpp"
#include "cache/requests/cache_compressed.hpp"
#include "cache/requests/cache_prefetch.hpp"
#include "cache/requests/cache_stores.hpp"
#include "cache/requests/cache_tracked.hpp"

namespace strata::cache {

/// The head of its side waits until something comes back.
inline bool Cache::stall(Stall cause, std::uint64_t set, bool absent) {
  heads_.set_cause(cause, set, absent);
  if (!heads_.retrying()) statistics_.count_stall(cause);
  return false;
}

/// The lookup takes place, at the time that is returned: nothing can stop it any more.
inline Time Cache::start(Transaction& transaction) {
  const Time begun = lanes_.look_up(design_, simulation_.now());
  transaction.mark(design_.stages.queue, begun);
  transaction.mark(design_.stages.tag, begun + design_.tag_latency);
  return begun;
}

/// The data array takes the request at begin or when its width allows.
[[gnu::always_inline]] inline Time Cache::enter_data(Transaction& transaction, Time begin, Duration latency) {
  const std::uint32_t sectors = count(sectors_of(transaction));
  const Time entered = lanes_.answer(design_, begin, sectors);
  ++counts_.of(sectors).answered;
  transaction.mark(design_.stages.data_wait, entered + latency);
  return entered;
}

template <class Tags>
[[gnu::always_inline]] inline void Cache::fetch(Transaction& transaction, Time begun, std::uint32_t register_index,
                                                SectorMask sectors, bool prefetched) {
  Mshr& mshr = mshrs_[register_index];
  mshr.coming = joined(mshr.coming, in_line<Tags>(transaction.block, sectors));
  ++mshr.outstanding;
  const bool atomic = transaction.operation == memory::Operation::atomic;
  const FetchContext context(register_index, prefetched, atomic, transaction.fetched, sectors);
  ++counts_.of(count(sectors)).fetched;
  transaction.fetched = sectors;
  transaction.operation = memory::Operation::load;  // an atomic is performed here, when its sectors are
  transaction.return_through(fill_, context.packed);
  const Time leaves = lanes_.send_down(design_, begun + design_.tag_latency);
  transaction.mark(design_.stages.miss_wait, leaves);
  downstream_.take(transaction, leaves);
}

/// The data leave latency after the data array has taken the request.
[[gnu::always_inline]] inline void Cache::answer_load(Transaction& transaction, Time begin, Duration latency) {
  const Time entered = enter_data(transaction, begin, latency);
  if (transaction.holds != nullptr) hold_slot(transaction, begin, entered);
  transaction.answer(simulation_, entered + latency);
}
[[gnu::always_inline]] inline void Cache::answer(Transaction& transaction, Time begin, Duration latency) {
  if (transaction.operation != memory::Operation::atomic) {
    answer_load(transaction, begin, latency);
  } else {
    answer_atomic(transaction, begin, latency);
  }
}

template <class Tags>
[[gnu::always_inline]] inline bool Cache::serve_with(Tags& tags, Transaction& transaction) {
  using memory::CacheOperator;
  using memory::Operation;
  switch (transaction.operation) {
    case Operation::load:
      if (transaction.cache_operator != CacheOperator::ca) {
        if (design_.bypass_cg) return pass_by(tags, transaction);
        if (tracked_ != nullptr && transaction.cache_operator == CacheOperator::cv) drop_untracked(tags, transaction);
      }
      return !design_.prefetches ? read(tags, transaction) : read_and_prefetch(tags, transaction);
    case Operation::atomic: {
      if (performs_atomics(transaction.home_die)) return read(tags, transaction);
      return forward_atomic(tags, transaction);
    }
    case Operation::store:
    case Operation::writeback:
      break;
  }
  if (keeps_writes(transaction.home_die)) return store_here(tags, transaction);
  return store_through(tags, transaction);
}

/// A load, or an atomic performed here.
template <class Tags>
[[gnu::always_inline]] inline bool Cache::read(Tags& tags, Transaction& transaction) {
  const bool atomic = transaction.operation == memory::Operation::atomic;
  const SectorMask need = sectors_of(transaction);
  const LineNumber line = line_of<Tags>(design_, transaction.block, need);
  const std::uint64_t set = set_of(transaction, line);
  const std::uint32_t way = heads_.known_absent() ? no_way : tags.find(set, line);
  const bool is_far = far(transaction.home_die);

  const auto account = [&](CacheCounts::Outcome outcome, SectorMask hit) __attribute__((always_inline)) {
    counts_.looked_up(outcome, count(need), count(hit));
    return start(transaction);
  };

  if (way == no_way) {
    bool served = false;
    if (mshrs_.any_placeless() && join_placeless<Tags>(transaction, line, set, served)) return served;
    if (!mshr_free(is_far)) return stall(mshr_full, set, true);
    if (keeps_values_) values_->allocate(this, transaction.block, design_.all_of(line));
    if (const Stall by = make_space(tags, set, line, {.mshrs = 1}); by != stall_kinds) return stall(by, set, true);
    const auto room = tags.room(set, line);
    if (room.way == no_way && room.set_alone && design_.streaming) {
      const Time begun = account(CacheCounts::miss, 0);
      const std::uint32_t index = mshrs_.take(line, set, begun, 0, true, is_far);
      mshrs_.make_placeless(index);
      fetch<Tags>(transaction, begun, index, design_.fill_groups.touched(need));
      return true;
    }
    if (room.way == no_way || (is_far && !tags.spare(set)))
      return stall(ways_pending, room.set_alone ? set : StalledHeads::any_set, true);
    if (LineWord::dirty(room.leaving) != 0 || incomplete_.any()) {
      Needs needs{.mshrs = 1};
      add_leaving<Tags>(needs, room);
      if (const Stall by = lacking(needs); by != stall_kinds) return stall(by, set, true);
    }
    const Access done = tags.install(set, room, line, 0, Kind::read);
    const Time begun = account(done.evicted ? CacheCounts::evicting_miss : CacheCounts::miss, 0);
    report_eviction<Tags>(done);
    tags.hold(set, done.way);
    fetch<Tags>(transaction, begun, mshrs_.take(line, set, begun, 0, true, is_far), design_.fill_groups.touched(need));
    if (done.evicted) let_go<Tags>(set, done.victim, incomplete_.forget(done.victim.line));
    return true;
  }

  const std::uint64_t word = tags.word(set, way);
  const SectorMask valid = in_block<Tags>(transaction.block, LineWord::valid(word));
  const SectorMask missing = without(need, valid);
  if (missing == 0) {
    tags.use(set, way, in_line<Tags>(transaction.block, need), atomic ? Kind::write_dirty : Kind::read);
    const Time begun = account(CacheCounts::hit, need);
    transaction.mark(design_.stages.data, begun + design_.hit_latency);
    const Time begin = lanes_.read_out(design_, line, begun, count(need));
    if (keeps_values_) value_of_hit(transaction);
    answer(transaction, begin, design_.hit_latency);
    return true;
  }
  if (!LineWord::pending(word)) {  // the line is here, some of its sectors are not
    if (!mshr_free(is_far)) return stall(mshr_full, set);
    if (is_far && !tags.spare(set)) return stall(ways_pending, set);
    const Time begun = account(CacheCounts::miss, common(need, valid));
    tags.hold(set, tags.use(set, way, need, Kind::read).way);
    fetch<Tags>(transaction, begun, mshrs_.take(line, set, begun, LineWord::valid(word), true, is_far),
                design_.fill_groups.touched(missing));
    return true;
  }
  const std::uint32_t register_index = mshrs_.find(line);
  Mshr& mshr = mshrs_[register_index];
  const SectorMask more = without(missing, in_block<Tags>(transaction.block, mshr.coming));
  if (more == 0) {
    if (mshr.waiting >= design_.merges_per_mshr) return stall(merges_full, set);
    account(CacheCounts::merge, need);
    tags.use(set, way, need, Kind::read);
    transaction.release();
    mshr.wait(transaction);
    return true;
  }
  const Time begun = account(CacheCounts::miss, without(need, more));
  tags.use(set, way, need, Kind::read);
  fetch<Tags>(transaction, begun, register_index, design_.fill_groups.touched(more));
  return true;
}

/// A load of a line that the tags do not have joins a fetch without a line, if
/// there is one of it: true, and served says whether it could.
template <class Tags>
inline bool Cache::join_placeless(Transaction& transaction, LineNumber line, std::uint64_t set, bool& served) {
  const std::uint32_t index = mshrs_.find(line);
  if (index == MshrTable::none) return false;
  Mshr& mshr = mshrs_[index];
  const SectorMask need = sectors_of(transaction);
  const SectorMask more = without(need, in_block<Tags>(transaction.block, joined(mshr.have, mshr.coming)));
  served = more != 0 || mshr.waiting < design_.merges_per_mshr;
  if (!served) {
    stall(merges_full, set);
    return true;
  }
  const Time begun = start(transaction);
  counts_.looked_up(more == 0 ? CacheCounts::merge : CacheCounts::miss, count(need), count(without(need, more)));
  if (more != 0) {
    fetch<Tags>(transaction, begun, index, design_.fill_groups.touched(more));
  } else {
    transaction.release();
    mshr.wait(transaction);
  }
  return true;
}

/// What such a fetch has brought takes a line, if one may go; a store may have
/// brought the line in meanwhile.
template <class Tags>
void Cache::place(Tags& tags, const Mshr& mshr) {
  if (const std::uint32_t way = tags.find(mshr.set, mshr.line); way != no_way) {
    incomplete_.validate(mshr.line, mshr.have);
    make_valid(tags, mshr.set, way, mshr.line, mshr.have, 0);
    return incomplete_.forget_if_complete(mshr.line, LineWord::valid(tags.word(mshr.set, way)));
  }
  make_space(tags, mshr.set, mshr.line, {});  // nothing is dirty here
  const auto room = tags.room(mshr.set, mshr.line);
  if (room.way == no_way) return;
  const Access done = tags.install(mshr.set, room, mshr.line, mshr.have, Kind::write_clean);
  statistics_.evictions += done.evicted ? 1 : 0;
  report_eviction<Tags>(done);
  if (done.evicted) incomplete_.forget(done.victim.line);
}

/// A load that does not allocate here. It still takes an MSHR: the data must be received
/// somewhere.
template <class Tags>
bool Cache::pass_by(Tags& tags, Transaction& transaction) {
  const bool is_far = far(transaction.home_die);
  if (!mshr_free(is_far)) return stall(mshr_full, StalledHeads::no_set);
  const Time begun = start(transaction);
  ++statistics_.bypasses;
  const SectorMask need = sectors_of(transaction);
  statistics_.sectors_bypassed += count(need);
  const LineNumber line = line_of<Tags>(design_, transaction.block, need);
  const std::uint64_t set = set_of(transaction, line);
  drop(tags, set, line);
  fetch<Tags>(transaction, begun, mshrs_.take(line, set, begun, 0, false, is_far), design_.fill_groups.touched(need));
  return true;
}

/// Removes a line; a fetch for it continues but does not allocate.
template <class Tags>
SectorMask Cache::drop(Tags& tags, std::uint64_t set, LineNumber line) {
  if (mshrs_.any_placeless())
    if (const std::uint32_t index = mshrs_.find(line); index != MshrTable::none && mshrs_[index].placeless)
      mshrs_.detach(index);
  const std::uint32_t way = tags.find(set, line);
  if (way == no_way) return 0;
  if (LineWord::pending(tags.word(set, way))) mshrs_.detach(mshrs_.find(line));
  const SectorMask masked = incomplete_.forget(line);
  return joined(tags.remove(set, way).dirty, design_.writes_back ? masked : SectorMask{0});
}

}  // namespace strata::cache
