// SPDX-License-Identifier: Apache-2.0
// The input of the cache, what comes back from below, and the lanes.
#include "cache/cache.hpp"

#include <algorithm>
#include <bit>

#include "cache/cache_requests.hpp"

namespace strata::cache {

using memory::Operation;

namespace {

Duration per_clock(engine::Clock clock, double rate) { return clock.cycles(1 / rate); }

Duration for_sectors(engine::Clock clock, std::optional<BytesPerClock> width, std::size_t sectors) {
  if (!width) return {};
  return clock.cycles(static_cast<double>(sectors * memory::sector_bytes) / width->value);
}

}  // namespace

Cache::Cache(engine::Simulation& simulation, memory::StageNames& stages, const CacheSpec& spec,
             engine::Clock clock, IndexFunction index, std::uint64_t seed,
             std::optional<std::uint8_t> home_die)
    : simulation_(simulation),
      index_(index),
      line_shift_(static_cast<unsigned>(std::countr_zero(memory::block_bytes / spec.line.value))),
      writes_back_(spec.write_policy == WritePolicy::write_back),
      bypass_cg_(spec.bypass_cg),
      performs_atomics_(spec.performs_atomics),
      streaming_(spec.streaming),
      home_die_(home_die),
      tag_occupancy_(per_clock(clock, spec.lookups_per_clock)),
      miss_occupancy_(spec.misses_per_clock ? per_clock(clock, *spec.misses_per_clock)
                                            : Duration{}),
      ahead_(std::min(clock.cycles(spec.tag_latency.value), tag_occupancy_ * 4)),
      tag_latency_(clock.cycles(spec.tag_latency.value)),
      fill_latency_(clock.cycles(spec.fill_latency.value)),
      far_mshrs_most_(static_cast<std::uint32_t>(
          std::min({(spec.mshr_count() + 1) / 2, spec.mshr_count() - 1, spec.lines() - 1}))),
      mshrs_(static_cast<std::uint32_t>(spec.mshr_count())),
      tags_(make_tag_store(spec, seed)),
      fill_groups_(spec.fill_granularity.value),
      banks_(spec.banks > 1 ? spec.banks : 0),
      sector_groups_(spec.sector.value),
      arrival_(engine::handler<&Cache::on_arrival>(*this)),
      wake_(engine::handler<&Cache::on_wake>(*this)),
      fill_(std::visit(
          [this](auto& tags) {
            return engine::handler<&Cache::on_fill<std::remove_reference_t<decltype(tags)>>>(*this);
          },
          tags_)),
      release_(engine::handler<&Cache::on_release>(*this)),
      written_back_(engine::handler<&Cache::on_written_back>(*this)),
      hit_latency_(clock.cycles(spec.hit_latency.value)),
      atomic_latency_(clock.cycles(spec.atomic_latency.value)),
      atomic_pass_(per_clock(clock, spec.atomic_passes_per_clock)),
      bank_shift_(64U - static_cast<unsigned>(std::countr_zero(spec.banks))),
      natural_index_(spec),
      spec_(spec) {
  if (spec.prefetcher != no_prefetcher)
    prefetching_ = std::make_unique<Prefetching>(spec.prefetcher, PrefetchShape{static_cast<std::uint32_t>(spec.prefetch_degree)});
  if (spec.masked_lines)
    incomplete_.emplace(spec.most_incomplete_lines(), spec.most_masked_lines());
  serve_ = std::visit(
      [](auto& tags) { return &Cache::serve<std::remove_reference_t<decltype(tags)>>; }, tags_);
  for (std::size_t n = 0; n < occupancy_.size(); ++n) {
    occupancy_[n] = {for_sectors(clock, spec.bank_width.value_or(spec.data_width), n),
                     for_sectors(clock, spec.data_width, n),
                     for_sectors(clock, spec.write_width.value_or(spec.data_width), n),
                     for_sectors(clock, spec.fill_width, n)};
  }
  const auto stage = [&](const char* what) { return stages.add(spec.name + ' ' + what); };
  stages_ = {stages.add("to " + spec.name),
             stage("queue"),
             stage("tag"),
             stage("data"),
             stage("wait (data width)"),
             stage("wait (miss port)"),
             stage("wait (merged)"),
             stage("fill"),
             stage("atomic unit"),
             {stage("wait (MSHR full)"), stage("wait (ways pending)"),
              stage("wait (merge list full)"), stage("wait (write-back buffer full)"),
              stage("wait (being completed)")}};
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
  transaction.mark(stages_.way, simulation_.now());  // if the sender has not said so itself
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
    head.mark(stages_.stall[heads_[side].by], simulation_.now());
    retried_.stalled = &head;
    retried_.absent = heads_[side].absent;
    heads_[side].stalled = nullptr;
    heads_[side].again = false;
    serve_or_stall(head);
    retried_.stalled = nullptr;
    retried_.absent = false;
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
    case mshr_full: return mshr_free(side == far_side);
    case ways_pending: return head.set == any_set || head.set == changed_set;
    default: return true;
  }
}

