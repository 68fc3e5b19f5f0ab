// SPDX-License-Identifier: Apache-2.0
// What each level did between two instants, as shares of what it could.
#pragma once
#include <vector>

#include "machine/account/level_traffic.hpp"
#include "stats/kernel_figures.hpp"

namespace strata::study {

/// From core to memory; shared memory only where it was used.
std::vector<stats::LevelUse> levels_between(const std::vector<machine::LevelTraffic>& begin,
                                            const std::vector<machine::LevelTraffic>& end, double seconds);

}  // namespace strata::study
