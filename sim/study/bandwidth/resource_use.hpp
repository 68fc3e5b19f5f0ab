// SPDX-License-Identifier: Apache-2.0
// Which resource was the bottleneck: all resources of a kind together, by the
// share of the time that they were busy.
#pragma once
#include <vector>

#include "base/time.hpp"
#include "stats/collector.hpp"
#include "study/bandwidth/bandwidth.hpp"

namespace strata::study {

/// The kinds of resource that served anything in `watched`, the busiest first:
/// by the mean over the instances that took part, those that did at least half
/// of what the busiest did.
std::vector<ResourceUse> resource_use(const stats::Snapshot& between, Duration watched);

}  // namespace strata::study
