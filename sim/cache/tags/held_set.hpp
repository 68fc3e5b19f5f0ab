// SPDX-License-Identifier: Apache-2.0
// What one set of a cache holds, and which lines the cache is fetching.
#pragma once
#include <cstdint>
#include <vector>

#include "cache/tags/tag_words.hpp"

namespace strata::cache {

struct HeldLine {
  LineNumber line = 0;   ///< physical address / line size
  SectorMask valid = 0;  ///< sectors of 32 B
  SectorMask dirty = 0;
  bool pending = false;  ///< a fetch is under way
  bool operator==(const HeldLine&) const = default;
};

struct HeldSet {
  LineNumber line = 0;     ///< for which was asked
  std::uint64_t set = 0;   ///< that it belongs to
  std::uint64_t sets = 0;  ///< of the cache
  std::uint32_t ways = 0;
  std::uint64_t line_bytes = 0;
  std::vector<HeldLine> lines;       ///< in the order of ways, without empty ones
  std::uint32_t mshrs = 0;           ///< that there are
  std::vector<LineNumber> fetching;  ///< a line for each MSHR in use, ascending
};

}  // namespace strata::cache
