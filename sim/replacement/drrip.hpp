// SPDX-License-Identifier: Apache-2.0
// Dynamic re-reference interval prediction (Jaleel et al., ISCA 2010). Some sets
// always predict an intermediate interval for a new line, as many others a distant
// one with an intermediate one now and then, which keeps a part of a working set that
// does not fit. A counter of ten bits compares the misses of both groups, and all
// other sets follow the group that misses less (set duelling).
#pragma once
#include <algorithm>

#include "replacement/rrip.hpp"

namespace strata::replacement {

class Drrip {
 public:
  static constexpr std::string_view name = "drrip";
  static constexpr std::string_view meaning =
      "srrip, or a new line evicted first: the choice with fewer misses in a few sets is used in all";
  static constexpr Forgets forgets = Forgets::never;

  /// Caches of fewer than four sets have none to spare and stay with srrip.
  explicit Drrip(const TagShape& shape)
      : leader_distance_(shape.sets < 4 ? 0 : std::max<std::uint64_t>(4, shape.sets / leaders)) {}
  std::uint32_t state_words() const { return 0; }

  std::uint32_t hit(SetView set, std::uint32_t way) const {
    rrip::hit(set, way);
    return way;
  }
  std::uint32_t victim(SetView set) const { return rrip::victim(set); }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) {
    rrip::insert(set, way, word,
                 bimodal(set.set) && ++bimodal_fills_ % fills_a_rare_one != 0 ? rrip::distant : rrip::intermediate);
    return way;
  }
  void remove(SetView set, std::uint32_t way) const { set.lines[way] = 0; }

 private:
  static constexpr std::uint64_t leaders = 32;           // sets of a group
  static constexpr std::uint64_t fills_a_rare_one = 32;  // one fill of so many is intermediate
  static constexpr unsigned most = 1023;

  /// Counts the miss that brings a line into this set; whether the set is bimodal.
  bool bimodal(std::uint64_t set) {
    if (leader_distance_ == 0) return false;
    const std::uint64_t place = set % leader_distance_;
    if (place == 0) {
      misses_of_static_ += misses_of_static_ < most ? 1U : 0U;
      return false;
    }
    if (place == leader_distance_ / 2) {
      misses_of_static_ -= misses_of_static_ > 0 ? 1U : 0U;
      return true;
    }
    return misses_of_static_ > most / 2 + 1;
  }

  std::uint64_t leader_distance_;  // sets; 0: no duel
  std::uint64_t bimodal_fills_ = 0;
  unsigned misses_of_static_ = most / 2 + 1;  // less those of the other group, from the middle
};

}  // namespace strata::replacement
