// SPDX-License-Identifier: Apache-2.0
// A sweep over parameters without numbers, such as GPUs and kernels: a panel for each value of the
// first varied parameter, a bar for each combination of the others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/sweep/columns.hpp"
#include "report/sweep/sweep.hpp"

namespace strata::report {

namespace {

// Panels whose longest bars differ by more than this get a scale each.
constexpr double most_apart = 10;

std::string label_of(const SweepReport& report, const SweepPoint& point, std::size_t first) {
  std::string label;
  for (std::size_t i = first; i < report.parameters.size(); ++i)
    label += (label.empty() ? "" : ", ") + short_text(report.parameters[i], point.choices[i]);
  return label;
}

// 0 where there is none.
double longest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values)
    if (std::isfinite(value)) most = std::max(most, value);
  return most;
}

}  // namespace

std::optional<BarSheet> sweep_bars(const SweepReport& report) {
  if (report.parameters.empty() || has_numeric_axis(report.parameters) || !why_not_drawn(report.parameters).empty())
    return std::nullopt;
  const SweepFigure& figure = report.figures[report.drawn];
  const bool one_panel = !has_panels(report.parameters);
  const SweepParameter& first = report.parameters.front();
  BarSheet sheet;
  sheet.title = report.title;
  sheet.panels.resize(one_panel ? 1 : first.values.size());
  std::vector<std::vector<double>> values(sheet.panels.size());
  for (std::size_t i = 0; i < sheet.panels.size(); ++i)
    sheet.panels[i].title = fmt::format("{}{}", one_panel ? "" : short_text(first, i) + ": ", figure_heading(figure));
  for (const SweepPoint& point : report.points) {
    const std::size_t at = one_panel ? 0 : point.choices.front();
    const double value = point.figures[report.drawn];
    sheet.panels[at].bars.push_back(
        {label_of(report, point, one_panel ? 0 : 1), value, figure_text(figure, value), note_of(point)});
    values[at].push_back(value);
  }
  std::vector<double> most;
  for (const std::vector<double>& own : values) most.push_back(longest(own));
  const double overall = longest(most);
  const bool own_scale =
      std::any_of(most.begin(), most.end(), [&](double own) { return own > 0 && overall > most_apart * own; });
  for (std::size_t i = 0; i < sheet.panels.size(); ++i)
    for (Bar& bar : sheet.panels[i].bars) {
      const double full = own_scale ? most[i] : overall;
      bar.share = full > 0 ? bar.share / full : 0;
    }
  std::erase_if(sheet.panels, [](const BarPanel& panel) { return panel.bars.empty(); });
  sheet.subtitle = report.subtitle;
  if (own_scale)
    sheet.subtitle += (sheet.subtitle.empty() ? "" : "; ") + std::string("each panel has a scale of its own");
  sheet.subtitle = marked(report.heading, sheet.subtitle);
  return sheet;
}

}  // namespace strata::report
