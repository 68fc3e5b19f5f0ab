// SPDX-License-Identifier: Apache-2.0
// What all caches of a level, or all channels, have counted together. Two states of the same level, taken at different
// times, subtract.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

namespace strata::stats {

struct LevelCounts {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;  ///< asked for by reads and brought by writes
  std::uint64_t sectors_read = 0;
  std::uint64_t sectors_below = 0;      ///< of these, asked from the next level: neither there nor under way
  std::uint64_t sectors_coalesced = 0;  ///< of these, answered with what another core asked for
  /// Sectors read that were there or on their way, and sectors stored that the level keeps until they are written
  /// back, or had before: as profilers count hits. Of DRAM: row hits.
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;  ///< the other sectors; of DRAM: the other accesses to rows
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;

  double hit_rate() const;  ///< NaN where nothing was asked
};

inline constexpr std::array level_counters{
    &LevelCounts::requests,      &LevelCounts::sectors,           &LevelCounts::sectors_read,
    &LevelCounts::sectors_below, &LevelCounts::sectors_coalesced, &LevelCounts::hits,
    &LevelCounts::misses,        &LevelCounts::bytes_read,        &LevelCounts::bytes_written};
static_assert(sizeof(LevelCounts) == level_counters.size() * sizeof(std::uint64_t), "each counter is listed");

/// What was counted between the two states.
inline LevelCounts operator-(LevelCounts end, const LevelCounts& begin) {
  for (const auto counter : level_counters) end.*counter -= begin.*counter;
  return end;
}
/// With what was counted in a part, the window, so many times more; rounded.
inline LevelCounts repeated(LevelCounts all, const LevelCounts& window, double times) {
  for (const auto counter : level_counters)
    all.*counter += static_cast<std::uint64_t>(std::llround(static_cast<double>(window.*counter) * times));
  return all;
}

}  // namespace strata::stats
