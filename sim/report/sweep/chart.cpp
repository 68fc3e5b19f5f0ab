// SPDX-License-Identifier: Apache-2.0
// Assignment of the varied parameters to axes, curves and charts, and their scales.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "report/sweep/columns.hpp"
#include "report/sweep/sweep.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

// Beyond these, lines cannot be distinguished and charts are too many.
constexpr std::size_t most_curves = 14;
constexpr std::size_t most_charts = 24;
constexpr std::size_t most_bars = 40;  // of a panel
constexpr std::size_t most_lines_of_map = 200;
constexpr std::size_t least_lines_of_map = 3;

bool numeric(const SweepParameter& parameter) {
  return std::all_of(parameter.values.begin(), parameter.values.end(),
                     [](const SweepValue& value) { return std::isfinite(value.number); });
}

// Values that grow by about the same factor throughout.
bool geometric(const std::vector<double>& sorted) {
  if (sorted.size() < 3 || !(sorted.front() > 0)) return false;
  double least = sorted[1] / sorted[0];
  double most = least;
  for (std::size_t i = 2; i < sorted.size(); ++i) {
    least = std::min(least, sorted[i] / sorted[i - 1]);
    most = std::max(most, sorted[i] / sorted[i - 1]);
  }
  return least > 1 && most < 1.2 * least;
}

bool power_of_two(double value) {
  int exponent = 0;
  return value > 0 && std::frexp(value, &exponent) == 0.5;
}

AxisSpec axis_of(const SweepParameter& parameter) {
  AxisSpec axis;
  axis.title = parameter.path;
  std::vector<double> sorted;
  for (const SweepValue& value : parameter.values) sorted.push_back(value.number / parameter.per_unit);
  std::sort(sorted.begin(), sorted.end());
  const bool positive = sorted.front() > 0;
  if (parameter.size && positive) {
    axis.scale = Scale::log2;
    axis.labels = TickLabels::size;
    return axis;
  }
  if (!parameter.size) axis.unit = parameter.unit;
  if (geometric(sorted))
    axis.scale = std::all_of(sorted.begin(), sorted.end(), power_of_two) ? Scale::log2 : Scale::log10;
  return axis;
}

double x_of(const SweepParameter& parameter, std::size_t choice) {
  return parameter.values[choice].number / parameter.per_unit;
}

AxisSpec figure_axis(const SweepReport& report) {
  const SweepFigure& figure = report.figures[report.drawn];
  AxisSpec axis;
  axis.title = figure.title;
  axis.unit = figure.unit;
  double least = INFINITY;
  double most = 0;
  for (const SweepPoint& point : report.points) {
    const double value = point.figures[report.drawn] / figure.per_unit;
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  // Less than a decade reads best from zero; one scale for all charts, so that they compare.
  if (least > 0 && most > 10 * least) {
    axis.scale = Scale::log10;
  } else {
    axis.lower = 0;
    axis.upper = std::nullopt;
  }
  return axis;
}

std::string why_no_bars(const std::vector<SweepParameter>& parameters) {
  const bool panels = has_panels(parameters);
  if (panels && parameters.front().values.size() > most_charts)
    return fmt::format("{} would be {} panels, and at most {} are drawn", parameters.front().path,
                       parameters.front().values.size(), most_charts);
  double bars = 1;
  for (std::size_t i = panels ? 1 : 0; i < parameters.size(); ++i)
    if (parameters[i].follows.empty()) bars *= static_cast<double>(parameters[i].values.size());
  if (bars > static_cast<double>(most_bars))
    return fmt::format("it would be {:.0f} bars a panel, and at most {} are drawn", bars, most_bars);
  return {};
}

}  // namespace

bool has_numeric_axis(const std::vector<SweepParameter>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const SweepParameter& parameter) { return parameter.follows.empty() && numeric(parameter); });
}

bool has_panels(const std::vector<SweepParameter>& parameters) {
  return std::any_of(parameters.begin() + 1, parameters.end(),
                     [](const SweepParameter& parameter) { return parameter.follows.empty(); });
}

std::string note_of(const SweepPoint& point) {
  std::string note = shares_in_words(point);
  for (const std::string& word : point.words) note += (note.empty() ? "" : ", ") + word;
  return note;
}

SweepRoles roles(const std::vector<SweepParameter>& parameters) {
  const auto first = std::find_if(parameters.begin(), parameters.end(), [](const SweepParameter& parameter) {
    return parameter.follows.empty() && numeric(parameter);
  });
  SweepRoles roles;
  if (first != parameters.end()) roles.x = static_cast<std::size_t>(first - parameters.begin());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i == roles.x || !parameters[i].follows.empty()) continue;
    if (!roles.curves)
      roles.curves = i;
    else
      roles.charts.push_back(i);
  }
  return roles;
}

