// SPDX-License-Identifier: Apache-2.0
// The documents of a sensitivity analysis, with hostile names, refused and missing moves.
#include "report/sensitivity/sensitivity.hpp"

#include <cmath>
#include <limits>
#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "report/sample.hpp"

using namespace strata::report;
using boost::json::parse;
using boost::json::value;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

SensitivityMove moved(const std::string& text, double number, double answer, double change, bool nearest = false) {
  return {text, number, answer, change, nearest, {}, true};
}
SensitivityMove refused(const std::string& why) { return {"", 0, none, none, false, why, true}; }

// 100 ns; a latency of 10 clk with elasticity near 0.5, a size that takes other steps, two refused both ways.
SensitivityReport sample_sensitivity() {
  SensitivityReport report;
  report.heading = {"0.1.0", "h200", "0x00ff"};
  report.title = "H200: sensitivity of latency";
  report.subtitle = "each setting moved by 20 %";
  report.question = "latency";
  report.options = {{"threads", "1"}};
  report.figure = {"latency_ns", "latency", "ns"};
  report.answer = 100;
  report.by = 0.2;
  report.numbers = 8;
  report.unread = 3;
  report.rows = {
      {"l2.size", "4", 4, "sourced", "data sheet", "h200.yaml:7", moved("2", 2, 100, 0, true),
       moved("8", 8, 80, -0.2, true), -0.32},
      {"l2.ways", "4", 4, "none", "", "default", refused("at 3: no power of two"), refused("at 5: no power of two"),
       none},
      {"l2.hit", "10 clk", 10, "estimated", "guess", "h200.yaml:8", moved("8 clk", 8, 75, -0.25),
       moved("12 clk", 12, 110, 0.1), 0.9},
      {"l2.penalty", "0 clk", 0, "none", "", "default", refused("is 0, which no factor moves"),
       refused("is 0, which no factor moves"), none},
      {"l2.fill", "5 clk", 5, "sourced", "data sheet", "h200.yaml:9", moved("4 clk", 4, 100, 0),
       moved("6 clk", 6, 100, 0), 0},
  };
  rank(report.rows);
  return report;
}

SensitivityReport hostile_sensitivity() {
  SensitivityReport report = sample_sensitivity();
  const std::string name(sample::hostile);
  report.title = report.subtitle = report.heading.gpu = name;
  for (SensitivityRow& row : report.rows) {
    row.path = row.value = row.source = row.set_by = name;
    if (!row.low.refused.empty())
      row.low.refused = row.high.refused = name;
    else
      row.low.text = row.high.text = name;
  }
  return report;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("sensitivities_rank_by_the_size_of_the_change_with_refused_ones_last") {
  std::vector<std::string> order;
  for (const SensitivityRow& row : sample_sensitivity().rows) order.push_back(row.path);
  CHECK(order == std::vector<std::string>{"l2.hit", "l2.size", "l2.fill", "l2.penalty", "l2.ways"});
  CHECK(sample_sensitivity().rows.front().largest_change() == -0.25);
}

TEST_CASE("the_counts_of_a_sensitivity_separate_read_from_selected") {
  const SensitivityCounts found = counts(sample_sensitivity());
  CHECK(found.read == 5);
  CHECK(found.selected == 5);
  CHECK(found.moved == 3);
  CHECK(found.without_effect == 1);
  CHECK(found.refused == 1);
  CHECK(found.zero == 1);
  CHECK(counts_in_words(sample_sensitivity()) ==
        "numbers in the configuration: 8; read by this question: 5; moved: 3, 1 of them without effect; refused: 1; "
        "zero: 1");
  SensitivityReport some = sample_sensitivity();
  some.rows.resize(2);
  CHECK(contains(counts_in_words(some), "read by this question: 5; selected by --only: 2; moved: 2, 0 of them"));
}

TEST_CASE("shares_of_provenance_add_the_largest_changes") {
  const std::vector<ProvenanceShare> shares = provenance_shares(sample_sensitivity());
  REQUIRE(shares.size() == 2);
  // 0.25 of 0.45 and 0.2 of 0.45
  CHECK(shares[0].provenance == "estimated");
  CHECK(std::abs(shares[0].share - 0.25 / 0.45) < 1e-12);
  CHECK(shares[1].settings == 1);
}

TEST_CASE("a_sensitivitys_table_draws_bars_in_proportion_and_marks_other_steps") {
  const std::string text = table(sample_sensitivity());
  // 12 characters are 25 %: 10 % are 4.8 and 20 % are 9.6.
  CHECK(contains(text, "------------|+++++\n"));
  CHECK(contains(text, "  ++++++++++|\n"));
  CHECK(contains(text, "8 *"));
  CHECK(contains(text, "* not 20 % away"));
  CHECK(contains(text, "refused: l2.ways = 4: at 5: no power of two\n"));
  CHECK_FALSE(contains(text, "l2.fill"));
}

TEST_CASE("a_sensitivitys_document_has_null_for_what_was_not_done_and_a_reason_for_what_was_refused") {
  SensitivityReport report = sample_sensitivity();
  report.rows[1].high = {};
  report.rows[1].high.answer = report.rows[1].high.change = none;
  report.rows[1].high.done = false;
  const value document = parse(json(report));
  CHECK(document.at("counts").at("not_done").to_number<int>() == 1);
  CHECK(document.at("sensitivities").at(1).at("high").is_null());
  CHECK(document.at("sensitivities").at(0).at("high").at("latency_ns").to_number<double>() == 110);
  CHECK(document.at("sensitivities").at(4).at("low").at("refused").as_string() == "at 3: no power of two");
  CHECK(document.at("sensitivities").at(4).at("elasticity").is_null());
}

TEST_CASE("sensitivities_survive_hostile_names_in_every_form") {
  for (const SensitivityReport& report : {sample_sensitivity(), hostile_sensitivity()}) {
    CHECK(sample::fault_in_markup(svg(report)) == "");
    const std::string page = html(report);
    CHECK(sample::fault_in_markup(page) == "");
    CHECK_FALSE(contains(page, "<script"));
    CHECK(parse(json(report)).at("sensitivities").as_array().size() == report.rows.size());
  }
  const std::string page = html(sample_sensitivity());
  CHECK(contains(page, "<code>l2.hit</code>"));
  CHECK(contains(page, "Settings refused"));
  CHECK(contains(page, "at 5: no power of two"));
}
