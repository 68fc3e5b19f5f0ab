// SPDX-License-Identifier: Apache-2.0
#include "report/data_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "report/text/text.hpp"

namespace strata::report {

namespace {

constexpr Align left = Align::left;

Cell code_cell(std::string_view text, std::string_view style = "") {
  return {fmt::format("<code>{}</code>", escape_markup(text)), style};
}

// The size of an error as a bar; 20 % fills it, and more than 10 % is marked.
Cell magnitude_cell(double error) {
  if (!std::isfinite(error)) return {};
  const double size = std::abs(error);
  return {fmt::format("<div class=\"magnitude\"><span{} style=\"width:{}%\"></span></div>",
                      size > 0.1 ? " class=\"large\"" : "", coordinate(std::min(size / 0.2, 1.0) * 100)),
          ""};
}

// A bar split by the levels that served the loads.
Cell served_cell(const LatencyPoint& point, const std::vector<std::string>& levels) {
  std::string out = fmt::format("<div class=\"shares\" title=\"{}\">", escape_markup(served_by(point)));
  for (const auto& [level, share] : point.hit_level_shares) {
    if (!(share > 0)) continue;
    const auto at = static_cast<std::size_t>(std::find(levels.begin(), levels.end(), level) - levels.begin());
    out += fmt::format("<span class=\"k{}\" style=\"width:{}%\"></span>", at % share_colours,
                       coordinate(std::min(share, 1.0) * 100));
  }
  return {out + "</div>", ""};
}

Cell quantity_cell(const ValidationRow& row) {
  std::string markup = escape_markup(row.quantity);
  const auto add = [&markup](std::string_view style, std::string_view text) {
    if (!text.empty()) markup += fmt::format("<div class=\"{}\">{}</div>", style, escape_markup(text));
  };
  add("remark", row.note);
  add("source", row.source);
  return {markup, "wide"};
}

Datum result(const ValidationRow& row) {
  if (row.pass) return on_page(as_flag(true, "pass"), {"<span class=\"good\">pass</span>", ""});
  return on_page(as_flag(false, row.note.empty() ? "FAIL" : "FAIL: " + row.note),
                 {"<strong class=\"bad\">FAIL</strong>", ""});
}

}  // namespace

Columns<ComparedPoint> columns_of(const Comparison& comparison, const std::string& suffix) {
  const auto in_unit = [&](std::string_view word) { return fmt::format("{} [{}]", word, comparison.unit); };
  return {
      {{"footprint_bytes", {"footprint"}, "Footprint"}, as_size(&ComparedPoint::footprint_bytes)},
      {{"measured" + suffix, {in_unit("measured")}, in_unit("Measured")}, as_real(&ComparedPoint::measured, 1)},
      {{"predicted" + suffix, {in_unit("predicted")}, in_unit("Predicted")}, as_real(&ComparedPoint::predicted, 1)},
      {{"error", {"error [%]"}, "Error [%]"}, as_real(&ComparedPoint::error, signed_percent)},
      {{"", {"", left}, ""}, [](const ComparedPoint& point) { return as_cell(magnitude_cell(point.error())); }},
  };
}

Columns<LatencyPoint> columns_of(const CurveReport& report) {
  return {
      {{"footprint_bytes", {"footprint"}, "Footprint"}, as_size(&LatencyPoint::footprint_bytes)},
      {{"latency_ns"}, as_real(&LatencyPoint::latency_ns, 1)},
      {{"latency_cycles", {"latency [cycles]"}, "Latency [cycles]"}, as_real(&LatencyPoint::latency_cycles, 1)},
      {{"", {"latency [ns]"}, "Latency [ns]"}, as_real(&LatencyPoint::latency_ns, 1)},
      {{"", {"served by", left}, "Served by"},
       [levels = levels_of(report.points)](const LatencyPoint& point) {
         return on_page(as_text(served_by(point)), served_cell(point, levels));
       }},
  };
}

Columns<ValidationRow> validation_columns() {
  using Row = ValidationRow;
  return {
      {{"id", {"id", left}, "Id"}, [](const Row& row) { return on_page(as_text(row.id), code_cell(row.id, "id")); }},
      {{"gpu"}, as_text(&Row::gpu)},
      {{"quantity", {"quantity", left}, "Quantity"},
       [](const Row& row) { return on_page(as_text(row.quantity), quantity_cell(row)); }},
      {{"unit", {"unit", left}, "Unit"}, as_text(&Row::unit)},
      {{"measured", {"measured"}, "Measured"}, as_real(&Row::measured, readable)},
      {{"predicted", {"predicted"}, "Predicted"}, as_real(&Row::predicted, readable)},
      {{"error", {"error [%]"}, "Error [%]"}, as_real(&Row::error, signed_percent)},
      {{"tolerance", {"tolerance [%]"}, "Tolerance [%]"}, as_real(&Row::tolerance, percent)},
      {{"kind", {"kind", left}, "Kind"},
       [](const Row& row) {
         return on_page(as_text(name(row.kind)),
                        {fmt::format("<span class=\"kind {0}\">{0}</span>", name(row.kind)), ""});
       }},
      {{"source"}, as_text(&Row::source)},
      {{"pass", {"result", left}, "Result"}, result},
      {{"note"}, [](const Row& row) { return as_optional_text(row.note); }},
  };
}

Columns<JourneyStage> stage_columns() {
  return {
      {{"stage", {"stage", left}, "Stage"}, as_text(&JourneyStage::stage)},
      {{"cycles", {"cycles"}, "Cycles"}, as_real(&JourneyStage::cycles, 2)},
      {{"ns", {"ns"}, "Time [ns]"}, as_real(&JourneyStage::ns, 2)},
      {{"note", {"note", left}, "Note"}, as_text(&JourneyStage::note)},
  };
}

DataTable stages_and_sum(const std::vector<JourneyStage>& stages, std::string_view sum, double cycles, double ns) {
  DataTable data = tabulate(stage_columns(), stages);
  data.rows.push_back({as_text(sum), as_real(cycles, 2), as_real(ns, 2), as_text("")});
  return data;
}

Columns<Setting> setting_columns() {
  return {
      {{"path", {"", left}, "Setting"},
       [](const Setting& setting) { return on_page(as_text(setting.path), code_cell(setting.path)); }},
      {{"value", {"", left}, "Value"}, as_text(&Setting::value)},
      {{"set_by", {"", left}, "Set by"},
       [](const Setting& setting) { return on_page(as_text(setting.set_by), text_cell(setting.set_by, "source")); }},
      {{"unread", {"", left}, "Not read, because"},
       [](const Setting& setting) { return as_optional_text(setting.unread); }},
  };
}

}  // namespace strata::report
