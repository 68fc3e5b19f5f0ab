// SPDX-License-Identifier: Apache-2.0
#include "report/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "report/compare/groups.hpp"
#include "report/sweep/columns.hpp"
#include "report/text/csv.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

constexpr std::size_t most_settings = 10;
constexpr std::size_t most_named = 3;  // stages that the sentence names

std::string figure_text(const ComparedFigure& figure, std::size_t machine) {
  return fixed(figure.values[machine] / figure.figure.per_unit, figure.figure.decimals);
}
std::string with_unit(const ComparedFigure& figure, std::size_t machine) {
  const std::string& unit = figure.figure.unit;
  return figure_text(figure, machine) + (unit.empty() ? "" : " " + unit);
}
std::string change_text(const ComparedFigure& figure) {
  const auto [first, second] = figure.values;
  if (first == second) return "0";
  return std::isfinite(second / first) ? signed_percent(second / first - 1) + " %" : "-";
}

// The stages that make up most of the difference.
std::vector<std::string> main_stages(const CompareReport& report) {
  const PartGroup& stages = part_groups.front();
  std::vector<const ComparedPart*> changed = parts_of(report, stages);
  double all = 0;
  for (const ComparedPart* part : changed) all += std::abs(part->difference());
  std::stable_sort(changed.begin(), changed.end(), [](const ComparedPart* a, const ComparedPart* b) {
    return std::abs(a->difference()) > std::abs(b->difference());
  });
  std::vector<std::string> named;
  for (const ComparedPart* part : changed)
    if (named.size() < most_named && std::abs(part->difference()) > 0.05 * all)
      named.push_back(fmt::format("{} {} ns", part->name, difference_text(*part, stages)));
  return named;
}

// A column for each machine; a heading is never empty.
template <typename Row, typename DatumOf>
void add_machines(Columns<Row>& columns, const CompareReport& report, DatumOf datum_of) {
  for (const std::size_t machine : {0U, 1U}) {
    const std::string& name = report.machines[machine];
    columns.push_back({{machine == 0 ? "first" : "second", {name.empty() ? " " : name}, name},
                       [datum_of, machine](const Row& row) { return datum_of(row, machine); }});
  }
}

}  // namespace

double ComparedPart::difference() const {
  const auto known = [](double value) { return std::isfinite(value) ? value : 0; };
  return known(values[1]) - known(values[0]);
}

std::vector<const ComparedPart*> parts_of(const CompareReport& report, const PartGroup& group) {
  std::vector<const ComparedPart*> parts;
  for (const ComparedPart& part : report.parts)
    if (part.group == group.name) parts.push_back(&part);
  return parts;
}

bool worth_showing(const ComparedPart& part, const std::vector<const ComparedPart*>& group) {
  if (part.group == "hits") return true;  // a level without hits is a result too
  const auto size = [](const ComparedPart& p) { return std::fmax(std::abs(p.values[0]), std::abs(p.values[1])); };
  double largest = 0;
  for (const ComparedPart* other : group) largest = std::fmax(largest, size(*other));
  return size(part) >= 0.02 * largest;
}

std::string part_text(const ComparedPart& part, const PartGroup& group, std::size_t machine) {
  return fixed(part.values[machine] / group.per_unit, 1);
}

std::string difference_text(const ComparedPart& part, const PartGroup& group) {
  const double difference = part.difference() / group.per_unit;
  const std::string text = fixed(std::abs(difference), 1);
  return text == "0.0" ? "0.0" : (difference < 0 ? "-" : "+") + text;
}

std::string change_in_words(const CompareReport& report) {
  const ComparedFigure& main = report.figures.at(report.drawn);
  const auto [first, second] = main.values;
  if (!std::isfinite(first) || !std::isfinite(second))
    return fmt::format("One of the two has no {}", main.figure.title);
  if (first == second) return fmt::format("The {} is the same, {}", main.figure.title, with_unit(main, 0));
  const double change = second / first - 1;
  if (std::isfinite(change) && percent(std::abs(change)) == percent(0))
    return fmt::format("The {} is nearly the same, {} and {}", main.figure.title, with_unit(main, 0),
                       with_unit(main, 1));
  std::string text = fmt::format("The {} {} from {} to {}", main.figure.title, second < first ? "falls" : "rises",
                                 with_unit(main, 0), with_unit(main, 1));
  if (std::isfinite(change)) text += fmt::format(", by {} %", percent(std::abs(change)));
  return text;
}

