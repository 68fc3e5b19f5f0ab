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
#include "report/text/csv.hpp"
#include "report/text/table.hpp"
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

}  // namespace

std::size_t LitmusReport::failed() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const LitmusRow& row) { return !row.passed(); }));
}

std::string table(const LitmusReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const LitmusRow& row : report.rows)
    rows.push_back({row.test, row.fence, row.placement, row.weak_outcome, fmt::format("{}", row.weak), verdict(row),
                    in_words(row)});
  std::string text =
      incomplete_line(report.heading) + fmt::format("{}\n{}\n\n", clean(report.title), clean(report.subtitle));
  for (const auto& [name, meaning] : report.tests) text += fmt::format("{:5} {}\n", name, meaning);
  return text + "\n" +
         table({{"test", Align::left},
                {"fence", Align::left},
                {"threads on", Align::left},
                {"weak outcome", Align::left},
                {"seen"},
                {"memory model", Align::left},
                {"outcomes", Align::left}},
               rows) +
         "\n" + conclusion(report);
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
  using boost::json::array;
  using boost::json::object;
  object written = document(report.heading);
  written["question"] = valid_utf8(report.subtitle);
  array rows;
  for (const LitmusRow& row : report.rows) {
    array outcomes;
    for (const auto& [outcome, count] : row.outcomes)
      outcomes.push_back(object{{"outcome", outcome}, {"count", count}});
    rows.push_back(object{{"test", row.test},
                          {"fence", row.fence},
                          {"placement", row.placement},
                          {"runs", row.runs},
                          {"weak_outcome", row.weak_outcome},
                          {"weak", row.weak},
                          {"allowed", row.allowed},
                          {"pass", row.passed()},
                          {"outcomes", outcomes}});
  }
  written["cases"] = rows;
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
    std::vector<PageRow> rows;
    for (const LitmusRow& row : report.rows)
      if (row.test == name)
        rows.push_back({{text_cell(row.fence), text_cell(row.placement), text_cell(row.weak_outcome),
                         figure_cell(fmt::format("{}", row.weak)), text_cell(verdict(row)), text_cell(in_words(row))},
                        ""});
    page.card(Page::table({"fence", "threads on", "weak outcome", "#seen", "memory model", "outcomes"}, rows));
  }
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
