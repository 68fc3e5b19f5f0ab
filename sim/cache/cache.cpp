// SPDX-License-Identifier: Apache-2.0
// Construction of a cache, its responses, and its contents.
#include "cache/cache.hpp"

#include "cache/requests/cache_served.hpp"

namespace strata::cache {

using memory::Operation;

// Compiled in cache_other_tags.cpp: in one file with them the compiler would inline less of the common
// caches.
extern template bool Cache::serve<PooledTagsByName>(Cache&, Transaction&);
extern template bool Cache::serve<CompressedTags>(Cache&, Transaction&);
extern template bool Cache::serve<WideTags>(Cache&, Transaction&);
extern template bool Cache::serve<WidePooledTags>(Cache&, Transaction&);
extern template void Cache::on_fill<PooledTagsByName>(Transaction&);
extern template void Cache::on_fill<CompressedTags>(Transaction&);
extern template void Cache::on_fill<WideTags>(Transaction&);
extern template void Cache::on_fill<WidePooledTags>(Transaction&);

Cache::Cache(engine::Simulation& simulation, memory::StageNames& stages, const CacheSpec& spec, engine::Clock clock,
             IndexFunction index, std::uint64_t seed, std::optional<std::uint8_t> home_die)
    : Cache(simulation, std::make_shared<const CacheDesign>(stages, spec, clock, index), seed, home_die) {}

Cache::Cache(engine::Simulation& simulation, SharedDesign design, std::uint64_t seed,
             std::optional<std::uint8_t> home_die)
    : arrival_(engine::handler<&Cache::on_arrival>(*this)),
      simulation_(simulation),
      design_(*design),
      lanes_(design_),
      home_die_(home_die),
      mshrs_(static_cast<std::uint32_t>(design_.spec.mshr_count())),
      tags_(make_tag_store(design_.spec, seed)),
      wake_(engine::handler<&Cache::on_wake>(*this)),
      release_(engine::handler<&Cache::on_release>(*this)),
      owned_design_(std::move(design)) {
  const CacheSpec& spec = design_.spec;
  if (design_.prefetches)
    prefetching_ =
        std::make_unique<Prefetching>(spec.prefetcher, PrefetchShape{static_cast<std::uint32_t>(spec.prefetch_degree)});
  if (design_.keeps_masks) incomplete_.track(spec.most_incomplete_lines(), spec.most_masked_lines());
  std::visit(
      [this](auto& tags) {
        using Tags = std::remove_reference_t<decltype(tags)>;
        serve_ = &Cache::serve<Tags>;
        fill_ = simulation_.number(engine::handler<&Cache::on_fill<Tags>>(*this));
      },
      tags_);
}

CacheStatistics Cache::statistics() const {
  CacheStatistics all = statistics_;
  counts_.add_to(all);
  all.requests = all.hits + all.misses + all.merges + all.bypasses + all.stores + all.atomics_forwarded;
  all.mshr_ticks = mshrs_.ticks_in_use(simulation_.now());
  all.flushed = flush_.reached;
  return all;
}

LaneUse Cache::data_use() const {
  const auto answer = [this](unsigned sectors) { return design_.occupancy[sectors].answer; };
  return {lanes_.data_apart() + counts_.time(&CacheCounts::BySectors::answered, answer),
          statistics_.data_apart + counts_.total(&CacheCounts::BySectors::answered),
          lanes_.data_ahead(simulation_.now())};
}

void Cache::answer_atomic(Transaction& transaction, Time begin, Duration latency) {
  const Time entered = enter_data(transaction, begin, latency);
  ++statistics_.atomics_performed;
  const std::uint32_t passes = transaction.atomic_passes;
  statistics_.atomic_passes += passes;
  const std::uint32_t whole = std::min<std::uint32_t>(passes, transaction.whole_passes);
  const Duration taken = design_.atomic_pass * whole + design_.partial_pass * (passes - whole);
  const Time turn = design_.atomics_take_fill_port ? lanes_.take_fill_port(entered, taken) : entered;
  const Time first = atomic_lane_.reserve(turn, taken);
  lanes_.look_up_again(design_, simulation_.now(), transaction.atomic_repeats());
  if (atomic_listener_ != nullptr)
    atomic_listener_->function(atomic_listener_->self, transaction.core, transaction.warp, first);
  hold_slot(transaction, begin, first);
  const Time done =
      first + (taken - (whole > 0 ? design_.atomic_pass : design_.partial_pass)) + latency + design_.atomic_latency;
  transaction.mark(design_.stages.atomic, done);
  transaction.answer(simulation_, done);
}

/// Atomics that were performed below. A fetch of another core may have read the line before it was changed: the copy
/// that came or is to come of it must not be found by the thread that now has the new value.
void Cache::on_passed_back(Transaction& transaction) {
  if (far(transaction.home_die)) invalidate(transaction.block);
  const Time leaves = simulation_.now() + design_.fill_latency;
  transaction.mark(design_.stages.fill, leaves);
  transaction.answer(simulation_, leaves);
}

/// A store enters the data array.
Time Cache::reserve_store(Time earliest, std::uint32_t sectors) {
  if (design_.stores_apart) return store_lane_.reserve(earliest, design_.occupancy[sectors].write);
  return reserve_data(earliest, design_.occupancy[sectors].write);
}

void Cache::answer_store(Transaction& transaction, Time begun, LineNumber line) {
  const std::uint32_t sectors = count(transaction.wanted);
  const Time begin = lanes_.read_out(design_, line, begun, sectors);
  const Time entered = reserve_store(begin, sectors);
  ++statistics_.answers;
  statistics_.bytes_written += sectors * memory::sector_bytes;
  transaction.mark(design_.stages.data, begun + design_.store_latency);
  transaction.mark(design_.stages.data_wait, entered + design_.store_latency);
  hold_slot(transaction, begin, entered);
  transaction.answer(simulation_, entered + design_.store_latency);
}

/// A request stays in the input while the data array is behind, so the requests that wait for
/// the array are bounded by the depth of the input. begin: when the array was requested.
void Cache::hold_slot(Transaction& transaction, Time begin, Time entered) {
  if (transaction.holds == nullptr) return;
  const Time now = simulation_.now();
  const bool in_tags = entered == begin && entered <= now + design_.ahead;
  if (entered <= now || in_tags) return transaction.release();
  simulation_.at(entered, engine::Priority::completion, release_, &transaction);
}

void Cache::send_back(std::uint64_t block, LineNumber line, SectorMask dirty) {
  Transaction& back = writebacks_.take();
  back.block = block;
  back.virtual_block = back.block;
  back.wanted = back.fetched = dirty;
  back.operation = Operation::writeback;
  back.home_die = home_die_.value_or(Transaction::unknown_home);
  back.issued = simulation_.now();
  if (keeps_values_) values_->write_back(this, back);
  back.return_through(written_back_);
  ++statistics_.writebacks;
  statistics_.bytes_written_back += bytes(dirty);
  const std::uint32_t sectors = count(dirty);
  const Time left =
      reserve_data(lanes_.read_out(design_, line, simulation_.now(), sectors), design_.occupancy[sectors].answer);
  downstream_.take(back, left + design_.tag_latency);
}

InFlight Cache::in_flight() const {
  const MshrTable::Held held = mshrs_.held();
  const std::uint64_t prefetches = prefetching_ ? prefetching_->alive() : 0;
  const std::uint64_t write_backs = writebacks_.alive() + completions_.alive();
  return {.waiting = input_queue_.size() + heads_.stalled(),
          .requests = held.requests - prefetches,
          .sectors = held.sectors * design_.sectors_of_a_bit() + completions_.sectors_missing(),
          .write_backs = write_backs,
          .own = write_backs + prefetches,
          .mshrs = mshrs_.open(),
          .mshrs_peak = mshrs_.peak()};
}

void Cache::on_written_back(Transaction& transaction) {
  writebacks_.give_back(transaction);
  if (flush_.asked) go_on_writing_back();
  try_stalled_again(StalledHeads::no_set);
}

}  // namespace strata::cache
