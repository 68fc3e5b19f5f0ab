// SPDX-License-Identifier: Apache-2.0
#include "stats/kernel_figures.hpp"

#include <limits>

namespace strata::stats {

namespace {
double ratio(double part, double whole) { return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN(); }
}  // namespace

double LevelCounts::hit_rate() const { return ratio(static_cast<double>(hits), static_cast<double>(hits + misses)); }

double LevelUse::share_of_peak() const { return ratio(bytes_per_second, peak_bytes_per_second); }

}  // namespace strata::stats
