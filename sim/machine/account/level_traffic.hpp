// SPDX-License-Identifier: Apache-2.0
// What a level of the machine has done: the figures of all its caches, or
// channels, added up. Two of them, taken at different times, subtract.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include "stats/level_counts.hpp"

namespace strata::machine {

struct LevelTraffic : stats::LevelCounts {
  std::string name;
  bool shared_memory = false;          ///< of the cores: not a level of caches
  std::uint64_t instances = 0;         ///< caches or channels that exist
  double peak_bytes_per_second = 0;    ///< of one instance's data port, reading
  double peak_written_per_second = 0;  ///< the same of stores, where that is another
  bool stores_apart = false;           ///< stores have a port of their own
  /// How long the ports need for these bytes, less what is booked and yet to move.
  double port_seconds = 0;
  double store_port_seconds = 0;  ///< where stores are apart

  /// What the ports need for all bytes, at the peaks; of two ports the busier.
  double needed_seconds() const {
    const double reading = static_cast<double>(bytes_read) / peak_bytes_per_second;
    const double writing = static_cast<double>(bytes_written) / peak_written_per_second;
    return stores_apart ? std::max(reading, writing) : reading + writing;
  }
  double busy_seconds() const { return std::max({port_seconds, store_port_seconds, 0.0}); }
};

/// What the level did between the two.
inline LevelTraffic operator-(LevelTraffic end, const LevelTraffic& begin) {
  static_cast<stats::LevelCounts&>(end) = static_cast<const stats::LevelCounts&>(end) - begin;
  end.port_seconds -= begin.port_seconds;
  end.store_port_seconds -= begin.store_port_seconds;
  return end;
}
/// With the window, a part of it, repeated so many times more; rounded.
inline LevelTraffic repeated(LevelTraffic all, const LevelTraffic& window, double times) {
  static_cast<stats::LevelCounts&>(all) = stats::repeated(static_cast<const stats::LevelCounts&>(all), window, times);
  all.port_seconds += window.port_seconds * times;
  all.store_port_seconds += window.store_port_seconds * times;
  return all;
}

}  // namespace strata::machine
