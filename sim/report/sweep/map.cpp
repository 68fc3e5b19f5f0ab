// SPDX-License-Identifier: Apache-2.0
// A sweep over two parameters or more as heat maps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "report/sweep/columns.hpp"
#include "report/sweep/sweep.hpp"

namespace strata::report {

namespace {

// By number if it has one, so that an axis grows; values without a number are last.
std::vector<std::size_t> order_of(const SweepParameter& parameter) {
  std::vector<std::size_t> order(parameter.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double left = parameter.values[a].number, right = parameter.values[b].number;
    return std::isfinite(left) && (!std::isfinite(right) || left < right);
  });
  return order;
}

HeatMapAxis axis_of(const SweepParameter& parameter, const std::vector<std::size_t>& order) {
  HeatMapAxis axis{parameter.path, {}};
  for (const std::size_t choice : order) axis.labels.push_back(short_text(parameter, choice));
  return axis;
}

std::vector<std::size_t> places_in(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  return place;
}

}  // namespace

std::vector<HeatMap> sweep_maps(const SweepReport& report) {
  if (!why_no_map(report.parameters).empty()) return {};
  const SweepRoles role = roles(report.parameters);
  const SweepParameter& along = report.parameters[role.x];
  const SweepParameter& up = report.parameters[*role.curves];
  const SweepFigure& figure = report.figures[report.drawn];
  const std::vector<std::size_t> x_order = order_of(along), y_order = order_of(up);
  const std::vector<std::size_t> x_place = places_in(x_order), y_place = places_in(y_order);

  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const SweepPoint& point : report.points) {
    const double value = point.figures[report.drawn];
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  if (most < least) return {};
  std::map<std::vector<std::size_t>, std::size_t> known;  // by the choices of the parameters that have a map each
  std::vector<HeatMap> maps;
  for (const SweepPoint& point : report.points) {
    std::vector<std::size_t> key;
    for (const std::size_t axis : role.charts) key.push_back(point.choices[axis]);
    const auto [found, added] = known.try_emplace(key, maps.size());
    if (added) {
      HeatMap& map = maps.emplace_back();
      map.title = report.title;
      for (const std::size_t axis : role.charts)
        map.subtitle += fmt::format("{}{} {}", map.subtitle.empty() ? "" : ", ", report.parameters[axis].path,
                                    short_text(report.parameters[axis], point.choices[axis]));
      if (map.subtitle.empty()) map.subtitle = report.subtitle;
      map.subtitle = marked(report.heading, map.subtitle);
      map.figure = figure_heading(figure);
      map.x = axis_of(along, x_order);
      map.y = axis_of(up, y_order);
      map.cells.resize(along.values.size() * up.values.size());
      map.least = least;
      map.most = most;
      map.least_text = figure_text(figure, least);
      map.most_text = figure_text(figure, most);
      map.logarithmic = least > 0 && most > 10 * least;
    }
    HeatMap& map = maps[found->second];
    HeatMapCell& cell =
        map.cells[y_place[point.choices[*role.curves]] * along.values.size() + x_place[point.choices[role.x]]];
    const double value = point.figures[report.drawn];
    if (std::isfinite(value)) cell.value = value;
    cell.text = figure_text(figure, value);
    const std::string note = note_of(point);
    cell.note = fmt::format("{} {}, {} {}: {} {}{}{}", along.path, short_text(along, point.choices[role.x]), up.path,
                            short_text(up, point.choices[*role.curves]), cell.text, figure.unit,
                            note.empty() ? "" : "; ", note);
  }
  return maps;
}

}  // namespace strata::report
