// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "report/data_columns.hpp"
#include "report/html/page.hpp"
#include "report/html/parts.hpp"
#include "report/html/stages.hpp"
#include "report/latency/html.hpp"
#include "report/svg/curve.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
std::string key_of(const std::vector<std::string>& levels) {
  if (levels.empty()) return {};
  std::string out = "<div class=\"keys\">";
  for (std::size_t at = 0; at < levels.size(); ++at) {
    out += fmt::format("<span><i class=\"k{}\"></i>{}</span>", at % share_colours, escape_markup(levels[at]));
  }
  return out + "</div>";
}

std::string point_table(const CurveReport& report) {
  return page_table(tabulate(columns_of(report), report.points), key_of(levels_of(report.points)));
}

void add_tiles(Page& page, const CurveReport& report) {
  const auto [least, most] = std::minmax_element(
      report.points.begin(), report.points.end(),
      [](const LatencyPoint& a, const LatencyPoint& b) { return a.latency_cycles < b.latency_cycles; });
  page.open_tiles();
  if (report.comparison) add_comparison_tiles(page, *report.comparison);
  if (least != report.points.end()) {
    const auto remark = [](const LatencyPoint& point) {
      return fmt::format("{} ns at {}", fixed(point.latency_ns, 1),
                         size_label(static_cast<double>(point.footprint_bytes)));
    };
    page.tile("Shortest latency", readable(least->latency_cycles), "cycles", remark(*least));
    page.tile("Longest latency", readable(most->latency_cycles), "cycles", remark(*most));
  }
  page.close_tiles();
}

void add_paths(Page& page, const CurveReport& report) {
  if (report.paths.empty()) return;
  page.section("One load, stage by stage");
  page.paragraph(
      "For each level, at the footprint where it serves the largest share: the stages of its loads in order. Loads "
      "differ in their waits; the chart shows the most common sequence of stages, with means over the loads that have "
      "it.");
  for (const LevelPath& path : report.paths)
    page.card(waterfall(path.stages, path.cycles, path.ns,
                        fmt::format("<div class=\"keys\"><strong>{}</strong><span>{} cycles, {} ns</span><span>{} % of "
                                    "the loads that it served at {}</span></div>",
                                    escape_markup(path.level), readable(path.cycles), readable(path.ns),
                                    percent(path.share), size_label(static_cast<double>(path.footprint_bytes)))));
}

void add_tables(Page& page, const CurveReport& report) {
  if (report.comparison) add_comparison(page, *report.comparison);
  page.section("Points of the curve");
  page.card(point_table(report));
  add_paths(page, report);
  add_settings(page, report.settings);
}
}  // namespace

std::string html(const CurveReport& report) {
  Page page(report.title, report.subtitle, report.heading);
  add_tiles(page, report);
  page.card(svg(latency_chart(report)));
  add_tables(page, report);
  return page.finish();
}

std::string html(std::span<const CurveReport> reports) {
  if (reports.size() == 1) return html(reports.front());
  const Chart chart = latency_chart(reports);
  Page page(chart.title, chart.subtitle, reports.empty() ? Heading{} : reports.front().heading);
  page.card(svg(chart));
  for (const CurveReport& report : reports) {
    page.section(report.title);
    add_tiles(page, report);
    page.card(svg(latency_chart(report)));
    add_tables(page, report);
  }
  return page.finish();
}

}  // namespace strata::report
