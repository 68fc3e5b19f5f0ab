// SPDX-License-Identifier: Apache-2.0
// The journey of a load as a drawing, and its title on page and drawing.
#pragma once
#include <string>

#include "report/data.hpp"

namespace strata::report {

std::string title_of(const JourneyReport& report);
// A bar for each stage, which begins where the one before ended.
std::string svg(const JourneyReport& report);

}  // namespace strata::report
