// SPDX-License-Identifier: Apache-2.0
// What a request takes of the MSHRs and of the write-back buffer, summed before anything changes.
#pragma once
#include <cstdint>

#include "cache/tags/tag_words.hpp"

namespace strata::cache {

struct Needs {
  std::uint32_t mshrs = 0;
  std::uint32_t places = 0;  ///< of the write-back buffer

  /// A line that is evicted or cleaned: an MSHR if sectors of it are masked, else a place of the
  /// write-back buffer for each of its blocks that are dirty.
  void add(SectorMask masked, SectorMask dirty, std::uint32_t blocks = 1) {
    mshrs += masked != 0 ? 1 : 0;
    places += masked == 0 && dirty != 0 ? blocks : 0;
  }
};

}  // namespace strata::cache
