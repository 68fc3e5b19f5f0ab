// SPDX-License-Identifier: Apache-2.0
// What all caches of one kind have in common: the slices of an L2 or the L1s of all cores differ
// in nothing but what they hold. Latencies, widths and rules in ticks and flags stand here once and
// stay in the nearest of the host's caches, instead of in each of hundreds of instances.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "base/time.hpp"
#include "cache/spec/cache_spec.hpp"
#include "cache/statistics/stall.hpp"
#include "cache/tags/natural_index.hpp"
#include "cache/tags/sectors.hpp"
#include "cache/tags/tag_words.hpp"
#include "engine/clock.hpp"
#include "memory/stages.hpp"

namespace strata::cache {

/// Which set a line belongs to: a pure function of the line number. Without a
/// function: the low bits of the line (NaturalIndex).
struct IndexFunction {
  using Function = std::uint64_t (*)(const void* self, LineNumber line);
  Function function = nullptr;
  const void* self = nullptr;
  bool given = false;  ///< transactions bring their set with them: see set_destination()

  std::uint64_t operator()(LineNumber line) const { return function(self, line); }
};

struct CacheDesign {
  /// The spec must have passed its schema.
  CacheDesign(memory::StageNames& names, const CacheSpec& from, engine::Clock clock, IndexFunction by);

  std::uint64_t index_of(LineNumber line) const {
    return index.function == nullptr ? natural_index(line) : index(line);
  }

  /// The line of a block that sectors, all of one line, belong to; where lines are those of a block or less.
  LineNumber line_of(std::uint64_t block, SectorMask sectors) const {
    if (line_shift == 0) return block;
    const auto first = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(sectors)));
    return block << line_shift | first >> (2 - line_shift);
  }
  /// Where lines are those of a block or less; see each_block().
  std::uint64_t block_of(LineNumber line) const { return line >> line_shift; }
  /// The lines that a block has a part of, or is a part of.
  LineNumber first_line(std::uint64_t block) const { return line_shift < 0 ? block >> 1U : block << line_shift; }
  LineNumber last_line(std::uint64_t block) const {
    return line_shift < 0 ? block >> 1U : ((block + 1) << line_shift) - 1;
  }
  /// For how many sectors of 32 B a bit of a tag word stands.
  std::uint64_t sectors_of_a_bit() const { return line_shift < 0 ? 2 : 1; }
  /// The sectors of its block that belong to a line.
  SectorMask all_of(LineNumber line) const {
    const unsigned sectors = memory::sectors_per_block >> line_shift;
    const auto part = static_cast<unsigned>(line & ((1U << line_shift) - 1U));
    return static_cast<SectorMask>(((1U << sectors) - 1U) << (part * sectors));
  }

  IndexFunction index;
  int line_shift;  ///< lines of a block, as a power of two; -1: a line of two blocks
  unsigned bank_shift;
  bool writes_back, bypass_cg, performs_atomics, streaming, prefetches;
  bool atomics_take_fill_port;
  bool stores_apart;
  bool keeps_masks;  ///< of sectors that are written in part
  std::uint32_t far_mshrs_most;
  std::uint32_t merges_per_mshr;
  Duration tag_occupancy, miss_occupancy;
  Duration ahead;  ///< how long before their turn requests are looked up
  Duration tag_latency;
  Duration hit_latency;    ///< of loads and atomics
  Duration store_latency;  ///< to the acknowledgement of one that is kept here
  Duration fill_latency, atomic_latency, atomic_pass, partial_pass;

  /// How long so many sectors take the arrays.
  struct Occupancy {
    Duration bank, answer, write, fill;
  };
  std::array<Occupancy, memory::sectors_per_block + 1> occupancy;  ///< by sectors
  SectorGroups fill_groups;
  SectorGroups sector_groups;

  struct Stages {
    memory::Stage way, queue, tag, data, data_wait, miss_wait, merged, fill, atomic;
    std::array<memory::Stage, stall_kinds> stall;
  };
  Stages stages;
  NaturalIndex natural_index;
  CacheSpec spec;
};

using SharedDesign = std::shared_ptr<const CacheDesign>;

}  // namespace strata::cache
