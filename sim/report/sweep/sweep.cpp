// SPDX-License-Identifier: Apache-2.0
#include "report/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/sweep/columns.hpp"
#include "report/text/csv.hpp"
#include "report/text/table.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

// A point as the other writers of shares know one.
LatencyPoint as_latency(const SweepPoint& point) { return {0, 0, 0, point.shares}; }

double share_of(const SweepPoint& point, const std::string& name) {
  for (const auto& [own, share] : point.shares)
    if (own == name) return share;
  return 0;
}

std::string setting_text(const SweepPoint& point, std::size_t parameter) {
  for (const auto& [index, setting] : point.settings)
    if (index == parameter) return setting;
  return {};
}

std::string csv_value(const SweepValue& value) {
  return std::isfinite(value.number) ? shortest(value.number) : csv_field(value.text);
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
    sentences.push_back(fmt::format("{} changes nothing: the same figures with all its {} values", parameter.path,
                                    parameter.values.size()));
    // Of a setting, that has been said before any point was run.
    if (parameter.part == SweepPart::question && !parameter.unread.empty()) sentences.back() += "; " + parameter.unread;
  }
  return sentences;
}

std::string table(const SweepReport& report) {
  std::vector<Column> columns;
  for (const SweepParameter& parameter : report.parameters) columns.push_back({parameter.path});
  for (const SweepFigure& figure : report.figures)
    if (figure.shown) columns.push_back({figure_heading(figure)});
  for (const std::string& word : report.words) columns.push_back({word, Align::left});
  if (!report.shares.empty()) columns.push_back({report.shares_title, Align::left});

  std::vector<std::vector<std::string>> rows;
  for (const SweepPoint& point : report.points) {
    std::vector<std::string>& row = rows.emplace_back();
    for (std::size_t i = 0; i < report.parameters.size(); ++i) row.push_back(value_text(report, point, i));
    for (std::size_t i = 0; i < report.figures.size(); ++i)
      if (report.figures[i].shown) row.push_back(figure_text(report.figures[i], point.figures[i]));
    row.insert(row.end(), point.words.begin(), point.words.end());
    if (!report.shares.empty()) row.push_back(shares_in_words(point));
  }
  return incomplete_line(report.heading) + table(columns, rows);
}

std::string csv(const SweepReport& report) {
  const std::vector<std::string> shares = share_names(report);
  std::vector<std::string> names;
  for (const SweepParameter& parameter : report.parameters) {
    names.push_back(csv_field(parameter.field));
    if (parameter.factors) names.push_back(csv_field(parameter.path));
  }
  for (const SweepFigure& figure : report.figures)
    if (!has_column_of_parameter(report, figure)) names.push_back(csv_field(figure.field));
  for (const std::string& word : report.words) names.push_back(csv_field(word));
  for (const std::string& share : shares) names.push_back(csv_field("share_" + share));
  std::string out = fmt::format("{}{}\n", incomplete_comment(report.heading), fmt::join(names, ","));

  for (const SweepPoint& point : report.points) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < report.parameters.size(); ++i) {
      const SweepParameter& parameter = report.parameters[i];
      const auto figure = figure_named(report, parameter.field);
      cells.push_back(figure ? shortest(point.figures[*figure]) : csv_value(parameter.values[point.choices[i]]));
      if (parameter.factors) cells.push_back(csv_field(setting_text(point, i)));
    }
    for (std::size_t i = 0; i < report.figures.size(); ++i)
      if (!has_column_of_parameter(report, report.figures[i])) cells.push_back(shortest(point.figures[i]));
    for (const std::string& word : point.words) cells.push_back(csv_field(word));
    for (const std::string& share : shares) cells.push_back(shortest(share_of(point, share)));
    out += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return out;
}

}  // namespace strata::report
