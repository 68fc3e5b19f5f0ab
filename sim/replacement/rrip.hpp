// SPDX-License-Identifier: Apache-2.0
// Re-reference interval prediction with two bits a line (Jaleel, Theobald, Steely
// and Emer: High Performance Cache Replacement Using Re-Reference Interval
// Prediction, ISCA 2010). A line that hits is expected back at once; the lines of a
// set age together until one is expected back no sooner than in the distant future,
// and that one is evicted. What policies differ in is the interval that they predict
// for a new line.
#pragma once
#include <algorithm>

#include "replacement/policy.hpp"

namespace strata::replacement::rrip {

inline constexpr unsigned immediate = 0;
inline constexpr unsigned intermediate = 2;
inline constexpr unsigned distant = 3;

inline void hit(SetView set, std::uint32_t way) { set.lines[way] = LineWord::with_policy(set.lines[way], immediate); }

/// The first of the lines with the longest interval.
inline std::uint32_t victim(SetView set) {
  std::uint32_t oldest = no_way;
  for (std::uint32_t way = 0; way < set.ways; ++way) {
    const std::uint64_t word = set.lines[way];
    if (LineWord::empty(word)) return way;
    if (LineWord::pending(word)) continue;
    if (oldest == no_way || LineWord::policy(word) > LineWord::policy(set.lines[oldest])) oldest = way;
  }
  return oldest;
}

/// Ages the set until the line at `way` may be evicted, and puts word there.
inline void insert(SetView set, std::uint32_t way, std::uint64_t word, unsigned interval) {
  const unsigned by = LineWord::empty(set.lines[way]) ? 0 : distant - LineWord::policy(set.lines[way]);
  for (std::uint32_t each = 0; by != 0 && each < set.ways; ++each) {
    if (LineWord::empty(set.lines[each])) continue;
    const unsigned older = std::min(LineWord::policy(set.lines[each]) + by, distant);
    set.lines[each] = LineWord::with_policy(set.lines[each], older);
  }
  set.lines[way] = LineWord::with_policy(word, interval);
}

}  // namespace strata::replacement::rrip
