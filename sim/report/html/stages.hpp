// SPDX-License-Identifier: Apache-2.0
// The waterfall: the stages of a load in order, each a bar that begins where the one before
// ended. A table, so that every figure is there without the picture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/data.hpp"

namespace strata::report {

// The totals are the latency as the machine saw it. `before` is markup above the table.
std::string waterfall(const std::vector<JourneyStage>& stages, double total_cycles, double total_ns,
                      std::string_view before = "");

}  // namespace strata::report
