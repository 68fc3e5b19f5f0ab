// SPDX-License-Identifier: Apache-2.0
// Which lines an index puts into which sets.
#pragma once
#include <cstdint>
#include <vector>

#include "cache/tags/natural_index.hpp"

namespace strata::cache::test {

/// The n-th line of a set, from 0.
inline LineNumber line_of_set(const NaturalIndex& index, std::uint64_t set, std::uint64_t n) {
  for (LineNumber line = 0;; ++line)
    if (index(line) == set && n-- == 0) return line;
}

/// Of so many lines from `first` on, `stride` lines apart, those that are more than four in one of 512 sets.
inline std::uint64_t crowded(const NaturalIndex& index, std::uint64_t first, std::uint64_t stride,
                             std::uint64_t lines) {
  std::vector<std::uint64_t> in_set(512);
  for (std::uint64_t i = 0; i < lines; ++i) ++in_set[index(first + i * stride)];
  std::uint64_t crowded = 0;
  for (const std::uint64_t n : in_set) crowded += n > 4 ? n : 0;
  return crowded;
}

}  // namespace strata::cache::test
