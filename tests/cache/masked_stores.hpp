// SPDX-License-Identifier: Apache-2.0
// Stores of some words of their sectors, and a cache that keeps them.
#pragma once
#include <cstdint>

#include "cache_bench.hpp"

namespace strata::cache::test {

using memory::WordMask;

inline WordMask word(unsigned sector, unsigned w) { return WordMask{1} << (8 * sector + w); }

/// So many lines keep words of sectors written in part.
inline CacheSpec masking(std::uint64_t lines) {
  CacheSpec spec = write_back_spec();
  spec.masked_lines = lines;
  return spec;
}

struct MaskBench : Bench {
  using Bench::Bench;
  /// A store of these words alone.
  void store(std::uint64_t block, WordMask words) {
    SectorMask sectors = 0;
    for (unsigned s = 0; s < memory::sectors_per_block; ++s)
      if ((words & memory::words_of(static_cast<SectorMask>(1U << s))) != 0)
        sectors = static_cast<SectorMask>(sectors | 1U << s);
    send(block, simulation.now(), sectors, Operation::store).words = words;
    run();
  }
};

}  // namespace strata::cache::test
