// SPDX-License-Identifier: Apache-2.0
// LRU insertion (Qureshi, Jaleel, Patt, Steely and Emer: Adaptive Insertion Policies for High
// Performance Caching, ISCA 2007). The lines of a set lie in the order of their last use, but a new
// line stays where the victim was and is the next victim until it is used again. A sweep over more
// lines than fit then keeps those that it found.
#pragma once
#include "replacement/policy.hpp"

namespace strata::replacement {

class Lip {
 public:
  static constexpr std::string_view name = "lip";
  static constexpr std::string_view meaning = "as lru, but a new line is evicted next until it is used again";
  static constexpr Forgets forgets = Forgets::never;

  explicit Lip(const TagShape&) {}
  std::uint32_t state_words() const { return 0; }

  std::uint32_t hit(SetView set, std::uint32_t way) const {
    if (way != 0) set.move_to_front(way, set.lines[way]);
    return 0;
  }
  /// Empty places fill from the last to the first, so that the first of several new lines is evicted first.
  std::uint32_t victim(SetView set) const {
    for (std::uint32_t way = set.ways; way-- > 0;) {
      if (LineWord::empty(set.lines[way])) return way;
    }
    return set.last_movable();
  }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) const {
    set.lines[way] = word;
    return way;
  }
  void remove(SetView set, std::uint32_t way) const { set.lines[way] = 0; }
};

}  // namespace strata::replacement
