// SPDX-License-Identifier: Apache-2.0
// The requests that wait in front of a cache's tags, in the order in which they
// came, each of one of two sides: home, what this cache can serve with its own
// memory alone, and far, what another die's cache must serve. Where one side is
// stopped the first of the other may leave, so that neither waits for the other
// (Dally and Towles: Principles and Practices of Interconnection Networks, 2004,
// protocol deadlock). A cache that knows no homes has one side only and pays
// nothing; otherwise leaving the middle is a walk past the stopped.
#pragma once
#include <array>
#include <cstdint>

#include "memory/transaction.hpp"

namespace strata::cache {

enum Side : std::uint8_t { home_side, far_side, sides };
constexpr Side other(Side side) { return side == home_side ? far_side : home_side; }

class InputQueue {
 public:
  /// Which sides may go now.
  using Open = std::array<bool, sides>;

  std::uint32_t size() const { return waiting_[home_side] + waiting_[far_side]; }
  bool any(const Open& open) const {
    return (open[home_side] && waiting_[home_side] != 0) ||
           (open[far_side] && waiting_[far_side] != 0);
  }
  void push(memory::Transaction& transaction, Side side) {
    transaction.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &transaction;
    last_ = &transaction;
    ++waiting_[side];
  }
  /// The first whose side may go; there is one. side_of: of a transaction.
  template <class SideOf>
  memory::Transaction& pop(const Open& open, const SideOf& side_of) {
    engine::Message* before = nullptr;
    engine::Message* at = first_;
    while (!open[side_of(transaction(at))]) {
      before = at;
      at = at->next;
    }
    (before == nullptr ? first_ : before->next) = at->next;
    if (last_ == at) last_ = before;
    if (first_ != nullptr) __builtin_prefetch(first_->next, 1);  // the one after the next
    at->next = nullptr;
    --waiting_[side_of(transaction(at))];
    return transaction(at);
  }

 private:
  static memory::Transaction& transaction(engine::Message* message) {
    return static_cast<memory::Transaction&>(*message);
  }
  engine::Message* first_ = nullptr;
  engine::Message* last_ = nullptr;
  std::array<std::uint32_t, sides> waiting_{};
};

}  // namespace strata::cache
