// SPDX-License-Identifier: Apache-2.0
// A linear map of up to 16 bits over GF(2): every output bit is the parity of
// some input bits. Computed from two small tables, whatever the map.
#pragma once
#include <array>
#include <cstdint>

namespace strata::fabric {

class LinearMap {
 public:
  static constexpr unsigned most_bits = 16;

  LinearMap() = default;
  /// images[b]: where input bit b alone goes.
  explicit LinearMap(const std::array<std::uint64_t, most_bits>& images) {
    for (unsigned value = 0; value < 256; ++value) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (((value >> bit) & 1U) == 0) continue;
        low_[value] ^= images[bit];
        high_[value] ^= images[bit + 8];
      }
    }
  }
  std::uint64_t operator()(std::uint64_t x) const { return low_[x & 0xFFU] ^ high_[(x >> 8U) & 0xFFU]; }

 private:
  std::array<std::uint64_t, 256> low_{};
  std::array<std::uint64_t, 256> high_{};
};

}  // namespace strata::fabric
