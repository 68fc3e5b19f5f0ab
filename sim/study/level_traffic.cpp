// SPDX-License-Identifier: Apache-2.0
#include "study/level_traffic.hpp"

namespace strata::study {

std::vector<LevelTraffic> levels_between(const std::vector<machine::LevelTraffic>& begin,
                                         const std::vector<machine::LevelTraffic>& end, double seconds) {
  std::vector<LevelTraffic> levels;
  for (std::size_t i = 0; i < end.size(); ++i) {
    const machine::LevelTraffic did = end[i].since(begin[i]);
    if (did.requests == 0 && did.name == "shared memory") continue;
    LevelTraffic level;
    level.name = did.name;
    level.requests = did.requests;
    level.sectors = did.sectors;
    level.sectors_read = did.sectors_read;
    level.sectors_below = did.sectors_below;
    level.sectors_coalesced = did.sectors_coalesced;
    level.hits = did.hits;
    level.misses = did.misses;
    level.bytes_read = did.bytes_read;
    level.bytes_written = did.bytes_written;
    level.bytes_per_second = static_cast<double>(did.bytes_read + did.bytes_written) / seconds;
    level.peak_bytes_per_second = did.peak_bytes_per_second * static_cast<double>(did.instances);
    level.busy_fraction = level.bytes_per_second / level.peak_bytes_per_second;
    levels.push_back(level);
  }
  return levels;
}

}  // namespace strata::study
