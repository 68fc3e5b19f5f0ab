// SPDX-License-Identifier: Apache-2.0
// First in, first out: the lines of a set lie in the order of their arrival
// and a hit changes nothing.
#pragma once
#include "replacement/policy.hpp"

namespace strata::replacement {

class Fifo {
 public:
  static constexpr std::string_view name = "fifo";
  static constexpr std::string_view meaning = "evicts the line that was filled first";
  static constexpr Forgets forgets = Forgets::gradually;

  explicit Fifo(const TagShape&) {}
  std::uint32_t state_words() const { return 0; }

  std::uint32_t hit(SetView, std::uint32_t way) const { return way; }
  std::uint32_t victim(SetView set) const { return set.last_movable(); }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) const {
    set.move_to_front(way, word);
    return 0;
  }
  void remove(SetView set, std::uint32_t way) const { set.close_gap(way); }
};

}  // namespace strata::replacement
