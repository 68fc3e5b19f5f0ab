// SPDX-License-Identifier: Apache-2.0
// The columns of the rows of data.hpp, for every writer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/data.hpp"
#include "report/json.hpp"
#include "report/text/columns.hpp"

namespace strata::report {

// footprint_bytes,measured,predicted,error; suffix: of the keys of the two figures.
Columns<ComparedPoint> columns_of(const Comparison& comparison, const std::string& suffix = {});
// Levels take turns in the colours of their shares on a page.
inline constexpr std::size_t share_colours = 7;
// The points of a curve; their shares are one column for people and none for programs.
Columns<LatencyPoint> columns_of(const CurveReport& report);
// The share of a level, for CSV.
template <typename Row>
ColumnOf<Row> share_column(const std::string& level) {
  return {{"share_" + level}, [level](const Row& row) { return as_real(share_of(row.hit_level_shares, level), 1); }};
}
// All of them as a member of JSON.
template <typename Row>
ColumnOf<Row> shares_column() {
  return {{"hit_level_shares"}, [](const Row& row) { return as_nested(to_json(row.hit_level_shares)); }};
}
Columns<ValidationRow> validation_columns();
Columns<JourneyStage> stage_columns();
// The stages and, as the last row, their sum under that name.
DataTable stages_and_sum(const std::vector<JourneyStage>& stages, std::string_view sum, double cycles, double ns);
inline DataTable stages_and_sum(const JourneyReport& report, std::string_view sum) {
  return stages_and_sum(report.stages, sum, report.total_cycles, report.total_ns);
}
Columns<Setting> setting_columns();

}  // namespace strata::report
