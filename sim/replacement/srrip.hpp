// SPDX-License-Identifier: Apache-2.0
// Static re-reference interval prediction: every new line is expected back after an
// intermediate interval.
#pragma once
#include "replacement/rrip.hpp"

namespace strata::replacement {

class Srrip {
 public:
  static constexpr std::string_view name = "srrip";
  static constexpr std::string_view meaning =
      "evicts a line whose re-reference is predicted last; a hit predicts an early one";
  static constexpr Forgets forgets = Forgets::gradually;

  explicit Srrip(const TagShape&) {}
  std::uint32_t state_words() const { return 0; }

  std::uint32_t hit(SetView set, std::uint32_t way) const {
    rrip::hit(set, way);
    return way;
  }
  std::uint32_t victim(SetView set) const { return rrip::victim(set); }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) const {
    rrip::insert(set, way, word, rrip::intermediate);
    return way;
  }
  void remove(SetView set, std::uint32_t way) const { set.lines[way] = 0; }
};

}  // namespace strata::replacement
