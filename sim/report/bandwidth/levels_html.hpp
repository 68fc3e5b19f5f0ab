// SPDX-License-Identifier: Apache-2.0
// Tables of what a machine's levels moved and how busy its resources were, for pages.
#pragma once
#include <string>

#include "report/bandwidth/data.hpp"
#include "report/html/page.hpp"

namespace strata::report {

// A bar that is full at one; a share that counts as saturated may be marked.
Cell share_cell(double share, bool mark_saturated = true);
// Levels that were asked for something.
std::string level_table(const Watched& watched);
// The busiest kinds of resource.
std::string resource_table(const Watched& watched);

}  // namespace strata::report
