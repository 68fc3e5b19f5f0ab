// SPDX-License-Identifier: Apache-2.0
// The groups of parts of a comparison, in the order in which they are shown.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "report/compare/compare.hpp"
#include "report/text/columns.hpp"

namespace strata::report {

struct PartGroup {
  std::string_view name;
  std::string_view title;
  std::string_view unit;  // that tables show
  double per_unit;
};

inline constexpr std::array part_groups = {
    PartGroup{"stages", "time of a request", "ns", 1},
    PartGroup{"served by", "loads served by", "%", 0.01},
    PartGroup{"hits", "hits of a level", "%", 0.01},
    PartGroup{"busy", "busy, mean over the instances", "%", 0.01},
};

// Parts of the group as both machines have them, in their order.
std::vector<const ComparedPart*> parts_of(const CompareReport& report, const PartGroup& group);
// What is worth a row: not what is tiny on both machines.
bool worth_showing(const ComparedPart& part, const std::vector<const ComparedPart*>& group);
// "12.3 -> 15.6 ns" is made of these; "-" where there is none.
std::string part_text(const ComparedPart& part, const PartGroup& group, std::size_t machine);
// "+3.3"; percentage points of a share.
std::string difference_text(const ComparedPart& part, const PartGroup& group);

Columns<ComparedSetting> setting_columns(const CompareReport& report);
Columns<ComparedFigure> figure_columns(const CompareReport& report);
// For people, of parts of that group alone.
Columns<ComparedPart> part_columns(const CompareReport& report, const PartGroup& group);

}  // namespace strata::report
