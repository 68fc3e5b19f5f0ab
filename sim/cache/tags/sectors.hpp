// SPDX-License-Identifier: Apache-2.0
// Arithmetic on sector masks. A mask has one bit per 32 bytes; larger sectors
// and fill granularities are aligned groups of 1, 2 or 4 bits.
#pragma once
#include <cstdint>

#include "memory/transaction.hpp"

namespace strata::cache {

using memory::SectorMask;

/// Groups of one size within a block: which are touched, which are covered.
class SectorGroups {
 public:
  /// bytes: 32, 64 or 128.
  explicit constexpr SectorGroups(std::uint64_t bytes) {
    const unsigned width = static_cast<unsigned>(bytes / memory::sector_bytes);
    const unsigned group = (1U << width) - 1U;
    for (unsigned mask = 0; mask < 16; ++mask) {
      for (unsigned first = 0; first < memory::sectors_per_block; first += width) {
        const unsigned bits = (group << first) & 0xFU;
        if ((mask & bits) != 0) touched_[mask] = static_cast<SectorMask>(touched_[mask] | bits);
        if ((mask & bits) == bits) covered_[mask] = static_cast<SectorMask>(covered_[mask] | bits);
      }
    }
  }
  /// The groups that have any sector in the mask.
  constexpr SectorMask touched(SectorMask mask) const { return touched_[mask & 0xFU]; }
  /// The groups that have all their sectors in the mask.
  constexpr SectorMask covered(SectorMask mask) const { return covered_[mask & 0xFU]; }

 private:
  SectorMask touched_[16]{};
  SectorMask covered_[16]{};
};

constexpr unsigned count(SectorMask mask) { return memory::sector_count(mask); }
constexpr std::uint64_t bytes(SectorMask mask) { return count(mask) * memory::sector_bytes; }
constexpr SectorMask without(SectorMask mask, SectorMask removed) { return static_cast<SectorMask>(mask & ~removed); }
constexpr SectorMask joined(SectorMask a, SectorMask b) { return static_cast<SectorMask>(a | b); }
constexpr SectorMask common(SectorMask a, SectorMask b) { return static_cast<SectorMask>(a & b); }

}  // namespace strata::cache
