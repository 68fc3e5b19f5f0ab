// SPDX-License-Identifier: Apache-2.0
// True LRU: the lines of a set lie in the order of their last use, so the
// order itself is the state. A stack algorithm (Mattson et al.: Evaluation
// Techniques for Storage Hierarchies, 1970): more ways never miss more.
#pragma once
#include "replacement/policy.hpp"

namespace strata::replacement {

class TrueLru {
 public:
  static constexpr std::string_view name = "lru";
  static constexpr std::string_view meaning = "evicts the least recently used line";
  static constexpr Forgets forgets = Forgets::by_recency;

  explicit TrueLru(const TagShape&) {}
  std::uint32_t state_words() const { return 0; }

  std::uint32_t hit(SetView set, std::uint32_t way) const {
    if (way != 0) set.move_to_front(way, set.lines[way]);
    return 0;
  }
  std::uint32_t victim(SetView set) const { return set.last_movable(); }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) const {
    set.move_to_front(way, word);
    return 0;
  }
  void remove(SetView set, std::uint32_t way) const { set.close_gap(way); }
};

}  // namespace strata::replacement
