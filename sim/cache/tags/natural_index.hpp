// SPDX-License-Identifier: Apache-2.0
// The set of a line in a cache that no address map spreads: the low bits of
// the line number. Where tags share a pool of data, each bit of the line number flips some bits
// of the set: as `set_hash` says, which for an L1 of Hopper was measured (docs/notes/l1-knee.md), or else so
// that the set is the remainder of the line number, a polynomial over GF(2), by x^n + x^2 + 1 (Rau:
// Pseudo-Randomly Interleaved Memory, ISCA 1991): lines a power of two apart then fill all sets alike.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "cache/spec/cache_spec.hpp"
#include "cache/tags/tag_words.hpp"

namespace strata::cache {

class NaturalIndex {
 public:
  explicit NaturalIndex(const CacheSpec& spec)
      : sets_(spec.sets()), power_of_two_(std::has_single_bit(sets_)), within_(sets_ - 1) {
    if (!spec.data_pool) return;
    hashed_ = true;
    const bool by_hash = spec.data_pool->hashed();
    const std::vector<std::uint32_t>& given = spec.data_pool->set_hash;
    std::uint32_t power = 1;  // x^bit by the polynomial
    const auto top = static_cast<std::uint32_t>(sets_);
    for (unsigned bit = 0; bit < line_bits; ++bit) {
      const std::uint32_t flips = !by_hash ? power & (top - 1) : bit < given.size() ? given[bit] : 0;
      std::array<std::uint32_t, 256>& byte = flipped_[bit / 8];
      for (std::uint32_t value = 0; value < byte.size(); ++value)
        if ((value >> bit % 8 & 1U) != 0) byte[value] ^= flips;
      power <<= 1U;
      if ((power & top) != 0) power ^= top | (5 & (top - 1)) | 1U;
    }
  }

  std::uint64_t operator()(LineNumber line) const {
    if (!hashed_) return power_of_two_ ? line & within_ : line % sets_;
    std::uint64_t set = 0;
    for (const auto& byte : flipped_) {
      if (line == 0) break;
      set ^= byte[line & 255U];
      line >>= 8U;
    }
    return set;
  }

 private:
  static constexpr unsigned line_bits = 48;

  std::uint64_t sets_;
  bool power_of_two_;
  bool hashed_ = false;
  std::uint64_t within_;
  std::array<std::array<std::uint32_t, 256>, line_bits / 8> flipped_{};  ///< of the set, by bytes of the line number
};

}  // namespace strata::cache
