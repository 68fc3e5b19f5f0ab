// SPDX-License-Identifier: Apache-2.0
// Static re-reference interval prediction with two bits a line (Jaleel et al.:
// High Performance Cache Replacement Using Re-Reference Interval Prediction,
// 2010): a new line is expected back late, a line that hit is expected back
// soon, and the lines of a set grow older together until one may go.
#pragma once
#include "cache/replacement/policy.hpp"

namespace strata::cache {

class Srrip {
 public:
  static constexpr std::string_view name = "srrip";
  static constexpr std::string_view meaning = "a line not used again soon goes before one that was";

  Srrip(std::uint32_t, std::uint64_t) {}
  std::uint32_t state_words() const { return 0; }

  std::uint32_t hit(SetView set, std::uint32_t way) const {
    set.lines[way] = LineWord::with_policy(set.lines[way], soon);
    return way;
  }
  /// The first of the oldest lines.
  std::uint32_t victim(SetView set) const {
    std::uint32_t oldest = no_way;
    for (std::uint32_t way = 0; way < set.ways; ++way) {
      const std::uint64_t word = set.lines[way];
      if (LineWord::empty(word)) return way;
      if (LineWord::pending(word)) continue;
      if (oldest == no_way || LineWord::policy(word) > LineWord::policy(set.lines[oldest]))
        oldest = way;
    }
    return oldest;
  }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) const {
    if (!LineWord::empty(set.lines[way])) age(set, distant - LineWord::policy(set.lines[way]));
    set.lines[way] = LineWord::with_policy(word, late);
    return way;
  }
  void remove(SetView set, std::uint32_t way) const { set.lines[way] = 0; }

 private:
  static constexpr unsigned soon = 0;
  static constexpr unsigned late = 2;
  static constexpr unsigned distant = 3;

  static void age(SetView set, unsigned by) {
    if (by == 0) return;
    for (std::uint32_t way = 0; way < set.ways; ++way) {
      const unsigned older = LineWord::policy(set.lines[way]) + by;
      if (LineWord::empty(set.lines[way])) continue;
      set.lines[way] = LineWord::with_policy(set.lines[way], older < distant ? older : distant);
    }
  }
};

}  // namespace strata::cache
