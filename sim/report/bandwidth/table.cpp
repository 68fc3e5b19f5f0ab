// SPDX-License-Identifier: Apache-2.0
// The forms with a row for each point: the table for people, CSV for programs.
#include "report/bandwidth/bandwidth.hpp"
#include "report/bandwidth/columns.hpp"
#include "report/data_columns.hpp"

namespace strata::report {

std::string csv(const BandwidthReport& report) {
  return incomplete_comment(report.heading) + csv(tabulate(point_columns(report), report.points));
}

std::string csv(const LoadedReport& report) {
  Columns<LoadedPoint> columns = loaded_columns(RateUnit{});
  if (!report.points.empty())
    for (const auto& [level, share] : report.points.front().hit_level_shares)
      columns.push_back(share_column<LoadedPoint>(level));
  return incomplete_comment(report.heading) + csv(tabulate(columns, report.points));
}

std::string table(const BandwidthReport& report) {
  std::string out = incomplete_line(report.heading) + table(tabulate(point_columns(report), report.points));
  if (report.comparison) out += "\n" + table(in(RateUnit{}, *report.comparison));
  return out;
}

std::string table(const LoadedReport& report) {
  return incomplete_line(report.heading) + table(tabulate(loaded_columns(rate_unit(report.points)), report.points));
}

}  // namespace strata::report
