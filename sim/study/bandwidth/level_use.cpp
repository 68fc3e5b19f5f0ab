// SPDX-License-Identifier: Apache-2.0
#include "study/bandwidth/level_use.hpp"

#include <algorithm>
#include <cmath>

namespace strata::study {

std::vector<stats::LevelUse> levels_between(const std::vector<machine::LevelTraffic>& begin,
                                            const std::vector<machine::LevelTraffic>& end, double seconds) {
  std::vector<stats::LevelUse> levels;
  for (std::size_t i = 0; i < end.size(); ++i) {
    const machine::LevelTraffic did = end[i] - begin[i];
    if (did.requests == 0 && did.shared_memory) continue;
    stats::LevelUse level;
    static_cast<stats::LevelCounts&>(level) = static_cast<const stats::LevelCounts&>(did);
    level.name = did.name;
    level.shared_memory = did.shared_memory;
    // The peak of this mix of reads and stores. Counted bytes for which a port is reserved in
    // advance move later.
    const auto instances = static_cast<double>(did.instances);
    const double needed = did.needed_seconds();
    const auto bytes = static_cast<double>(did.bytes_read + did.bytes_written);
    level.peak_bytes_per_second = instances * (needed > 0 ? bytes / needed : did.peak_bytes_per_second);
    level.busy_fraction = instances > 0 ? did.busy_seconds() / instances / seconds : std::nan("");
    // A resource that is always busy has a share of 1, regardless of floating-point rounding of its
    // seconds.
    if (level.busy_fraction > 1 && level.busy_fraction < 1 + 1e-12) level.busy_fraction = 1;
    level.bytes_per_second = needed > 0 ? level.busy_fraction * level.peak_bytes_per_second : 0;
    levels.push_back(level);
  }
  return levels;
}

}  // namespace strata::study
