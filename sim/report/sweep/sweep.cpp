// SPDX-License-Identifier: Apache-2.0
#include "report/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/sweep/columns.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

// A point in the form of the writers of shares.
LatencyPoint as_latency(const SweepPoint& point) { return {0, 0, 0, point.shares}; }

std::string setting_text(const SweepPoint& point, std::size_t parameter) {
  for (const auto& [index, setting] : point.settings)
    if (index == parameter) return setting;
  return {};
}

// The value of a parameter: for programs the effective value of the run, otherwise its number,
// otherwise its text.
Datum value_datum(const SweepReport& report, const SweepPoint& point, std::size_t parameter) {
  const SweepValue& value = report.parameters[parameter].values[point.choices[parameter]];
  const auto figure = figure_named(report, report.parameters[parameter].field);
  const std::string shown = value_text(report, point, parameter);
  if (figure) return as_real(point.figures[*figure], shown);
  if (std::isfinite(value.number)) return as_real(value.number, shown);
  return {boost::json::value(value.text), shown};
}

}  // namespace

std::string shares_in_words(const SweepPoint& point) { return served_by(as_latency(point)); }

std::vector<std::string> share_names(const SweepReport& report) {
  std::vector<LatencyPoint> points;
  for (const SweepPoint& point : report.points) points.push_back(as_latency(point));
  return levels_of(points);
}

std::optional<std::size_t> figure_named(const SweepReport& report, const std::string& field) {
  for (std::size_t i = 0; i < report.figures.size(); ++i)
    if (report.figures[i].field == field) return i;
  return std::nullopt;
}

bool has_column_of_parameter(const SweepReport& report, const SweepFigure& figure) {
  return std::any_of(report.parameters.begin(), report.parameters.end(),
                     [&](const SweepParameter& parameter) { return parameter.field == figure.field; });
}

std::string value_text(const SweepReport& report, const SweepPoint& point, std::size_t parameter) {
  const std::string& text = report.parameters[parameter].values[point.choices[parameter]].text;
  const std::string setting = setting_text(point, parameter);
  return setting.empty() ? text : fmt::format("{} ({})", text, setting);
}

std::string short_text(const SweepParameter& parameter, std::size_t choice) {
  const auto of_value = [](const SweepValue& value) {
    const std::size_t slash = std::isfinite(value.number) ? std::string::npos : value.text.rfind('/');
    return slash == std::string::npos ? value.text : value.text.substr(slash + 1);
  };
  std::string text = of_value(parameter.values[choice]);
  const auto same = [&](const SweepValue& value) { return of_value(value) == text; };
  return std::count_if(parameter.values.begin(), parameter.values.end(), same) > 1 ? parameter.values[choice].text
                                                                                   : text;
}

std::string figure_heading(const SweepFigure& figure) {
  return figure.unit.empty() ? figure.title : fmt::format("{} [{}]", figure.title, figure.unit);
}

std::string figure_text(const SweepFigure& figure, double value) {
  return fixed(value / figure.per_unit, figure.decimals);
}

std::vector<std::string> what_changed_nothing(const SweepReport& report) {
  std::vector<std::string> sentences;
  for (const SweepParameter& parameter : report.parameters) {
    if (!parameter.changed_nothing) continue;
    sentences.push_back(fmt::format("{} has no effect: the figures are the same for all its {} values", parameter.path,
                                    parameter.values.size()));
    // For a setting this was reported before the first point was run.
    if (parameter.part == SweepPart::question && !parameter.unread.empty()) sentences.back() += "; " + parameter.unread;
  }
  return sentences;
}

Columns<SweepPoint> point_columns(const SweepReport& report) {
  using Row = SweepPoint;
  Columns<Row> columns;
  for (std::size_t i = 0; i < report.parameters.size(); ++i) {
    const SweepParameter& parameter = report.parameters[i];
    columns.push_back({{parameter.field, {parameter.path}, parameter.path},
                       [&report, i](const Row& row) { return value_datum(report, row, i); }});
    if (parameter.factors)
      columns.push_back({{parameter.path}, [i](const Row& row) { return as_text(setting_text(row, i)); }});
  }
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const SweepFigure& figure = report.figures[i];
    ColumnHead head;
    if (!has_column_of_parameter(report, figure)) head.key = figure.field;
    if (figure.shown) head.page = head.shown.heading = figure_heading(figure);
    columns.push_back(
        {head, [&figure, i](const Row& row) { return as_real(row.figures[i], figure_text(figure, row.figures[i])); }});
  }
  for (std::size_t i = 0; i < report.words.size(); ++i)
    columns.push_back({{report.words[i], {report.words[i], Align::left}, report.words[i]},
                       [i](const Row& row) { return as_text(row.words[i]); }});
  if (!report.shares.empty())
    columns.push_back({{"", {report.shares_title, Align::left}, report.shares_title},
                       [](const Row& row) { return as_text(shares_in_words(row)); }});
  for (const std::string& share : share_names(report))
    columns.push_back(
        {{"share_" + share}, [share](const Row& row) { return as_real(share_of(row.shares, share), 1); }});
  return columns;
}

std::string table(const SweepReport& report) {
  return incomplete_line(report.heading) + table(tabulate(point_columns(report), report.points));
}

std::string csv(const SweepReport& report) {
  return incomplete_comment(report.heading) + csv(tabulate(point_columns(report), report.points));
}

}  // namespace strata::report
