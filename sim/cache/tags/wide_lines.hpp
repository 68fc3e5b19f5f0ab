// SPDX-License-Identifier: Apache-2.0
// Lines of 256 B, each of two blocks, which are what requests name. The four bits of a tag word stand
// for sectors of 64 B: bits 0 and 1 for those of the even block, 2 and 3 for those of the odd one.
// Requests have masks of one block in sectors of 32 B. Where both meet, the kind of the tags says
// whether there is anything to convert: for lines of a block or less there is not, and it costs nothing.
#pragma once
#include <cstdint>

#include "cache/spec/cache_design.hpp"
#include "cache/tags/pooled_tag_array.hpp"
#include "cache/tags/sectors.hpp"
#include "cache/tags/tag_array.hpp"
#include "replacement/any_policy.hpp"

namespace strata::cache {

/// Every policy by its name: few machines have such lines.
struct WideTags : TagArray<replacement::AnyPolicy> {
  using TagArray::TagArray;
  static constexpr unsigned blocks_of_a_line = 2;
};
struct WidePooledTags : PooledTagsByName {
  using PooledTags::PooledTags;
  static constexpr unsigned blocks_of_a_line = 2;
};

template <class Tags>
concept WideLines = Tags::blocks_of_a_line == 2;

/// These sectors of a block in the bits of its line; of a sector of 64 B that is touched in part, the whole.
template <class Tags>
constexpr SectorMask in_line([[maybe_unused]] std::uint64_t block, SectorMask sectors) {
  if constexpr (WideLines<Tags>) {
    const unsigned halves = sectors | sectors >> 1U;
    return static_cast<SectorMask>(((halves & 1U) | (halves >> 1U & 2U)) << 2 * (block & 1U));
  }
  return sectors;
}

/// What the bits of its line say of a block, in its own sectors.
template <class Tags>
constexpr SectorMask in_block([[maybe_unused]] std::uint64_t block, SectorMask of_line) {
  if constexpr (WideLines<Tags>) {
    const unsigned halves = of_line >> 2 * (block & 1U);
    return static_cast<SectorMask>((halves & 1U) * 0b0011U | (halves >> 1U & 1U) * 0b1100U);
  }
  return of_line;
}

/// The line of a block that sectors, all of one line, belong to.
template <class Tags>
[[gnu::always_inline]] inline LineNumber line_of(const CacheDesign& design, std::uint64_t block, SectorMask sectors) {
  if constexpr (WideLines<Tags>) return block >> 1U;
  return design.line_of(block, sectors);
}

/// How many blocks these bits of a line are of: as many requests carry them.
template <class Tags>
constexpr std::uint32_t blocks_in([[maybe_unused]] SectorMask of_line) {
  if constexpr (WideLines<Tags>) return ((of_line & 0b0011U) != 0 ? 1U : 0U) + ((of_line & 0b1100U) != 0 ? 1U : 0U);
  return 1;
}

/// Calls visit with the block of a line, or with those of its two that have any of these bits, and with the
/// sectors of each.
template <class Tags, class Visit>
[[gnu::always_inline]] inline void each_block(const CacheDesign& design, LineNumber line, SectorMask of_line,
                                              const Visit& visit) {
  if constexpr (WideLines<Tags>) {
    for (const std::uint64_t block : {line << 1U, line << 1U | 1U})
      if (const SectorMask sectors = in_block<Tags>(block, of_line); sectors != 0) visit(block, sectors);
  } else {
    visit(design.block_of(line), of_line);
  }
}

}  // namespace strata::cache
