// SPDX-License-Identifier: Apache-2.0
// The input of the cache, what comes back from below, and the lanes.
#include "cache/cache.hpp"

#include <algorithm>
#include <bit>

#include "cache/cache_requests.hpp"

namespace strata::cache {

using memory::Operation;

Cache::Cache(engine::Simulation& simulation, memory::StageNames& stages, const CacheSpec& spec, engine::Clock clock,
             IndexFunction index, std::uint64_t seed, std::optional<std::uint8_t> home_die)
    : Cache(simulation, std::make_shared<const CacheDesign>(stages, spec, clock, index), seed, home_die) {}

Cache::Cache(engine::Simulation& simulation, SharedDesign design, std::uint64_t seed,
             std::optional<std::uint8_t> home_die)
    : arrival_(engine::handler<&Cache::on_arrival>(*this)),
      simulation_(simulation),
      design_(*design),
      home_die_(home_die),
      mshrs_(static_cast<std::uint32_t>(design_.spec.mshr_count())),
      tags_(make_tag_store(design_.spec, seed)),
      banks_(design_.spec.banks > 1 ? design_.spec.banks : 0),
      wake_(engine::handler<&Cache::on_wake>(*this)),
      release_(engine::handler<&Cache::on_release>(*this)),
      written_back_(engine::handler<&Cache::on_written_back>(*this)),
      owned_design_(std::move(design)) {
  const CacheSpec& spec = design_.spec;
  if (design_.prefetches)
    prefetching_ =
        std::make_unique<Prefetching>(spec.prefetcher, PrefetchShape{static_cast<std::uint32_t>(spec.prefetch_degree)});
  if (design_.keeps_masks)
    incomplete_ = std::make_unique<IncompleteLines>(spec.most_incomplete_lines(), spec.most_masked_lines());
  std::visit(
      [this](auto& tags) {
        using Tags = std::remove_reference_t<decltype(tags)>;
        serve_ = &Cache::serve<Tags>;
        fill_ = engine::handler<&Cache::on_fill<Tags>>(*this);
      },
      tags_);
}

CacheStatistics Cache::statistics() const {
  CacheStatistics all = statistics_;
  counts_.add_to(all);
  all.requests = all.hits + all.misses + all.merges + all.bypasses + all.stores + all.atomics_forwarded;
  all.mshr_ticks = static_cast<std::uint64_t>(mshr_ticks_ + mshrs_.open() * simulation_.now().ticks);
  return all;
}

LaneUse Cache::data_use() const {
  const auto answer = [this](unsigned sectors) { return design_.occupancy[sectors].answer; };
  return {data_apart_ + counts_.time(&CacheCounts::BySectors::answered, answer),
          statistics_.data_apart + counts_.total(&CacheCounts::BySectors::answered),
          data_lane_.ahead(simulation_.now())};
}

// ---- the input, in order ---------------------------------------------------

void Cache::take(Transaction& transaction, Time ready) {
  if (ready > simulation_.now()) {
    simulation_.at(ready, engine::Priority::arrival, arrival_, &transaction);
  } else {
    on_arrival(transaction);
  }
}

void Cache::on_arrival(Transaction& transaction) {
  transaction.mark(design_.stages.way, simulation_.now());  // if the sender has not said so itself
  const Side side = side_of(transaction);
  // Whoever waits and may go has a wake coming.
  if (open(side) && !wake_scheduled_ && tags_free()) {
    serve_or_stall(transaction);
  } else {
    input_queue_.push(transaction, side, far(transaction.requester_die));
    if (open(side)) wake_later();
  }
}

void Cache::wake_later() {
  if (wake_scheduled_) return;
  wake_scheduled_ = true;
  simulation_.at(later(tag_lane_.free_at(), simulation_.now()), engine::Priority::arrival, wake_);
}

void Cache::on_wake() {
  wake_scheduled_ = false;
  serve_waiting();
}

void Cache::serve_waiting() {
  if (wake_scheduled_) return;
  for (;;) {
    const bool again = heads_[home_side].again || heads_[far_side].again;
    const InputQueue::Open goes{open(home_side), open(far_side)};
    if (!again && !input_queue_.any(goes)) return;
    if (!tags_free()) return wake_later();
    if (!again) {
      serve_or_stall(input_queue_.pop(goes));
      continue;
    }
    const Side side = heads_[turn_].again ? turn_ : other(turn_);
    if (heads_[side].by == mshr_full && !mshr_free(side == far_side)) {
      heads_[side].again = false;  // the other side took it
      continue;
    }
    Transaction& head = *heads_[side].stalled;
    head.mark(design_.stages.stall[heads_[side].by], simulation_.now());
    retrying_ = true;
    known_absent_ = heads_[side].absent;
    heads_[side].stalled = nullptr;
    heads_[side].again = false;
    serve_or_stall(head);
    retrying_ = known_absent_ = false;
    if (open(side)) turn_ = other(side);
  }
}

/// changed_set: in which a line is no longer held by a fetch.
void Cache::try_stalled_again(std::uint64_t changed_set) {
  if (open(home_side) && open(far_side)) return;
  bool helps = false;
  for (const Side side : {home_side, far_side}) {
    if (open(side) || !may_help(heads_[side], side, changed_set)) continue;
    heads_[side].again = helps = true;
  }
  if (helps) serve_waiting();
}

/// Whether a request that is stopped might go now. One that found no MSHR needs
/// one still: what could bring its line in meanwhile stands behind it.
bool Cache::may_help(const Head& head, Side side, std::uint64_t changed_set) const {
  switch (head.by) {
    case mshr_full:
      return mshr_free(side == far_side);
    case ways_pending:
      return head.set == static_cast<std::uint32_t>(any_set) || head.set == static_cast<std::uint32_t>(changed_set);
    default:
      return true;
  }
}

void Cache::serve_or_stall(Transaction& transaction) {
  if (!serve_(*this, transaction))
    heads_[side_of(transaction)] = {&transaction, stalled_set_, stalled_by_, false, absent_};
}

/// The head of its side must wait for something to come back.
bool Cache::stall(Stall cause, std::uint64_t set, bool absent) {
  stalled_by_ = cause;
  stalled_set_ = static_cast<std::uint32_t>(set);
  absent_ = absent;
  if (!retrying_) {
    std::uint64_t* const counters[] = {&statistics_.stalls_mshr_full, &statistics_.stalls_ways_pending,
                                       &statistics_.stalls_merges_full, &statistics_.stalls_writeback_full,
                                       &statistics_.stalls_being_completed};
    ++*counters[cause];
  }
  return false;
}

template <class Tags>
bool Cache::serve(Cache& cache, Transaction& transaction) {
  transaction.mark(cache.design_.stages.queue, cache.simulation_.now());  // it may have to wait
  return cache.serve_with(*std::get_if<Tags>(&cache.tags_), transaction);
}

// ---- on the way down and up ------------------------------------------------

template <class Tags>
void Cache::on_fill(Transaction& transaction) {
  const FetchContext context(transaction.context());
  Mshr& mshr = mshrs_[context.index()];
  const std::uint64_t set = mshr.set;
  transaction.fetched = context.asked();
  if (context.atomic()) transaction.operation = Operation::atomic;
  mshr.have = joined(mshr.have, context.fetched());
  mshr.coming = without(mshr.coming, context.fetched());
  --mshr.outstanding;
  const std::uint32_t sectors = count(context.fetched());
  ++counts_.of(sectors).filled;
  const bool attached = mshr.attached;
  if (keeps_values_) values_->fill(this, context.index(), transaction, context.fetched(), attached);
  const Time written = fill_lane_.reserve(simulation_.now(), design_.occupancy[sectors].fill);
  if (attached) enter_bank(mshr.line, written, sectors);

  // Those whose sectors have all come, the fetching request first.
  SectorMask changed = 0;
  const auto serve_one = [&](Transaction& waiting) {
    if (without(sectors_of(waiting), mshr.have) != 0) return mshr.wait(waiting);
    if (waiting.operation == Operation::atomic) changed = joined(changed, waiting.wanted);
    waiting.mark(design_.stages.merged, simulation_.now());
    waiting.mark(design_.stages.fill, written + design_.fill_latency);
    if (keeps_values_) value_of_fill(waiting, context.index(), attached);
    answer(waiting, written, design_.fill_latency);
  };
  const std::uint32_t before = mshr.waiting;
  if (design_.prefetches) prefetching_->came(mshr.line, context.prefetched());
  if (context.prefetched()) {
    prefetching_->end(transaction);
  } else {
    serve_one(transaction);
  }
  for (std::uint32_t i = 0; i < before; ++i) {
    serve_one(static_cast<Transaction&>(mshr.serve()));
  }

  Tags& tags = *std::get_if<Tags>(&tags_);
  const bool finished = mshr.outstanding == 0;
  if (mshr.placeless) {
    if (finished) {
      --placeless_;
      if (mshr.attached) place(tags, mshr);
    }
  } else if (mshr.attached) {
    const std::uint32_t way = tags.find(mshr.set, mshr.line);
    const SectorMask merged = validated(mshr.line, context.fetched());
    if (design_.writes_back) changed = joined(changed, merged);
    tags.fill(mshr.set, way, context.fetched(), changed);
    forget_if_complete(mshr.line, LineWord::valid(tags.word(mshr.set, way)));
    if (finished) tags.release(mshr.set, way);
  }
  if (finished) {
    if (keeps_values_) value_of_line(context.index(), mshr);
    far_mshrs_ -= mshr.far ? 1 : 0;
    give_back_mshr(context.index());
  }
  try_stalled_again(set);
}

void Cache::answer_atomic(Transaction& transaction, Time begin, Duration latency) {
  const Time entered = enter_data(transaction, begin, latency);
  ++statistics_.atomics_performed;
  const std::uint32_t passes = transaction.atomic_passes;
  statistics_.atomic_passes += passes;
  const Time first = atomic_lane_.reserve(entered, design_.atomic_pass * passes);
  if (atomic_listener_ != nullptr)
    atomic_listener_->function(atomic_listener_->self, transaction.core, transaction.warp, first);
  hold_slot(transaction, begin, first);
  const Time done = first + design_.atomic_pass * (passes - 1) + latency + design_.atomic_latency;
  transaction.mark(design_.stages.atomic, done);
  transaction.answer(simulation_, done);
}

/// What was performed below.
void Cache::on_passed_back(Transaction& transaction) {
  const Time leaves = simulation_.now() + design_.fill_latency;
  transaction.mark(design_.stages.fill, leaves);
  transaction.answer(simulation_, leaves);
}

void Cache::answer_store(Transaction& transaction, Time begun, LineNumber line) {
  const std::uint32_t sectors = count(transaction.wanted);
  const Time begin = read_out(line, begun, sectors);
  const Time entered = reserve_data(begin, design_.occupancy[sectors].write);
  ++statistics_.answers;
  statistics_.bytes_written += sectors * memory::sector_bytes;
  transaction.mark(design_.stages.data, begun + design_.hit_latency);
  transaction.mark(design_.stages.data_wait, entered + design_.hit_latency);
  hold_slot(transaction, begin, entered);
  transaction.answer(simulation_, entered + design_.hit_latency);
}

/// A request sits in the input for as long as the data array is behind, so
/// that what piles up in front of the array is bounded by the input's depth.
/// begin: when the array was asked for.
void Cache::hold_slot(Transaction& transaction, Time begin, Time entered) {
  if (transaction.holds == nullptr) return;
  const Time now = simulation_.now();
  const bool in_tags = entered == begin && entered <= now + design_.ahead;
  if (entered <= now || in_tags) return transaction.release();
  simulation_.at(entered, engine::Priority::completion, release_, &transaction);
}

void Cache::send_back(Victim victim) {
  Transaction& back = writebacks_.take();
  back.block = block_of(victim.line);
  back.virtual_block = back.block;
  back.wanted = back.fetched = victim.dirty;
  back.operation = Operation::writeback;
  back.home_die = home_die_.value_or(Transaction::not_told);
  back.issued = simulation_.now();
  if (keeps_values_) values_->write_back(this, back);
  back.return_through(written_back_);
  ++statistics_.writebacks;
  statistics_.bytes_written_back += bytes(victim.dirty);
  const std::uint32_t sectors = count(victim.dirty);
  const Time left = reserve_data(read_out(victim.line, simulation_.now(), sectors), design_.occupancy[sectors].answer);
  downstream_.take(back, left + design_.tag_latency);
}

InFlight Cache::in_flight() const {
  const MshrTable::Held held = mshrs_.held();
  const std::uint64_t prefetches = prefetching_ ? prefetching_->alive() : 0;
  return {.waiting = waiting(),
          .requests = held.requests - prefetches,
          .sectors = held.sectors + completions_.sectors_missing(),
          .own = writebacks_open() + prefetches,
          .mshrs = mshrs_.open(),
          .mshrs_peak = mshrs_.peak()};
}

bool Cache::drained() const {
  const CacheStatistics s = statistics();
  const InFlight held = in_flight();
  return held.waiting + held.requests + held.own + held.mshrs == 0 &&
         s.requests == s.answers + s.stores_forwarded + s.atomics_forwarded && s.sectors_fetched == s.sectors_filled;
}

void Cache::on_written_back(Transaction& transaction) {
  writebacks_.give_back(transaction);
  if (flushing_) go_on_writing_back();
  try_stalled_again(no_set);
}

}  // namespace strata::cache
