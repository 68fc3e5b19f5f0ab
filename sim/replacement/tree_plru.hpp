// SPDX-License-Identifier: Apache-2.0
// Tree pseudo-LRU: one bit per node of a binary tree over the ways says which
// half was used less recently (Handy: The Cache Memory Book, 1998). Ways that
// are no power of two leave the right end of the tree bare, and the search
// turns left there.
#pragma once
#include <bit>

#include "replacement/policy.hpp"

namespace strata::replacement {

class TreePlru {
 public:
  static constexpr std::string_view name = "tree_plru";
  static constexpr std::string_view meaning =
      "evicts the way that a tree of bits points to; a use makes the bits on its path point away";
  static constexpr Forgets forgets = Forgets::gradually;

  explicit TreePlru(const TagShape& shape)
      : leaves_(std::bit_ceil(shape.ways)), depth_(static_cast<unsigned>(std::countr_zero(leaves_))) {}
  std::uint32_t state_words() const { return (leaves_ + 63) / 64; }

  std::uint32_t hit(SetView set, std::uint32_t way) const {
    point_away(set, way);
    return way;
  }
  std::uint32_t victim(SetView set) const {
    if (const std::uint32_t empty = set.first_empty(); empty != no_way) return empty;
    std::uint32_t node = 1;
    for (unsigned below = depth_; below-- > 0;) {
      const std::uint32_t right = 2 * node + 1;
      const std::uint32_t first_way = (right << below) - leaves_;
      node = bit(set, node) && first_way < set.ways ? right : 2 * node;
    }
    return set.movable_from(node - leaves_);
  }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) const {
    set.lines[way] = word;
    point_away(set, way);
    return way;
  }
  void remove(SetView set, std::uint32_t way) const { set.lines[way] = 0; }

 private:
  static bool bit(SetView set, std::uint32_t node) { return (set.state[node / 64] >> (node % 64) & 1U) != 0; }
  /// A node's bit set: the victim is in its right half.
  void point_away(SetView set, std::uint32_t way) const {
    for (std::uint32_t node = way + leaves_; node > 1; node /= 2) {
      const std::uint32_t parent = node / 2;
      const std::uint64_t mask = std::uint64_t{1} << (parent % 64);
      std::uint64_t& word = set.state[parent / 64];
      word = (node & 1U) != 0 ? word & ~mask : word | mask;
    }
  }

  std::uint32_t leaves_;
  unsigned depth_;
};

}  // namespace strata::replacement
