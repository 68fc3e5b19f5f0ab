// SPDX-License-Identifier: Apache-2.0
#include "report/text/csv.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.hpp"

#include "report/text/text.hpp"

namespace strata::report {

namespace {
double share_of(const LatencyPoint& point, const std::string& level) {
  for (const auto& [name, share] : point.hit_level_shares) {
    if (name == level) return share;
  }
  return 0;
}
}  // namespace

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
  const std::vector<std::string> levels = levels_of(report.points);
  std::string out = incomplete_comment(report.heading) + "footprint_bytes,latency_ns,latency_cycles";
  for (const std::string& level : levels) out += fmt::format(",{}", csv_field(fmt::format("share_{}", level)));
  out += "\n";
  for (const LatencyPoint& point : report.points) {
    out += fmt::format("{},{},{}", point.footprint_bytes, shortest(point.latency_ns), shortest(point.latency_cycles));
    for (const std::string& level : levels) out += fmt::format(",{}", shortest(share_of(point, level)));
    out += "\n";
  }
  return out;
}

std::string csv(const Comparison& comparison) {
  std::string out = fmt::format("footprint_bytes,{},{},error\n", csv_field("measured_" + comparison.unit),
                                csv_field("predicted_" + comparison.unit));
  for (const ComparedPoint& point : comparison.points) {
    out += fmt::format("{},{},{},{}\n", point.footprint_bytes, shortest(point.measured), shortest(point.predicted),
                       shortest(point.error()));
  }
  return out;
}

std::string csv(const ValidationReport& report) {
  std::string out = incomplete_comment(report.heading) +
                    "id,gpu,quantity,unit,measured,predicted,error,tolerance,kind,source,pass,note\n";
  for (const ValidationRow& row : report.rows) {
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(row.id), csv_field(row.gpu),
                       csv_field(row.quantity), csv_field(row.unit), shortest(row.measured), shortest(row.predicted),
                       shortest(row.error), shortest(row.tolerance), name(row.kind), csv_field(row.source), row.pass,
                       csv_field(row.note));
  }
  return out;
}

std::string csv(const JourneyReport& report) {
  std::string out = "stage,cycles,ns,note\n";
  for (const JourneyStage& stage : report.stages) {
    out += fmt::format("{},{},{},{}\n", csv_field(stage.stage), shortest(stage.cycles), shortest(stage.ns),
                       csv_field(stage.note));
  }
  out += fmt::format("total,{},{},\n", shortest(report.total_cycles), shortest(report.total_ns));
  return out;
}

}  // namespace strata::report
