// SPDX-License-Identifier: Apache-2.0
#include "report/text/csv.hpp"

#include <algorithm>

#include "base/printable.hpp"

#include "report/data_columns.hpp"

namespace strata::report {

std::string csv_field(std::string_view text) {
  // Quotes hold a line end; any other control character has no place in a table.
  std::string field;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("\n\t", from), text.size());
    field += printable(text.substr(from, end - from));
    if (end < text.size()) field += text[end];
    from = end + 1;
  }
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out(1, '"');
  for (const char character : field) {
    if (character == '"') out += '"';
    out += character;
  }
  out += '"';
  return out;
}

std::string csv(const CurveReport& report) {
  Columns<LatencyPoint> columns = columns_of(report);
  for (const std::string& level : levels_of(report.points)) columns.push_back(share_column<LatencyPoint>(level));
  return incomplete_comment(report.heading) + csv(tabulate(columns, report.points));
}

std::string csv(const Comparison& comparison) {
  return csv(tabulate(columns_of(comparison, "_" + comparison.unit), comparison.points));
}

std::string csv(const ValidationReport& report) {
  return incomplete_comment(report.heading) + csv(tabulate(validation_columns(), report.rows));
}

std::string csv(const JourneyReport& report) { return csv(stages_and_sum(report, "total")); }

}  // namespace strata::report
