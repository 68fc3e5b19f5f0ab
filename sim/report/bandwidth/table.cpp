// SPDX-License-Identifier: Apache-2.0
// The forms with a row for each point: the table for people, CSV for programs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/bandwidth/bandwidth.hpp"
#include "report/text/csv.hpp"
#include "report/text/table.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
using Rows = std::vector<std::vector<std::string>>;
}  // namespace

std::string csv(const BandwidthReport& report) {
  const std::vector<std::string> levels = levels_of(report.points);
  std::string out = incomplete_comment(report.heading) +
                    "footprint_bytes,bytes_per_second,cores,warps_per_core,bytes_per_clock_per_core,"
                    "mean_latency_ns";
  for (const std::string& level : levels)
    out += fmt::format(",{}", csv_field(fmt::format("{}_bytes_per_second", level)));
  out += ",bottleneck,bottleneck_busy_fraction,bottleneck_in_words,steady,halves_differ\n";
  for (const BandwidthPoint& point : report.points) {
    out += fmt::format("{},{},{},{},{},{}", point.footprint_bytes, shortest(point.bytes_per_second), point.cores,
                       point.warps, shortest(point.bytes_per_clock_per_core), shortest(point.mean_latency_ns));
    for (const std::string& name : levels) {
      const BandwidthLevel* level = level_of(point, name);
      out += fmt::format(",{}", level == nullptr ? "" : shortest(level->bytes_per_second));
    }
    const BandwidthResource* bottleneck = point.watched().bottleneck();
    if (bottleneck == nullptr) {
      out += ",,";
    } else {
      out += fmt::format(",{},{}", csv_field(bottleneck->family), shortest(bottleneck->busy_fraction));
    }
    out += fmt::format(",{},", csv_field(bottleneck_in_words(point.watched())));
    out += point.steadiness
               ? fmt::format("{},{}\n", point.steadiness->steady ? 1 : 0, shortest(point.steadiness->halves_differ))
               : ",\n";
  }
  return out;
}

std::string csv(const LoadedReport& report) {
  std::string out =
      incomplete_comment(report.heading) + "injected_bytes_per_second,bytes_per_second,latency_ns,latency_cycles,loads";
  if (!report.points.empty())
    for (const auto& [level, share] : report.points.front().hit_level_shares)
      out += fmt::format(",{}", csv_field(fmt::format("share_{}", level)));
  out += "\n";
  for (const LoadedPoint& point : report.points) {
    out += fmt::format("{},{},{},{},{}", shortest(point.injected_bytes_per_second), shortest(point.bytes_per_second),
                       shortest(point.latency_ns), shortest(point.latency_cycles), point.loads);
    for (const auto& [level, share] : point.hit_level_shares) out += fmt::format(",{}", shortest(share));
    out += "\n";
  }
  return out;
}

std::string table(const BandwidthReport& report) {
  const RateUnit unit = rate_unit(report.points);
  const std::vector<std::string> levels = levels_of(report.points);
  std::vector<Column> columns{
      {"footprint"}, {fmt::format("bandwidth [{}]", unit.name)}, {"B/clk/core"}, {"latency [ns]"}};
  for (const std::string& level : levels) columns.push_back({fmt::format("{} [% of peak]", level)});
  columns.push_back({"bottleneck", Align::left});
  const bool all_steady = std::all_of(report.points.begin(), report.points.end(), [](const BandwidthPoint& point) {
    return !point.steadiness || point.steadiness->steady;
  });
  if (!all_steady) columns.push_back({"steady", Align::left});
  Rows rows;
  for (const BandwidthPoint& point : report.points) {
    std::vector<std::string> row{size_label(static_cast<double>(point.footprint_bytes)),
                                 unit.show(point.bytes_per_second), fixed(point.bytes_per_clock_per_core, 1),
                                 fixed(point.mean_latency_ns, 0)};
    for (const std::string& name : levels) {
      const BandwidthLevel* level = level_of(point, name);
      row.push_back(level == nullptr ? "-" : percent(level->share_of_peak()));
    }
    row.push_back(bottleneck_in_words(point.watched()));
    if (!all_steady) row.push_back(steadiness_in_words(point));
    rows.push_back(std::move(row));
  }
  std::string out = incomplete_line(report.heading) + table(columns, rows);
  if (report.comparison) out += "\n" + table(in(RateUnit{}, *report.comparison));
  return out;
}

std::string table(const LoadedReport& report) {
  const RateUnit unit = rate_unit(report.points);
  Rows rows;
  for (const LoadedPoint& point : report.points) {
    rows.push_back({injected_rate(point, unit), unit.show(point.bytes_per_second), fixed(point.latency_ns, 1),
                    fixed(point.latency_cycles, 1), served_by(point.hit_level_shares)});
  }
  return incomplete_line(report.heading) + table({{fmt::format("injected [{}]", unit.name)},
                                                  {fmt::format("achieved [{}]", unit.name)},
                                                  {"latency [ns]"},
                                                  {"latency [cycles]"},
                                                  {"served by", Align::left}},
                                                 rows);
}

}  // namespace strata::report
