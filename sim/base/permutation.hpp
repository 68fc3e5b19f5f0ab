// SPDX-License-Identifier: Apache-2.0
// A seeded permutation of [0, size) that is computed, not stored: a Feistel
// network over the next even power of two, walked until it falls inside the
// range (Black and Rogaway: Ciphers with Arbitrary Finite Domains, 2002).
// A pointer chase over 32 million lines so costs no memory.
#pragma once
#include <bit>
#include <cstdint>

#include "base/random.hpp"

namespace strata {

class Permutation {
 public:
  /// size >= 1.
  constexpr Permutation(std::uint64_t size, std::uint64_t seed) : size_(size), seed_(mix(seed)) {
    const auto bits = static_cast<unsigned>(std::bit_width(size > 1 ? size - 1 : 1));
    low_bits_ = bits / 2;
    high_bits_ = bits - low_bits_;
  }

  constexpr std::uint64_t size() const { return size_; }

  /// The image of index; index < size.
  constexpr std::uint64_t operator()(std::uint64_t index) const {
    do {
      index = encrypt(index);
    } while (index >= size_);
    return index;
  }

 private:
  // Rounds alternate between the halves, so the halves may differ by a bit
  // and every round stays a bijection.
  constexpr std::uint64_t encrypt(std::uint64_t x) const {
    const std::uint64_t low_mask = (std::uint64_t{1} << low_bits_) - 1;
    const std::uint64_t high_mask = (std::uint64_t{1} << high_bits_) - 1;
    std::uint64_t low = x & low_mask;
    std::uint64_t high = x >> low_bits_;
    for (std::uint64_t round = 0; round < 4; round += 2) {
      high ^= scramble(low, round) & high_mask;
      low ^= scramble(high, round + 1) & low_mask;
    }
    return (high << low_bits_) | low;
  }
  constexpr std::uint64_t scramble(std::uint64_t half, std::uint64_t round) const {
    std::uint64_t x = (half + seed_ + (round << 40U)) * 0xD6E8FEB86659FD93U;
    x ^= x >> 32U;
    x *= 0xD6E8FEB86659FD93U;
    return x ^ (x >> 29U);
  }

  std::uint64_t size_;
  std::uint64_t seed_;
  unsigned low_bits_ = 0;
  unsigned high_bits_ = 0;
};

}  // namespace strata
