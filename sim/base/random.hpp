// SPDX-License-Identifier: Apache-2.0
// Seeded, stateless randomness that gives the same bits on every compiler:
// the mixing function of SplitMix64 (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, 2014). Whatever must look random in a
// machine (page placement, victims) is a hash of a seed and an index.
#pragma once
#include <cstdint>

namespace strata {

/// A bijection of 64-bit words whose every output bit depends on every input bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t index) { return mix(seed ^ mix(index)); }

/// Maps a uniform 64-bit word to [0, bound) without division; bound > 0.
constexpr std::uint64_t scale_to(std::uint64_t word, std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(word) * bound) >> 64U);
}

/// A sequence of random words, for places that draw in a fixed order.
class RandomSequence {
 public:
  explicit constexpr RandomSequence(std::uint64_t seed) : state_(mix(seed)) {}
  constexpr std::uint64_t next() { return mix(state_++); }
  constexpr std::uint64_t below(std::uint64_t bound) { return scale_to(next(), bound); }

 private:
  std::uint64_t state_;
};

}  // namespace strata