std::string in_words(const CompareReport& report) {
  std::string text = change_in_words(report);
  const std::vector<std::string> stages = main_stages(report);
  if (!stages.empty()) text += fmt::format("; of a request's time, {}", fmt::join(stages, ", "));
  text += ".";
  for (const auto& [name, words] : report.words) {
    if (words[0] == words[1])
      text += fmt::format(" The {} stays: {}.", name, words[0]);
    else
      text += fmt::format(" The {} was: {}; is: {}.", name, words[0], words[1]);
  }
  return text;
}

Columns<ComparedSetting> setting_columns(const CompareReport& report) {
  using Row = ComparedSetting;
  Columns<Row> columns{{{"path", {"setting", Align::left}, "Setting"}, as_text(&Row::path)}};
  add_machines(columns, report, [](const Row& row, std::size_t machine) {
    const std::string& text = row.values[machine];
    return text.empty() ? Datum{boost::json::value(nullptr), "-", figure_cell("")} : as_text(text);
  });
  return columns;
}

Columns<ComparedFigure> figure_columns(const CompareReport& report) {
  using Row = ComparedFigure;
  Columns<Row> columns{{{"figure", {"figure", Align::left}}, [](const Row& row) {
                          return Datum{boost::json::value(row.figure.field), figure_heading(row.figure)};
                        }}};
  add_machines(columns, report, [](const Row& row, std::size_t machine) {
    return as_real(row.values[machine], figure_text(row, machine));
  });
  columns.push_back({{"change", {"change"}},
                     [](const Row& row) { return as_real(row.values[1] / row.values[0] - 1, change_text(row)); }});
  return columns;
}

Columns<ComparedPart> part_columns(const CompareReport& report, const PartGroup& group) {
  using Row = ComparedPart;
  Columns<Row> columns{
      {{"group"}, as_text(&Row::group)},
      {{"name", {fmt::format("{} [{}]", group.title, group.unit), Align::left}, "Part"}, as_text(&Row::name)}};
  add_machines(columns, report, [group](const Row& row, std::size_t machine) {
    return as_real(row.values[machine], part_text(row, group, machine));
  });
  columns.push_back({{"difference", {"difference"}, "Difference"},
                     [group](const Row& row) { return as_real(row.difference(), difference_text(row, group)); }});
  return columns;
}

std::string table(const CompareReport& report) {
  std::string out = incomplete_line(report.heading);
  out += clean(report.title) + "\n" + clean(in_words(report)) + "\n\n";
  const std::size_t shown = std::min(report.differing.size(), most_settings);
  if (shown > 0) out += table(tabulate(setting_columns(report), std::span(report.differing).first(shown)));
  if (report.differing.size() > shown)
    out +=
        fmt::format("{} more settings differ; --json, --csv and --html list them\n", report.differing.size() - shown);
  if (report.unread > 0) out += fmt::format("{} that differ are not read by this question\n", report.unread);
  if (report.differing.empty() && report.unread == 0) out += "no setting differs\n";
  std::vector<const ComparedFigure*> figures;
  for (const ComparedFigure& figure : report.figures)
    if (figure.figure.shown) figures.push_back(&figure);
  out += "\n" + table(tabulate(figure_columns(report), figures));
  for (const PartGroup& group : part_groups) {
    std::vector<const ComparedPart*> parts = parts_of(report, group);
    std::erase_if(parts, [all = parts](const ComparedPart* part) { return !worth_showing(*part, all); });
    if (!parts.empty()) out += "\n" + table(tabulate(part_columns(report, group), parts));
  }
  return out;
}

std::string csv(const CompareReport& report) {
  std::string out = incomplete_comment(report.heading) + "kind,name,unit,first,second,difference\n";
  for (const ComparedSetting& setting : report.differing)
    out += fmt::format("setting,{},,{},{},\n", csv_field(setting.path), csv_field(setting.values[0]),
                       csv_field(setting.values[1]));
  for (const ComparedFigure& figure : report.figures)
    out += fmt::format("figure,{},,{},{},{}\n", csv_field(figure.figure.field), shortest(figure.values[0]),
                       shortest(figure.values[1]), shortest(figure.values[1] - figure.values[0]));
  for (const auto& [name, words] : report.words)
    out += fmt::format("words,{},,{},{},\n", csv_field(name), csv_field(words[0]), csv_field(words[1]));
  for (const ComparedPart& part : report.parts)
    out += fmt::format("{},{},{},{},{},{}\n", csv_field(part.group), csv_field(part.name),
                       part.group == part_groups.front().name ? "ns" : "1", shortest(part.values[0]),
                       shortest(part.values[1]), shortest(part.difference()));
  return out;
}

}  // namespace strata::report
