// SPDX-License-Identifier: Apache-2.0
// The contents of a set, for readers of a cache while the machine is stopped.
#include <algorithm>

#include "cache/cache.hpp"

namespace strata::cache {

HeldSet Cache::held(std::uint64_t address) const {
  HeldSet held;
  held.line_bytes = design_.spec.line.value;
  held.line = address / held.line_bytes;
  held.set = index(held.line);
  std::visit(
      [&held](const auto& tags) {
        held.sets = tags.sets();
        held.ways = tags.ways();
        for (std::uint32_t way = 0; way < held.ways; ++way) {
          const std::uint64_t word = tags.word(held.set, way);
          if (LineWord::empty(word) || LineWord::no_data(word)) continue;
          held.lines.push_back(
              {LineWord::line(word), LineWord::valid(word), LineWord::dirty(word), LineWord::pending(word)});
        }
      },
      tags_);
  held.mshrs = mshrs_.count();
  mshrs_.visit([&held](LineNumber line) { held.fetching.push_back(line); });
  std::sort(held.fetching.begin(), held.fetching.end());
  return held;
}

}  // namespace strata::cache
