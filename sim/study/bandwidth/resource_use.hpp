// SPDX-License-Identifier: Apache-2.0
// Which resource was the bottleneck: all resources of a kind together, by the
// share of the time that they were busy.
#pragma once
#include <vector>

#include "base/time.hpp"
#include "stats/baseline.hpp"
#include "stats/collector.hpp"
#include "study/bandwidth/bandwidth.hpp"

namespace strata::study {

/// The kinds of resource that served anything in `watched`, the busiest first:
/// by the mean over the instances that took part, those that did at least half
/// of what the busiest did.
std::vector<ResourceUse> resource_use(const stats::Snapshot& between, Duration watched);

/// By how much what is reserved beyond now has grown since the baseline, over `watched`: mean over the instances of a
/// kind, of the kind that it has grown most for. A rate in front of such a queue is not yet that behind it.
double queues_grow(const stats::Snapshot& now, const stats::Baseline& before, Duration watched);

}  // namespace strata::study
