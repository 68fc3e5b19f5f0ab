// SPDX-License-Identifier: Apache-2.0
// The table, CSV, JSON and page of litmus tests.
#include "report/litmus.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "report/html/page.hpp"
#include "report/html/parts.hpp"
#include "report/json.hpp"
#include "report/text/columns.hpp"
#include "report/text/csv.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

std::string verdict(const LitmusRow& row) {
  if (!row.passed()) return "FORBIDDEN, seen";
  if (!row.allowed) return "forbidden, not seen";
  return row.weak > 0 ? "allowed, seen" : "allowed, not seen";
}

std::string in_words(const LitmusRow& row) {
  std::string words;
  for (const auto& [outcome, count] : row.outcomes)
    words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", outcome, count);
  return words;
}

std::string conclusion(const LitmusReport& report) {
  if (report.failed() > 0)
    return fmt::format("{} of {} cases show an outcome that the memory model forbids.\n", report.failed(),
                       report.rows.size());
  return fmt::format("None of {} cases shows an outcome that the memory model forbids.\n", report.rows.size());
}

// On a page, each test has a table of its own.
Columns<LitmusRow> case_columns() {
  using Row = LitmusRow;
  constexpr Align left = Align::left;
  using Outcome = std::pair<std::string, std::uint64_t>;
  const Columns<Outcome> outcomes{{{"outcome"}, as_text(&Outcome::first)}, {{"count"}, as_whole(&Outcome::second)}};
  return {
      {{"test", {"test", left}}, as_text(&Row::test)},
      {{"fence", {"fence", left}, "fence"}, as_text(&Row::fence)},
      {{"placement", {"threads on", left}, "threads on"}, as_text(&Row::placement)},
      {{"runs"}, as_whole(&Row::runs)},
      {{"weak_outcome", {"weak outcome", left}, "weak outcome"}, as_text(&Row::weak_outcome)},
      {{"weak", {"seen"}, "seen"}, as_whole(&Row::weak)},
      {{"allowed"}, [](const Row& row) { return as_flag(row.allowed); }},
      {{"pass", {"memory model", left}, "memory model"},
       [](const Row& row) { return as_flag(row.passed(), verdict(row)); }},
      {{"outcomes", {"outcomes", left}, "outcomes"},
       [outcomes](const Row& row) { return Datum{json_rows(tabulate(outcomes, row.outcomes)), in_words(row)}; }},
  };
}

}  // namespace

std::size_t LitmusReport::failed() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const LitmusRow& row) { return !row.passed(); }));
}

std::string table(const LitmusReport& report) {
  std::string text =
      incomplete_line(report.heading) + fmt::format("{}\n{}\n\n", clean(report.title), clean(report.subtitle));
  for (const auto& [name, meaning] : report.tests) text += fmt::format("{:5} {}\n", name, meaning);
  return text + "\n" + table(tabulate(case_columns(), report.rows)) + "\n" + conclusion(report);
}

std::string csv(const LitmusReport& report) {
  std::string text = incomplete_comment(report.heading) + "test,fence,placement,outcome,count,weak,allowed\n";
  for (const LitmusRow& row : report.rows)
    for (const auto& [outcome, count] : row.outcomes)
      text += fmt::format("{},{},{},{},{},{},{}\n", csv_field(row.test), row.fence, row.placement, outcome, count,
                          outcome == row.weak_outcome, outcome != row.weak_outcome || row.allowed);
  return text;
}

std::string json(const LitmusReport& report) {
  boost::json::object written = document(report.heading);
  written["question"] = valid_utf8(report.subtitle);
  written["cases"] = json_rows(tabulate(case_columns(), report.rows));
  written["failed"] = report.failed();
  add_settings(written, report.settings);
  return pretty(written);
}

std::string html(const LitmusReport& report) {
  Page page(report.title, report.subtitle, report.heading);
  page.open_tiles();
  page.tile("forbidden outcomes seen", fmt::format("{}", report.failed()), "cases",
            fmt::format("of {}", report.rows.size()));
  page.close_tiles();
  for (const auto& [name, meaning] : report.tests) {
    page.section(name);
    page.paragraph(meaning);
    std::vector<const LitmusRow*> rows;
    for (const LitmusRow& row : report.rows)
      if (row.test == name) rows.push_back(&row);
    page.card(page_table(tabulate(case_columns(), rows)));
  }
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
