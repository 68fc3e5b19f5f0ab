// SPDX-License-Identifier: Apache-2.0
#include "report/text/table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/data_columns.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr std::string_view gap = "  ";
using Rows = std::vector<std::vector<std::string>>;

std::string cell(const std::vector<std::string>& row, std::size_t column) {
  return column < row.size() ? clean(row[column]) : std::string();
}

// Code points rather than bytes, which is what fmt's width counts as well, but
// wide characters there would count twice and move the next column.
std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t used = display_width(text);
  const std::string blanks(used < width ? width - used : 0, ' ');
  return align == Align::right ? blanks + text : text + blanks;
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}
}  // namespace

std::string table(const std::vector<Column>& columns, const Rows& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    std::size_t width = display_width(clean(columns[at].heading));
    for (const auto& row : rows) width = std::max(width, display_width(cell(row, at)));
    widths.push_back(width);
  }
  const auto line = [&](auto&& text_of) {
    std::string text;
    for (std::size_t at = 0; at < columns.size(); ++at) {
      if (at > 0) text += gap;
      text += padded(text_of(at), widths[at], columns[at].align);
    }
    return text;
  };
  const std::string rule = line([&](std::size_t at) { return std::string(widths[at], '-'); });
  std::string out;
  append_line(out, line([&](std::size_t at) { return clean(columns[at].heading); }));
  append_line(out, rule);
  for (const auto& row : rows) {
    append_line(out, row.empty() ? rule : line([&](std::size_t at) { return cell(row, at); }));
  }
  return out;
}

std::string table(const Comparison& comparison) {
  const std::string& source = comparison.source;
  std::string out = fmt::format("against {}\n", source.empty() ? "measured points" : clean(source));
  out += table(tabulate(columns_of(comparison), comparison.points));
  out += fmt::format("mean absolute error {} % over {} points", percent(comparison.mean_absolute_error()),
                     comparison.points.size());
  if (const ComparedPoint* worst = comparison.worst()) {
    out += fmt::format("; worst {} % at {}", signed_percent(worst->error()),
                       size_label(static_cast<double>(worst->footprint_bytes)));
  }
  return out + "\n";
}

std::string table(const CurveReport& report) {
  std::string out = incomplete_line(report.heading) + table(tabulate(columns_of(report), report.points));
  if (report.comparison) out += "\n" + table(*report.comparison);
  return out;
}

std::string table(const ValidationReport& report) {
  std::string out = incomplete_line(report.heading);
  for (const std::string& gpu : gpus_of(report.rows))
    out += clean(gpu) + "\n" + table(tabulate(validation_columns(), rows_of(report.rows, gpu))) + "\n";
  const ValidationSummary summary = summarise(report.rows);
  for (const Kind kind : all_kinds) {
    const Tally& tally = summary.by_kind[static_cast<std::size_t>(kind)];
    out += fmt::format("{:<9}  {} of {} passed", name(kind), tally.passed, tally.rows);
    if (kind == Kind::predicted && tally.rows > 0) {
      out += fmt::format(", mean absolute error {} %", percent(summary.predicted_mean_absolute_error));
    }
    out += "\n";
  }
  out += fmt::format("{:<9}  {} of {} passed\n", "all", summary.all.passed, summary.all.rows);
  return out;
}

std::string table(const JourneyReport& report) {
  DataTable stages = stages_and_sum(report, "sum");
  stages.rows.emplace(stages.rows.end() - 1);  // a rule
  const std::string out = fmt::format("{}: {:#x}{}\n", clean(report.heading.gpu), report.address,
                                      report.what.empty() ? std::string() : ", " + clean(report.what));
  return out + table(stages);
}

}  // namespace strata::report
