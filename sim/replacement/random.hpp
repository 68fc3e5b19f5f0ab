// SPDX-License-Identifier: Apache-2.0
// Random replacement: the victim is a hash of the seed, the set and how many
// lines the set has taken in, so a run repeats bit for bit and sets do not
// influence one another.
#pragma once
#include "base/random.hpp"
#include "replacement/policy.hpp"

namespace strata::replacement {

class Random {
 public:
  static constexpr std::string_view name = "random";
  static constexpr std::string_view meaning = "evicts a pseudo-random way, by a seeded hash";
  static constexpr Forgets forgets = Forgets::gradually;

  explicit Random(const TagShape& shape) : seed_(shape.seed) {}
  std::uint32_t state_words() const { return 1; }

  std::uint32_t hit(SetView, std::uint32_t way) const { return way; }
  std::uint32_t victim(SetView set) const {
    if (const std::uint32_t empty = set.first_empty(); empty != no_way) return empty;
    const std::uint64_t drawn = mix(seed_ ^ mix(set.set), set.state[0]);
    return set.movable_from(static_cast<std::uint32_t>(scale_to(drawn, set.ways)));
  }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) const {
    set.lines[way] = word;
    ++set.state[0];
    return way;
  }
  void remove(SetView set, std::uint32_t way) const { set.lines[way] = 0; }

 private:
  std::uint64_t seed_;
};

}  // namespace strata::replacement
