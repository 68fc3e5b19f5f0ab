// SPDX-License-Identifier: Apache-2.0
// What all caches of a level, or all channels, have counted together. Two states of the same level, taken at different
// times, subtract.
#pragma once
#include <cmath>
#include <cstdint>
#include <boost/pfr/core.hpp>

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

/// operation(counter, the same counter of other), for every counter by construction.
template <class Operation>
void with_each(LevelCounts& all, const LevelCounts& other, Operation operation) {
  boost::pfr::for_each_field(all, [&]<class Index>(std::uint64_t& counter, Index) {
    operation(counter, boost::pfr::get<Index::value>(other));
  });
}

inline LevelCounts& operator+=(LevelCounts& all, const LevelCounts& other) {
  with_each(all, other, [](std::uint64_t& sum, std::uint64_t part) { sum += part; });
  return all;
}
/// What was counted between the two states.
inline LevelCounts operator-(LevelCounts end, const LevelCounts& begin) {
  with_each(end, begin, [](std::uint64_t& counter, std::uint64_t before) { counter -= before; });
  return end;
}
/// With what was counted in a part, the window, so many times more; rounded.
inline LevelCounts repeated(LevelCounts all, const LevelCounts& window, double times) {
  with_each(all, window, [times](std::uint64_t& counter, std::uint64_t part) {
    counter += static_cast<std::uint64_t>(std::llround(static_cast<double>(part) * times));
  });
  return all;
}

}  // namespace strata::stats
