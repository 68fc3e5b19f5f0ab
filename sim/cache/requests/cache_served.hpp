// SPDX-License-Identifier: Apache-2.0
// A request at the tags, and what comes back from the level below: the member templates of Cache
// behind its handlers, one instance for each kind of tags.
#pragma once
#include "cache/requests/cache_requests.hpp"

namespace strata::cache {

template <class Tags>
bool Cache::serve(Cache& cache, Transaction& transaction) {
  transaction.mark(cache.design_.stages.queue, cache.simulation_.now());  // it may have to wait
  return cache.serve_with(*std::get_if<Tags>(&cache.tags_), transaction);
}

template <class Tags>
void Cache::on_fill(Transaction& transaction) {
  const FetchContext context(transaction.context());
  Mshr& mshr = mshrs_[context.index()];
  const std::uint64_t set = mshr.set;
  transaction.fetched = context.asked();
  if (context.atomic()) transaction.operation = memory::Operation::atomic;
  const SectorMask come = in_line<Tags>(transaction.block, context.fetched());
  mshr.have = joined(mshr.have, come);
  mshr.coming = without(mshr.coming, come);
  --mshr.outstanding;
  const std::uint32_t sectors = count(context.fetched());
  ++counts_.of(sectors).filled;
  const bool attached = mshr.attached;
  if (keeps_values_) values_->fill(this, context.index(), transaction, context.fetched(), attached);
  const Time written = lanes_.fill(design_, simulation_.now(), sectors);
  if (attached) lanes_.enter_bank(design_, mshr.line, written, sectors);

  // Those whose sectors have all come, the fetching request first.
  SectorMask changed = 0;
  const auto serve_one = [&](Transaction& waiting) {
    if (without(sectors_of(waiting), in_block<Tags>(waiting.block, mshr.have)) != 0) return mshr.wait(waiting);
    if (waiting.operation == memory::Operation::atomic)
      changed = joined(changed, in_line<Tags>(waiting.block, waiting.wanted));
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
      mshrs_.end_placeless();
      if (mshr.attached) place(tags, mshr);
    }
  } else if (mshr.attached) {
    const std::uint32_t way = tags.find(mshr.set, mshr.line);
    const SectorMask merged = incomplete_.validate(mshr.line, come);
    if (design_.writes_back) changed = joined(changed, merged);
    tags.fill(mshr.set, way, come, changed);
    incomplete_.forget_if_complete(mshr.line, LineWord::valid(tags.word(mshr.set, way)));
    if (finished) tags.release(mshr.set, way);
  }
  if (finished) {
    if (keeps_values_) value_of_line(context.index(), mshr);
    mshrs_.give_back(context.index(), simulation_.now());
  }
  try_stalled_again(set);
}

}  // namespace strata::cache
