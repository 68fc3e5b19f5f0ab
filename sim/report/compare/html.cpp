// SPDX-License-Identifier: Apache-2.0
// The drawing and the page of `compare`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/compare/compare.hpp"
#include "report/compare/groups.hpp"
#include "report/html/page.hpp"
#include "report/html/parts.hpp"
#include "report/svg/bars.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

constexpr std::size_t most_bars = 10;

// The group on one machine; bars of both machines have one scale and one order.
BarPanel panel(const CompareReport& report, const PartGroup& group, const std::vector<const ComparedPart*>& parts,
               std::size_t machine) {
  double largest = group.per_unit < 1 ? 1 : 0;
  for (const ComparedPart* part : parts)
    for (const double value : part->values) largest = std::fmax(largest, value);
  constexpr std::size_t most_name = 30;  // beside the title in half of the width
  const std::string& name = report.machines[machine];
  const std::string_view shown = display_width(clean(name)) <= most_name ? std::string_view(name)
                                 : machine == 0                          ? "first"
                                                                         : "second";
  BarPanel panel{fmt::format("{} [{}], {}", group.title, group.unit, shown), machine, {}};
  for (const ComparedPart* part : parts) {
    const double value = part->values[machine];
    panel.bars.push_back({part->name, std::isfinite(value) && largest > 0 ? value / largest : 0,
                          part_text(*part, group, machine),
                          machine == 0 ? "" : fmt::format("difference {}", difference_text(*part, group))});
  }
  return panel;
}

}  // namespace

std::string svg(const CompareReport& report) {
  BarSheet sheet;
  sheet.title = report.title;
  sheet.subtitle = marked(report.heading, change_in_words(report));
  for (const PartGroup& group : part_groups) {
    const std::vector<const ComparedPart*> all = parts_of(report, group);
    std::vector<const ComparedPart*> shown;
    for (const ComparedPart* part : all)
      if (worth_showing(*part, all) && shown.size() < most_bars) shown.push_back(part);
    if (shown.empty()) continue;
    for (const std::size_t machine : {0U, 1U}) sheet.panels.push_back(panel(report, group, shown, machine));
  }
  return svg(sheet);
}

std::string html(const CompareReport& report) {
  Page page(report.title, in_words(report), report.heading);
  page.open_tiles();
  for (const ComparedFigure& figure : report.figures) {
    if (!figure.figure.shown) continue;
    const bool main = &figure == &report.figures[report.drawn];
    const double scale = figure.figure.per_unit;
    page.tile(figure.figure.title, fixed(figure.values[1] / scale, figure.figure.decimals), figure.figure.unit,
              fmt::format("{} on the first", fixed(figure.values[0] / scale, figure.figure.decimals)),
              main ? "headline" : "");
  }
  page.close_tiles();
  page.card(svg(report));
  page.section("What differs");
  if (report.differing.empty())
    page.paragraph("No setting that this question reads.");
  else
    page.card(page_table(tabulate(setting_columns(report), report.differing)));
  if (report.unread > 0)
    page.paragraph(fmt::format("{} settings that differ are not read by this question.", report.unread));
  for (const PartGroup& group : part_groups) {
    const std::vector<const ComparedPart*> parts = parts_of(report, group);
    if (parts.empty()) continue;
    page.section(fmt::format("{} [{}]", group.title, group.unit));
    page.card(page_table(tabulate(part_columns(report, group), parts)));
  }
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
