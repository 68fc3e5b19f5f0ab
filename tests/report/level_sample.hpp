// SPDX-License-Identifier: Apache-2.0
// The counts of a level, with round figures.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "stats/kernel_figures.hpp"

namespace strata::report::sample {

/// The counters that reports show.
struct Shown {
  std::uint64_t requests = 0, sectors = 0, hits = 0, misses = 0, bytes_read = 0, bytes_written = 0;
};

inline stats::LevelUse level(std::string name, const Shown& counts, double rate, double peak, double busy) {
  stats::LevelUse use;
  use.name = std::move(name);
  use.requests = counts.requests;
  use.sectors = counts.sectors;
  use.hits = counts.hits;
  use.misses = counts.misses;
  use.bytes_read = counts.bytes_read;
  use.bytes_written = counts.bytes_written;
  use.bytes_per_second = rate;
  use.peak_bytes_per_second = peak;
  use.busy_fraction = busy;
  return use;
}

}  // namespace strata::report::sample