namespace {

std::string why_no_panels(const std::vector<SweepParameter>& parameters, const SweepRoles& role) {
  double charts = 1;
  for (const std::size_t i : role.charts) charts *= static_cast<double>(parameters[i].values.size());
  if (charts > static_cast<double>(most_charts))
    return fmt::format("it would be {:.0f} charts, and at most {} are drawn", charts, most_charts);
  return {};
}

}  // namespace

std::string why_no_curves(const std::vector<SweepParameter>& parameters) {
  const SweepRoles role = roles(parameters);
  if (role.curves && parameters[*role.curves].values.size() > most_curves)
    return fmt::format("{} would be {} curves in one chart, and {} can be distinguished", parameters[*role.curves].path,
                       parameters[*role.curves].values.size(), most_curves);
  return why_no_panels(parameters, role);
}

std::string why_no_map(const std::vector<SweepParameter>& parameters) {
  const SweepRoles role = roles(parameters);
  if (!has_numeric_axis(parameters) || !role.curves)
    return "a heat map needs two varied parameters, the first of them a number";
  for (const std::size_t axis : {role.x, *role.curves}) {
    const std::size_t values = parameters[axis].values.size();
    if (values < least_lines_of_map || values > most_lines_of_map)
      return fmt::format("{} has {} values, and a map is drawn of {} to {}", parameters[axis].path, values,
                         least_lines_of_map, most_lines_of_map);
  }
  return why_no_panels(parameters, role);
}

std::string why_not_drawn(const std::vector<SweepParameter>& parameters) {
  if (!has_numeric_axis(parameters)) return why_no_bars(parameters);
  const std::string why = why_no_curves(parameters);
  return why.empty() || why_no_map(parameters).empty() ? std::string() : why;
}

std::vector<Chart> sweep_charts(const SweepReport& report) {
  if (!has_numeric_axis(report.parameters) || !why_no_curves(report.parameters).empty()) return {};
  const SweepRoles role = roles(report.parameters);
  const SweepParameter& along = report.parameters[role.x];
  std::vector<double> drawn;
  for (const SweepPoint& point : report.points)
    drawn.push_back(point.figures[report.drawn] / report.figures[report.drawn].per_unit);
  AxisSpec y = figure_axis(report);
  const Axis common(y, drawn);
  y.lower = common.lower();
  y.upper = common.upper();

  std::vector<Chart> charts;
  std::vector<std::vector<std::size_t>> chosen;  // the choices of each chart
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    const SweepPoint& point = report.points[i];
    std::vector<std::size_t> key;
    for (const std::size_t axis : role.charts) key.push_back(point.choices[axis]);
    auto at = static_cast<std::size_t>(std::find(chosen.begin(), chosen.end(), key) - chosen.begin());
    if (at == chosen.size()) {
      chosen.push_back(key);
      Chart& chart = charts.emplace_back();
      chart.title = report.title;
      for (const std::size_t axis : role.charts)
        chart.subtitle += fmt::format("{}{} {}", chart.subtitle.empty() ? "" : ", ", report.parameters[axis].path,
                                      short_text(report.parameters[axis], point.choices[axis]));
      if (chart.subtitle.empty()) chart.subtitle = report.subtitle;
      chart.subtitle = marked(report.heading, chart.subtitle);
      chart.x = axis_of(along);
      chart.y = y;
      const std::size_t curves = role.curves ? report.parameters[*role.curves].values.size() : 1;
      chart.series.resize(curves);
      for (std::size_t curve = 0; curve < curves; ++curve) {
        Series& series = chart.series[curve];
        series.name = "Strata, predicted";
        if (!role.curves) continue;
        series.label = short_text(report.parameters[*role.curves], curve);
        series.name = fmt::format("{} {}", report.parameters[*role.curves].path, series.label);
      }
    }
    Series& series = charts[at].series[role.curves ? point.choices[*role.curves] : 0];
    series.points.push_back({x_of(along, point.choices[role.x]), drawn[i], note_of(point)});
  }
  for (Chart& chart : charts)
    for (Series& series : chart.series)
      std::stable_sort(series.points.begin(), series.points.end(),
                       [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  return charts;
}

std::string svg(const SweepReport& report) {
  if (const std::optional<BarSheet> bars = sweep_bars(report)) return svg(*bars);
  std::vector<std::string> drawings;
  double width = 0;
  double height = 0;
  std::string all;
  const auto add = [&](const auto& drawing) {
    drawings.push_back(svg(drawing));
    all += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", coordinate(height), drawings.back());
    width = std::max(width, drawing.width);
    height += drawn_height(drawing);
  };
  for (const Chart& chart : sweep_charts(report)) add(chart);
  if (drawings.empty())
    for (const HeatMap& map : sweep_maps(report)) add(map);
  if (drawings.size() == 1) return drawings.front();
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
             "role=\"img\" "
             "aria-label=\"{2}\">\n",
             coordinate(width), coordinate(height), escape_markup(report.title)) +
         all + "</svg>\n";
}

}  // namespace strata::report
