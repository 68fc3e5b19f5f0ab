// SPDX-License-Identifier: Apache-2.0
// The requests that wait in front of a cache's tags, in the order in which they
// came, each of one of two sides: home, what this cache can serve with its own
// memory alone, and far, what another die's cache must serve. Where one side is
// stopped the first of the other may leave, so that neither waits for the other
// (Dally and Towles: Principles and Practices of Interconnection Networks, 2004,
// protocol deadlock). Each side is a list of its own, and a number given on
// arrival says which of the two came first. Where own requests and those of another
// die wait for the home side, they take turns: first come first served would give each
// die what it has already, and one could run ahead of the other.
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
    return (open[home_side] && waiting_[home_side] != 0) || (open[far_side] && waiting_[far_side] != 0);
  }
  /// guest: it comes from another die.
  void push(memory::Transaction& transaction, Side side, bool guest) {
    transaction.next = nullptr;
    // No port needs to know its time on the wire while it waits here.
    transaction.occupancy.ticks = arrivals_++;
    List& list = side == far_side ? far_ : home_[guest ? 1 : 0];
    (list.first == nullptr ? list.first : list.last->next) = &transaction;
    list.last = &transaction;
    ++waiting_[side];
  }
  /// The first whose side may go; there is one.
  memory::Transaction& pop(const Open& open) {
    const bool contended = home_[0].first != nullptr && home_[1].first != nullptr;
    const std::size_t next = contended ? turn_ : home_[0].first == nullptr ? 1 : 0;
    // The home side came when the first of its two lists did, whichever has its turn.
    const engine::Message* came_first = home_[next].first;
    if (contended && home_[1 - next].first->occupancy < came_first->occupancy) came_first = home_[1 - next].first;
    const bool home_may_go = open[home_side] && came_first != nullptr;
    const bool far_may_go = open[far_side] && far_.first != nullptr;
    const bool takes_far = far_may_go && (!home_may_go || far_.first->occupancy < came_first->occupancy);
    if (!takes_far && contended) turn_ = 1 - next;
    List& list = takes_far ? far_ : home_[next];
    engine::Message& message = *list.first;
    list.first = message.next;
    if (list.first != nullptr) __builtin_prefetch(list.first->next, 1);  // the one after the next
    message.next = nullptr;
    --waiting_[takes_far ? far_side : home_side];
    return static_cast<memory::Transaction&>(message);
  }

 private:
  struct List {
    engine::Message* first = nullptr;
    engine::Message* last = nullptr;
  };
  std::array<List, 2> home_{};  ///< own, and of another die
  List far_{};
  std::array<std::uint32_t, sides> waiting_{};
  std::size_t turn_ = 0;
  std::int64_t arrivals_ = 0;
};

}  // namespace strata::cache
