// SPDX-License-Identifier: Apache-2.0
// The input of a cache: requests of each side are served in order, and wait for resources.
#include "cache/cache.hpp"

namespace strata::cache {

void Cache::take(Transaction& transaction, Time ready) {
  if (ready > simulation_.now()) {
    simulation_.at(ready, engine::Priority::arrival, arrival_, &transaction);
  } else {
    on_arrival(transaction);
  }
}

void Cache::on_arrival(Transaction& transaction) {
  transaction.mark(design_.stages.way, simulation_.now());  // if the sender has not marked it itself
  const Side side = side_of(transaction);
  // A waiting request that may be served has a pending wake-up.
  if (heads_.open(side) && !wake_scheduled_ && lanes_.tags_free(design_, simulation_.now())) {
    serve_or_stall(transaction);
  } else {
    input_queue_.push(transaction, side, far(transaction.requester_die));
    if (heads_.open(side)) wake_later();
  }
}

void Cache::wake_later() {
  if (wake_scheduled_) return;
  wake_scheduled_ = true;
  simulation_.at(later(lanes_.tags_free_at(), simulation_.now()), engine::Priority::arrival, wake_);
}

void Cache::on_wake() {
  wake_scheduled_ = false;
  serve_waiting();
}

void Cache::serve_waiting() {
  if (wake_scheduled_) return;
  for (;;) {
    const bool again = heads_.any_again();
    const InputQueue::Open open{heads_.open(home_side), heads_.open(far_side)};
    if (!again && !input_queue_.any(open)) return;
    if (!lanes_.tags_free(design_, simulation_.now())) return wake_later();
    if (!again) {
      serve_or_stall(input_queue_.pop(open));
      continue;
    }
    const Side side = heads_.next();
    if (heads_.cause(side) == mshr_full && !mshr_free(side == far_side)) {
      heads_.not_again(side);  // the other side took it
      continue;
    }
    Transaction& head = heads_.head(side);
    head.mark(design_.stages.stall[heads_.cause(side)], simulation_.now());
    heads_.begin_retry(side);
    serve_or_stall(head);
    heads_.end_retry(side);
  }
}

void Cache::help_stalled(std::uint64_t changed_set) {
  if (heads_.note_change(changed_set, [this](Side side) { return mshr_free(side == far_side); })) serve_waiting();
}

void Cache::serve_or_stall(Transaction& transaction) {
  if (!serve_(*this, transaction)) heads_.hold(side_of(transaction), transaction);
}

}  // namespace strata::cache
