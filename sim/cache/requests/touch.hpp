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
  const SurplusVictims* surplus = nullptr;  ///< to be written back before; good until the next touch()
};

}  // namespace strata::cache