void Cache::serve_or_stall(Transaction& transaction) {
  if (!serve_(*this, transaction)) heads_[side_of(transaction)] = {&transaction, stalled_by_, false, absent_, stalled_set_};
}

/// The head of its side must wait for something to come back.
bool Cache::stall(Stall cause, std::uint64_t set, bool absent) {
  stalled_by_ = cause;
  stalled_set_ = set;
  absent_ = absent;
  if (retried_.stalled == nullptr) {
    std::uint64_t* const counters[] = {
        &statistics_.stalls_mshr_full, &statistics_.stalls_ways_pending,
        &statistics_.stalls_merges_full, &statistics_.stalls_writeback_full,
        &statistics_.stalls_being_completed};
    ++*counters[cause];
  }
  return false;
}

template <class Tags>
bool Cache::serve(Cache& cache, Transaction& transaction) {
  transaction.mark(cache.stages_.queue, cache.simulation_.now());  // it may have to wait
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
  statistics_.sectors_filled += sectors;
  const Time written = fill_lane_.reserve(simulation_.now(), occupancy_[sectors].fill);
  if (mshr.attached) enter_bank(mshr.line, written, sectors);

  // Those whose sectors have all come, the fetching request first.
  SectorMask changed = 0;
  const auto serve_one = [&](Transaction& waiting) {
    if (without(sectors_of(waiting), mshr.have) != 0) return mshr.wait(waiting);
    if (waiting.operation == Operation::atomic) changed = joined(changed, waiting.wanted);
    waiting.mark(stages_.merged, simulation_.now());
    waiting.mark(stages_.fill, written + fill_latency_);
    answer(waiting, written, fill_latency_);
  };
  const std::uint32_t before = mshr.waiting;
  if (prefetching_ != nullptr) prefetching_->came(mshr.line, context.prefetched());
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
    if (writes_back_) changed = joined(changed, merged);
    tags.fill(mshr.set, way, context.fetched(), changed);
    forget_if_complete(mshr.line, LineWord::valid(tags.word(mshr.set, way)));
    if (finished) tags.release(mshr.set, way);
  }
  if (finished) {
    far_mshrs_ -= mshr.far ? 1 : 0;
    count_mshrs();
    mshrs_.give_back(context.index());
  }
  try_stalled_again(set);
}

void Cache::answer_atomic(Transaction& transaction, Time begin, Duration latency) {
  const Time entered = enter_data(transaction, begin, latency);
  ++statistics_.atomics_performed;
  const std::uint32_t passes = transaction.atomic_passes;
  statistics_.atomic_passes += passes;
  const Time first = atomic_lane_.reserve(entered, atomic_pass_ * passes);
  if (atomic_listener_ != nullptr)
    atomic_listener_->function(atomic_listener_->self, transaction.core, transaction.warp, first);
  hold_slot(transaction, begin, first);
  const Time done = first + atomic_pass_ * (passes - 1) + latency + atomic_latency_;
  transaction.mark(stages_.atomic, done);
  transaction.answer(simulation_, done);
}

/// What was performed below.
void Cache::on_passed_back(Transaction& transaction) {
  const Time leaves = simulation_.now() + fill_latency_;
  transaction.mark(stages_.fill, leaves);
  transaction.answer(simulation_, leaves);
}

void Cache::answer_store(Transaction& transaction, Time begun, LineNumber line) {
  const std::uint32_t sectors = count(transaction.wanted);
  const Time begin = read_out(line, begun, sectors);
  const Time entered = data_lane_.reserve(begin, occupancy_[sectors].write);
  ++statistics_.answers;
  statistics_.bytes_written += sectors * memory::sector_bytes;
  transaction.mark(stages_.data, begun + hit_latency_);
  transaction.mark(stages_.data_wait, entered + hit_latency_);
  hold_slot(transaction, begin, entered);
  transaction.answer(simulation_, entered + hit_latency_);
}

/// A request sits in the input for as long as the data array is behind, so
/// that what piles up in front of the array is bounded by the input's depth.
/// begin: when the array was asked for.
void Cache::hold_slot(Transaction& transaction, Time begin, Time entered) {
  if (transaction.holds == nullptr) return;
  const Time now = simulation_.now();
  const bool in_tags = entered == begin && entered <= now + ahead_;
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
  back.return_through(written_back_);
  ++statistics_.writebacks;
  statistics_.bytes_written_back += bytes(victim.dirty);
  const std::uint32_t sectors = count(victim.dirty);
  const Time left = data_lane_.reserve(read_out(victim.line, simulation_.now(), sectors),
                                       occupancy_[sectors].answer);
  downstream_.take(back, left + tag_latency_);
}

bool Cache::drained() const {
  const CacheStatistics& s = statistics_;
  return waiting() + mshrs_.open() + writebacks_open() + (prefetching_ ? prefetching_->alive() : 0) == 0 &&
         s.requests == s.answers + s.stores_forwarded + s.atomics_forwarded &&
         s.sectors_fetched == s.sectors_filled;
}

void Cache::on_written_back(Transaction& transaction) {
  writebacks_.give_back(transaction);
  if (flushing_) go_on_writing_back();
  try_stalled_again(no_set);
}

}  // namespace strata::cache
