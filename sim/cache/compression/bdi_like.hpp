// SPDX-License-Identifier: Apache-2.0
// Sizes as of data of many kinds under base-delta-immediate compression (Pekhimenko, Seshadri, Mutlu,
// Gibbons, Kozuch and Mowry: Base-Delta-Immediate Compression, PACT 2012): some lines are zeros or one
// repeated value, some have small differences, many do not compress. Of 8 lines 2 take a quarter of
// their size, 2 a half, 1 three quarters and 3 all of it, drawn by a seeded hash of the line number:
// 21/32 in the mean, so 1.52 times the lines; the authors report 1.53 times the capacity on average.
#pragma once
#include <array>

#include "base/random.hpp"
#include "cache/compression/policy.hpp"

namespace strata::cache {

class BdiLike {
 public:
  static constexpr std::string_view name = "bdi_like";
  static constexpr std::string_view meaning =
      "lines take 1/4 to 4/4 of their size, 21/32 in the mean, by a seeded hash";
  static constexpr bool reads_sectors = false;
  static constexpr bool reads_seed = true;

  explicit BdiLike(const CompressionShape& shape) : line_sectors_(shape.line_sectors), seed_(shape.seed) {}
  unsigned sectors(LineNumber line) const {
    const unsigned quarters = quarters_of_eight[mix(seed_, line) >> 61U];
    return (quarters * line_sectors_ + 3) / 4;
  }

 private:
  static constexpr std::array<unsigned, 8> quarters_of_eight{1, 1, 2, 2, 3, 4, 4, 4};

  unsigned line_sectors_;
  std::uint64_t seed_;
};

}  // namespace strata::cache
