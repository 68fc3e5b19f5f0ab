// SPDX-License-Identifier: Apache-2.0
// What a cache is made of. An L1, an L2 slice and a slice of a memory-side
// cache are all this, with other figures. Cycles are those of the clock that
// the machine gives the cache.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "cache/spec/data_pool_spec.hpp"
#include "config/schema/schema.hpp"

namespace strata::cache {

enum class WritePolicy : std::uint8_t {
  write_through,  ///< a store is forwarded to the next level at once
  write_back,     ///< a store stays; dirty sectors are written back when the line is evicted
};

enum class WriteAllocate : std::uint8_t {
  none,    ///< a store changes only a line that is present (write-through)
  sector,  ///< a store brings its line in, with its own sectors valid and nothing fetched
};

struct CacheSpec {
  std::string name;  ///< as stages and statistics show it
  Bytes size;        ///< of one instance
  std::uint64_t ways = 16;
  std::optional<DataPoolSpec> data_pool;  ///< none: every tag has data of its own
  std::string compression = "none";       ///< of CompressionTable, or no_compression
  std::uint64_t compressed_sectors = 2;   ///< of 32 B, that each line takes under ratio
  std::uint64_t compression_seed = 1;     ///< of sizes that are drawn
  std::uint64_t tag_ways = 2;             ///< tags for each way, where lines are compressed
  Cycles decompression_latency{0};        ///< added to hits there
  Bytes line{128};
  Bytes sector{32};            ///< the smallest valid part of a line
  Bytes fill_granularity{32};  ///< asked from the next level per miss, aligned
  std::string replacement = "lru";
  std::string prefetcher = "none";    ///< of PrefetcherTable, or no_prefetcher
  std::uint64_t prefetch_degree = 1;  ///< lines that it asks for at once
  WritePolicy write_policy = WritePolicy::write_back;
  WriteAllocate write_allocate = WriteAllocate::sector;
  /// A load that misses proceeds even if fetches reserve all lines of its set; the data are
  /// kept if a line may be evicted for them by then.
  bool streaming = false;
  bool bypass_cg = false;  ///< a load marked cg drops the line and bypasses the cache
  /// Lines with sectors that are written in part; for one more the oldest is completed
  /// from below and cleaned, where stores stay, or forgotten. 0: as many as may be
  /// incomplete. None: nothing is known of such sectors; where stores stay they count as whole.
  std::optional<std::uint64_t> masked_lines;
  /// Dirty lines with sectors that are not valid, those included. None: no bound.
  std::optional<std::uint64_t> incomplete_lines;
  /// Dirty lines of a set; for one more one is cleaned, under lru the least recently used. None: no bound.
  std::optional<std::uint64_t> dirty_ways;
  bool performs_atomics = false;  ///< otherwise they drop the line and are forwarded

  Cycles tag_latency{1};                     ///< lookup to a miss leaving
  Cycles hit_latency;                        ///< lookup to the first data leaving; includes tag_latency
  Cycles fill_latency{0};                    ///< data back from below to the first data leaving
  double lookups_per_clock = 1;              ///< requests that the tags take in a clock
  std::optional<double> misses_per_clock;    ///< requests passed on in a clock; none: no bound
  BytesPerClock data_width;                  ///< answers
  std::optional<BytesPerClock> write_width;  ///< stores into the array; none: as data_width
  bool stores_apart = false;                 ///< stores have a port of that width, reads and write-backs another
  std::optional<BytesPerClock> fill_width;   ///< data from below into the array; none: no bound
  std::uint64_t banks = 1;                   ///< of the data array; 1: it has no conflicts
  std::optional<BytesPerClock> bank_width;   ///< of one bank; none: as data_width

  std::uint64_t input_depth = 16;       ///< requests in the buffer in front of the tags
  std::optional<std::uint64_t> mshrs;   ///< lines being fetched; none: as many as there are lines
  std::uint64_t merges_per_mshr = 16;   ///< requests waiting for a fetch that another began
  std::uint64_t writeback_buffer = 16;  ///< written-back lines on their way down
  /// Turns of the unit that performs them: in one, each word of one sector is
  /// changed once. What several lanes do to one word takes as many turns.
  double atomic_passes_per_clock = 1;
  std::optional<double> partial_passes_per_clock;  ///< none: as atomic_passes_per_clock
  Cycles atomic_latency{0};                        ///< added by that unit
  bool atomics_take_fill_port = false;             ///< its passes and fills take turns at one port of the array

  std::uint64_t lines() const { return size / line; }  ///< of data, none of them compressed
  std::uint64_t most_lines() const { return compression == "none" ? lines() : lines() * tag_ways; }
  std::uint64_t tags_of_set() const { return compression == "none" ? ways : ways * tag_ways; }
  std::uint64_t sets() const { return data_pool ? data_pool->tag_sets : lines() / ways; }
  std::uint64_t most_incomplete_lines() const {
    return incomplete_lines && *incomplete_lines < lines() ? *incomplete_lines : lines();
  }
  std::uint64_t most_masked_lines() const {
    const std::uint64_t most = most_incomplete_lines();
    return masked_lines.value_or(0) == 0 || *masked_lines > most ? most : *masked_lines;
  }
  std::uint64_t mshr_count() const { return mshrs.value_or(lines()); }

  static config::Schema<CacheSpec> schema();
};

/// What is wrong where a data pool has data for more lines than there are tags; empty: nothing.
std::string beyond_tags(const CacheSpec& spec);
/// Sets of tags that have one for each line.
std::uint64_t enough_tag_sets(const CacheSpec& spec);

}  // namespace strata::cache
