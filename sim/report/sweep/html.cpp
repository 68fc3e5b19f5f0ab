// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html/page.hpp"
#include "report/html/parts.hpp"
#include "report/sweep/columns.hpp"
#include "report/sweep/sweep.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

std::string code(std::string_view text) { return fmt::format("<code>{}</code>", escape_markup(text)); }

// "l2.cache.size 32 MiB, footprint 16 MiB"
std::string point_in_words(const SweepReport& report, const SweepPoint& point) {
  std::string words;
  for (std::size_t i = 0; i < report.parameters.size(); ++i)
    words += fmt::format("{}{} {}", i == 0 ? "" : ", ", report.parameters[i].path, value_text(report, point, i));
  return words;
}

void add_tiles(Page& page, const SweepReport& report) {
  const SweepFigure& figure = report.figures[report.drawn];
  const SweepPoint* least = nullptr;
  const SweepPoint* most = nullptr;
  for (const SweepPoint& point : report.points) {
    const double value = point.figures[report.drawn];
    if (!std::isfinite(value)) continue;
    if (least == nullptr || value < least->figures[report.drawn]) least = &point;
    if (most == nullptr || value > most->figures[report.drawn]) most = &point;
  }
  page.open_tiles();
  page.tile("Points", fmt::format("{}", report.points.size()), "", fmt::format("{} varied", report.parameters.size()));
  for (const auto& [name, point] : {std::pair{"Least", least}, std::pair{"Most", most}}) {
    if (point == nullptr) continue;
    page.tile(fmt::format("{} {}", name, figure.title), readable(point->figures[report.drawn] / figure.per_unit),
              figure.unit, point_in_words(report, *point));
  }
  page.close_tiles();
}

std::string_view whole_of(SweepPart part) {
  switch (part) {
    case SweepPart::gpu:
      return "the machine";
    case SweepPart::configuration:
      return "the configuration";
    case SweepPart::question:
      return "the question";
  }
  return "";
}

std::string parameter_table(const SweepReport& report) {
  std::vector<PageRow> rows;
  for (const SweepParameter& parameter : report.parameters) {
    std::vector<std::string> texts;
    for (const SweepValue& value : parameter.values) texts.push_back(value.text);
    rows.push_back({{{code(parameter.path), ""},
                     text_cell(std::string(whole_of(parameter.part))),
                     text_cell(fmt::format("{}", fmt::join(texts, ", ")), "wide"),
                     text_cell(!parameter.unread.empty()   ? "not read: " + parameter.unread
                               : parameter.changed_nothing ? "nothing"
                                                           : "")},
                    ""});
  }
  return Page::table({"Varied", "A part of", "Values", "Changed"}, rows);
}

}  // namespace

std::string html(const SweepReport& report) {
  Page page(report.title, report.subtitle, report.heading);
  add_tiles(page, report);
  for (const std::string& sentence : what_changed_nothing(report)) page.paragraph(sentence + ".");
  const std::string why = why_not_drawn(report.parameters);
  if (!why.empty()) page.paragraph(fmt::format("Not drawn: {}. The table below has every point.", why));
  if (const std::optional<BarSheet> bars = sweep_bars(report)) page.card(svg(*bars));
  for (const Chart& chart : sweep_charts(report)) page.card(svg(chart));
  for (const HeatMap& map : sweep_maps(report)) page.card(svg(map));
  page.section("Varied parameters");
  page.card(parameter_table(report));
  if (!report.refused.empty()) {
    page.section("Refused and skipped");
    for (const std::string& refusal : report.refused) page.paragraph(refusal);
  }
  page.section("Points");
  page.card(page_table(tabulate(point_columns(report), report.points)));
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
