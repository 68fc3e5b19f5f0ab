// SPDX-License-Identifier: Apache-2.0
// An access without time: what Cache::touch() is asked, and what it leaves to the level below.
#pragma once
#include <cstdint>
#include <vector>

#include "cache/tags/tag_words.hpp"
#include "memory/transaction.hpp"

namespace strata::cache {

/// What touch() is asked; as in a transaction.
struct TouchRequest {
  std::uint64_t block = 0;  ///< physical address / 128
  SectorMask sectors = memory::all_sectors;
  memory::Operation operation = memory::Operation::load;
  memory::CacheOperator cache_operator = memory::CacheOperator::ca;
  std::uint8_t home_die = 0;
};

/// Dirty sectors of lines that were evicted besides, where lines are compressed.
struct SurplusVictim {
  std::uint64_t block;
  SectorMask dirty;
};
using SurplusVictims = std::vector<SurplusVictim>;

struct Touch {
  SectorMask hit = 0;    ///< sectors that were there
  SectorMask below = 0;  ///< sectors to touch on the next level; 0: none
  memory::Operation below_operation = memory::Operation::load;
  SectorMask victim_dirty = 0;              ///< sectors to write back below, of a line that goes or is cleaned; 0: none
  std::uint64_t victim_block = 0;           ///< if so, of this block
  SectorMask next_dirty = 0;                ///< sectors of the block after it, of the same line of two blocks
  const SurplusVictims* surplus = nullptr;  ///< to be written back before; good until the next touch()
};

/// Calls below with each request that a touch leaves to the next level, one after the other.
template <class Below>
void pass_on(const TouchRequest& request, const Touch& touch, const Below& below) {
  const auto write_back = [&](std::uint64_t block, SectorMask dirty) {
    if (dirty != 0)
      below(TouchRequest{block, dirty, memory::Operation::writeback, request.cache_operator,
                         memory::Transaction::unknown_home});
  };
  if (touch.surplus != nullptr)
    for (const SurplusVictim& victim : *touch.surplus) write_back(victim.block, victim.dirty);
  if (touch.below != 0)
    below(TouchRequest{request.block, touch.below, touch.below_operation, request.cache_operator, request.home_die});
  write_back(touch.victim_block, touch.victim_dirty);
  write_back(touch.victim_block + 1, touch.next_dirty);
}

}  // namespace strata::cache
