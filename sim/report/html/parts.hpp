// SPDX-License-Identifier: Apache-2.0
// Parts that several pages have: measured points with their errors, and the
// effective configuration.
#pragma once

#include <vector>

#include "report/html/page.hpp"

namespace strata::report {

// "Measured against predicted": the source and a row for each point.
void add_comparison(Page& page, const Comparison& comparison);

// "Effective configuration", folded away; nothing where there are no settings.
void add_settings(Page& page, const std::vector<Setting>& settings);

// The tiles of a comparison: mean error and worst point.
void add_comparison_tiles(Page& page, const Comparison& comparison);

}  // namespace strata::report
