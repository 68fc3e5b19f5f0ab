// SPDX-License-Identifier: Apache-2.0
// Signature-based hit prediction (Wu, Jaleel, Hasenplaug, Martonosi, Steely and Emer:
// SHiP, MICRO 2011) with the memory region as the signature (SHiP-Mem). A table of
// 16 384 counters of three bits learns which regions of 128 lines are used again: a hit
// counts up, a line evicted without one counts down. A new line of a region at zero is
// expected back in the distant future, any other after an intermediate interval.
#pragma once
#include <vector>

#include "replacement/rrip.hpp"

namespace strata::replacement {

class Ship {
 public:
  static constexpr std::string_view name = "ship";
  static constexpr std::string_view meaning =
      "srrip, but new lines of a region whose lines were not used again are evicted first";
  static constexpr Forgets forgets = Forgets::never;

  explicit Ship(const TagShape& shape) : used_words_((shape.ways + 63) / 64), reuse_(regions, 1) {}
  std::uint32_t state_words() const { return used_words_; }

  std::uint32_t hit(SetView set, std::uint32_t way) {
    rrip::hit(set, way);
    set.state[way / 64] |= bit(way);
    std::uint8_t& reuse = reuse_[region(set.lines[way])];
    reuse = static_cast<std::uint8_t>(reuse + (reuse < most ? 1 : 0));
    return way;
  }
  std::uint32_t victim(SetView set) const { return rrip::victim(set); }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) {
    const std::uint64_t old = set.lines[way];
    if (!LineWord::empty(old) && (set.state[way / 64] & bit(way)) == 0) {
      std::uint8_t& reuse = reuse_[region(old)];
      reuse = static_cast<std::uint8_t>(reuse - (reuse > 0 ? 1 : 0));
    }
    set.state[way / 64] &= ~bit(way);
    rrip::insert(set, way, word, reuse_[region(word)] == 0 ? rrip::distant : rrip::intermediate);
    return way;
  }
  void remove(SetView set, std::uint32_t way) const {
    set.lines[way] = 0;
    set.state[way / 64] &= ~bit(way);
  }

 private:
  static constexpr unsigned index_bits = 14;
  static constexpr std::size_t regions = std::size_t{1} << index_bits;
  static constexpr unsigned lines_of_region = 128;
  static constexpr std::uint8_t most = 7;

  static std::uint64_t bit(std::uint32_t way) { return std::uint64_t{1} << (way % 64); }
  static std::size_t region(std::uint64_t word) {
    const std::uint64_t number = LineWord::line(word) / lines_of_region;
    return static_cast<std::size_t>((number ^ number >> index_bits ^ number >> 2 * index_bits) % regions);
  }

  std::uint32_t used_words_;         // bits of lines that were used again
  std::vector<std::uint8_t> reuse_;  // by region
};

}  // namespace strata::replacement
