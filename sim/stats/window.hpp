// SPDX-License-Identifier: Apache-2.0
// The statistics of a window of time, as users read them: the length of the window comes first, so
// that a busy time can be read as a share of it.
#pragma once
#include <vector>

#include "stats/collector.hpp"

namespace strata::stats {

struct Window {
  double ns = 0;
  double core_cycles = 0;  ///< the same time, in cycles of the core clock
  double ns_per_tick = 1;
};

/// "elapsed time" and "elapsed cycles" of the window, then each figure. A resource makes three rows: its
/// busy time, "PATH/share" of the window, the mean over its instances, and "PATH/served".
std::vector<Statistic> statistics(const Snapshot& between, Detail detail, const Window& window);

/// The figures of two machines or of two windows, added path by path.
Snapshot sum(const Snapshot& first, const Snapshot& second);

}  // namespace strata::stats
