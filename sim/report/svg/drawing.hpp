// SPDX-License-Identifier: Apache-2.0
// What the drawings that stand alone begin with.
#pragma once
#include <string>
#include <string_view>

namespace strata::report {

// The svg element with style and background, a title at `left` and a subtitle below it; "</svg>" is left to the caller.
std::string begin_drawing(double width, double height, std::string_view title, std::string_view subtitle,
                          double left = 28);

}  // namespace strata::report
