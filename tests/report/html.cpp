// SPDX-License-Identifier: Apache-2.0
#include "report/latency/html.hpp"
#include "report/latency/journey_svg.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "report/sample.hpp"

using namespace strata::report;
using namespace strata::report::sample;

namespace {
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("the_markup_checker_finds_malformed_markup") {
  CHECK(fault_in_markup("<p>a &amp; b<br/></p>").empty());
  CHECK_FALSE(fault_in_markup("<p><b></p></b>").empty());
  CHECK_FALSE(fault_in_markup("<p>").empty());
  CHECK_FALSE(fault_in_markup("a & b").empty());
  CHECK_FALSE(fault_in_markup("<p title=\"a\"b\">x</p>").empty());
  CHECK_FALSE(fault_in_markup("1 < 2 <p></p>").empty());
}

TEST_CASE("pages_are_well_formed_self_contained_and_support_dark_screens") {
  const std::vector<CurveReport> several{curve(), curve()};
  for (const std::string& page : {html(curve()), html(several), html(validation()), html(journey())}) {
    CHECK(fault_in_markup(page) == "");
    CHECK(page.rfind("<!DOCTYPE html>\n", 0) == 0);
    CHECK(contains(page, "<meta charset=\"utf-8\"/>"));
    CHECK(contains(page, "prefers-color-scheme:dark"));
    CHECK_FALSE(contains(page, "<script"));
    CHECK_FALSE(contains(page, "src="));
    CHECK(count(page, "href=\"#") == count(page, "href"));  // within the page
    CHECK_FALSE(contains(page, "url("));
    CHECK_FALSE(contains(page, "@import"));
  }
}

TEST_CASE("a_latency_page_shows_curve_points_errors_and_settings") {
  const std::string page = html(curve());
  CHECK(count(page, "<svg ") == 1);
  CHECK(contains(page, "<td class=\"n\">1 MiB</td><td class=\"n\">301.0</td><td class=\"n\">150.5</td>"));
  CHECK(contains(page, "<td class=\"n\">50.0</td><td class=\"n\">40.0</td><td class=\"n\">-20.0</td>"));
  CHECK(contains(page, "<code>l1.size</code></td><td>216 KiB</td><td class=\"source\">b200.yaml:7</td>"));
  CHECK(contains(page, "<div class=\"figure\">10.2 <small>%</small></div>"));
  CHECK(contains(page,
                 "<span class=\"k0\" style=\"width:25%\"></span><span class=\"k1\" "
                 "style=\"width:75%\"></span>"));
}

TEST_CASE("a_page_of_several_gpus_has_one_chart_for_all_and_one_for_each") {
  const std::vector<CurveReport> several{curve(), curve()};
  CHECK(count(html(several), "<svg ") == 3);
  CHECK(html(std::span(several).first(1)) == html(several[0]));
}

TEST_CASE("a_validation_page_keeps_the_kinds_apart") {
  const std::string page = html(validation());
  CHECK(contains(page,
                 "<div class=\"name\">predicted</div><div class=\"figure\">1 <small>of 2</small></div>"
                 "<div class=\"remark\">1 failed</div>"));
  CHECK(contains(page,
                 "<div class=\"name\">fitted</div><div class=\"figure\">1 <small>of 1</small></div>"
                 "<div class=\"remark\">all passed</div>"));
  CHECK(contains(page, "<div class=\"figure\">6.0 <small>%</small></div>"));
  for (const Kind kind : all_kinds) CHECK(contains(page, std::string(meaning(kind))));
}

TEST_CASE("a_row_that_failed_is_marked_and_no_other") {
  const std::string page = html(validation());
  CHECK(count(page, "class=\"failed ") == 1);
  CHECK(contains(page, "<tr id=\"row-M-1\" class=\"failed predicted\"><td class=\"id\"><code>M-1</code></td>"));
  CHECK(count(page, ">FAIL<") == 1);
}

TEST_CASE("failed_rows_are_first_and_link_to_their_row") {
  const std::string page = html(validation());
  CHECK(contains(page, "<h2 id=\"failures\">Outside tolerance: 1 of 5 rows</h2>"));
  CHECK(page.find("<a href=\"#row-M-1\">") < page.find("<tr id=\"row-M-1\""));
}

TEST_CASE("each_curve_is_shown_with_the_rows_of_its_gpu") {
  const std::string page = html(validation());
  CHECK(count(page, "<svg ") == 1);
  CHECK(page.find("<h2 id=\"gpu-b200\">b200</h2>") < page.find("<svg "));
  CHECK(page.find("<svg ") < page.find("<h2 id=\"gpu-mi300x\">mi300x</h2>"));
}

TEST_CASE("a_journey_page_draws_each_stage_after_the_one_before") {
  const std::string page = html(journey());
  CHECK(contains(page, "style=\"left:0%;width:8%\""));
  CHECK(contains(page, "style=\"left:8%;width:92%\""));
  CHECK(contains(page, "<td>Sum</td><td class=\"n\">300.00</td><td class=\"n\">150.00</td>"));
}

TEST_CASE("a_latency_page_draws_the_stages_of_each_level_that_served") {
  CurveReport report = curve();
  report.paths = {{"L1", 1024, 1, {{"address", 10, 5, ""}, {"L1 data", 30, 15, "hit"}}, 40, 20},
                  {"DRAM", 1 << 20, 0.25, {{"address", 10, 5, ""}, {"DRAM bank", 390, 195, ""}}, 400, 200}};
  const std::string page = html(report);
  CHECK(contains(
      page,
      "<strong>L1</strong><span>40 cycles, 20 ns</span><span>100.0 % of the loads that it served at 1 KiB</span>"));
  CHECK(contains(
      page,
      "<strong>DRAM</strong><span>400 cycles, 200 ns</span><span>25.0 % of the loads that it served at 1 MiB</span>"));
  CHECK(contains(page, "style=\"left:0%;width:25%\""));
  CHECK(contains(page, "style=\"left:25%;width:75%\""));
  CHECK(contains(page, "style=\"left:2.5%;width:97.5%\""));
  CHECK(contains(page, "<td>DRAM bank</td><td class=\"n\">390.00</td><td class=\"n\">195.00</td>"));
  CHECK(contains(page, ">When: 0 to 400 cycles</th>"));
  // Notes have a column where there are any.
  CHECK(count(page, "<th scope=\"col\">Note</th>") == 1);
  CHECK(count(html(curve()), "class=\"journey\"") == 0);
}

TEST_CASE("no_name_breaks_out_of_a_page") {
  const std::string name(hostile);
  CurveReport curve_report = curve();
  curve_report.heading = {name, name, name};
  curve_report.title = curve_report.subtitle = name;
  curve_report.points[0].hit_level_shares[0].first = name;
  curve_report.comparison->source = curve_report.comparison->unit = name;
  curve_report.settings = {{name, name, name}};
  curve_report.paths = {{name, 1024, 1, {{name, 1, 1, name}}, 1, 1}};
  ValidationReport report = validation();
  report.heading = curve_report.heading;
  report.curves = {curve_report};
  for (ValidationRow& row : report.rows) {
    row.id = row.gpu = row.quantity = row.unit = row.source = row.note = name;
  }
  JourneyReport journey_report = journey();
  journey_report.heading = curve_report.heading;
  journey_report.what = journey_report.stages[0].stage = journey_report.stages[0].note = name;
  const std::vector<CurveReport> several{curve_report, curve_report};
  for (const std::string& page :
       {html(curve_report), html(several), html(report), html(journey_report), svg(journey_report)}) {
    CHECK(fault_in_markup(page) == "");
    CHECK_FALSE(contains(page, "<script"));
    CHECK_FALSE(contains(page, "\x1b"));
    CHECK_FALSE(contains(page, "\xff"));
  }
}

// 300 cycles over 380 pixels from 230 on: the L1 takes 24, the L2 the other 276.
TEST_CASE("a_drawn_stage_begins_where_the_one_before_ended") {
  const std::string drawn = svg(sample::journey());
  CHECK(contains(drawn, "x=\"230\" y=\"84.5\" width=\"30.4\""));
  CHECK(contains(drawn, "x=\"260.4\" y=\"110.5\" width=\"349.6\""));
  CHECK(contains(drawn, "L2 slice 3: 24 to 300 cycles"));
  CHECK(contains(drawn, "hit, near"));
  JourneyReport named = sample::journey();
  named.title = "my load";
  CHECK(contains(svg(named), ">my load</text>"));
  CHECK(contains(html(named), "<h1>my load</h1>"));
}

TEST_CASE("pages_without_rows_are_valid") {
  CHECK(fault_in_markup(html(CurveReport{})) == "");
  CHECK(fault_in_markup(html(ValidationReport{})) == "");
  CHECK(fault_in_markup(html(JourneyReport{})) == "");
  CHECK(fault_in_markup(html(std::span<const CurveReport>())) == "");
}
