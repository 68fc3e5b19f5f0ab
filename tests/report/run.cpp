// SPDX-License-Identifier: Apache-2.0
// The page and the drawings of `run`.
#include "report/run/run.hpp"

#include <cmath>
#include <string>

#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "report/bandwidth_sample.hpp"
#include "report/sample.hpp"

using namespace strata::report;
using namespace strata::report::sample;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// 4 GFLOP in a millisecond; 2 MB through L1, nothing from DRAM.
RunReport computing() {
  RunReport report;
  report.heading = {"0.1.0", "b200", "00ff"};
  report.title = "B200: 1 kernel";
  report.subtitle = "one kernel";
  KernelReport kernel;
  kernel.name = "mine<&>";
  kernel.flops = 4'000'000'000;
  kernel.blocks = 7;
  kernel.occupancy = "2 blocks";
  kernel.levels = bandwidth().points.front().levels;
  kernel.resources = bandwidth().points.front().resources;
  kernel.seconds = 1e-3;
  kernel.stalls = {{"load", 0.75, 0, "a register"}, {"issue", 0.25, 0, "its turn"}};
  kernel.stages = {{"DRAM bank", 0.6, 60, ""}, {"L2 tag", 0.4, 40, ""}};
  report.kernels = {kernel};
  report.seconds = 1e-3;
  report.peaks = {{"FP32", 5e13}};
  report.settings = {{"l1.size", "216 KiB", "b200.yaml:7"}};
  return report;
}

}  // namespace

TEST_CASE("the_page_of_a_run_is_well_formed_and_self_contained") {
  RunReport without = computing();
  without.kernels.front().flops = 0;
  RunReport many = computing();
  for (int i = 0; i < 20; ++i) many.kernels.push_back(many.kernels.front());
  for (const RunReport& report : {computing(), without, many}) {
    for (const std::string& text : {html(report), svg(report)}) {
      CHECK(fault_in_markup(text) == "");
      for (const char* foreign : {"<script", "src=", "href", "url(", "@import"}) CHECK_FALSE(contains(text, foreign));
      CHECK_FALSE(contains(text, "nan"));
      CHECK(contains(text, "mine&lt;&amp;&gt;"));
    }
  }
}

TEST_CASE("the_page_of_a_run_shows_time_stalls_stages_levels_and_the_busiest_resource") {
  const std::string page = html(computing());
  CHECK(contains(page, "<div class=\"figure\">1000 <small>us</small></div>"));
  CHECK(contains(page, "<td>load</td><td class=\"n\">75.0</td>"));
  CHECK(contains(page, "<td>DRAM bank</td><td class=\"n\">60.0</td>"));
  CHECK(contains(page, "<td class=\"n\">60.00</td>"));
  // 2 TB/s of 2.5.
  CHECK(contains(page, "<td class=\"n\">80.0</td>"));
  CHECK(contains(page, "core L1 data"));
  CHECK(contains(page, "<code>l1.size</code>"));
  // The roofline, the map and the sheet of the one kernel.
  CHECK(count(page, "<svg ") == 3);
  CHECK(count(page, "class=\"strata-chart map\"") == 1);
}

TEST_CASE("the_page_of_a_run_draws_the_stages_of_the_mean_request_in_order") {
  RunReport report = computing();
  // 2 cycles a ns. The longest stage is first in the list and last on the path.
  report.kernels.front().cycles = 2e6;
  report.kernels.front().stages = {{"DRAM bank", 0.6, 60, "", 40}, {"L2 tag", 0.4, 40, "", 0}};
  const std::string page = html(report);
  CHECK(contains(page, "<summary>mine&lt;&amp;&gt;, the mean line request: 100 ns, stage by stage</summary>"));
  CHECK(contains(page,
                 "<td>L2 tag</td><td class=\"n\">80.00</td><td class=\"n\">40.00</td><td class=\"wide\"><div "
                 "class=\"journey\"><span style=\"left:0%;width:40%\">"));
  CHECK(contains(page,
                 "<td>DRAM bank</td><td class=\"n\">120.00</td><td class=\"n\">60.00</td><td class=\"wide\"><div "
                 "class=\"journey\"><span style=\"left:40%;width:60%\">"));
}

TEST_CASE("the_roofline_has_a_line_for_each_level_and_the_kernel_below_it") {
  const auto chart = roofline_chart(computing());
  REQUIRE(chart.has_value());
  // L1, DRAM, the ceiling and the kernel.
  REQUIRE(chart->series.size() == 4);
  const Series& l1 = chart->series[0];
  // The ridge of 2.5 TB/s under 50 TFLOP/s lies at 20 FLOP/B.
  REQUIRE(l1.points.size() == 3);
  CHECK(l1.points[1].x == Approx(20));
  CHECK(l1.points[1].y == Approx(50));
  CHECK(l1.points[0].y == Approx(l1.points[0].x * 2.5));
  CHECK(l1.points[2].y == Approx(50));
  const Series& kernel = chart->series[3];
  // 4e9 operations, 2e6 bytes, a millisecond; DRAM moved none and has no point.
  REQUIRE(kernel.points.size() == 1);
  CHECK(kernel.points[0].x == Approx(2000));
  CHECK(kernel.points[0].y == Approx(4));

  RunReport idle = computing();
  idle.kernels.front().flops = 0;
  CHECK_FALSE(roofline_chart(idle).has_value());
}

TEST_CASE("the_roofs_of_a_kernel_are_those_of_its_pipes_on_the_cores_that_it_has") {
  RunReport report = computing();
  KernelReport& kernel = report.kernels.front();
  // 4 TFLOP/s; the tensor pipe of its 7 cores is busy half the time, the FMA pipe a quarter.
  kernel.cores = 7;
  kernel.pipes = {{"tensor", 0.5, 8e12}, {"FMA", 0.25, 16e12}};
  CHECK(kernel.compute_roof() == 8e12);
  const std::string words = table(report);
  CHECK(contains(words, "4.00 TFLOP/s, tensor pipe 8.0, FMA pipe 16.0 on 7 cores, L1 2000.00 FLOP/B (knee 3.20)"));
  CHECK(contains(words, "lowest roof: tensor pipe, 8.00 TFLOP/s"));
  const auto parsed = boost::json::parse(json(report)).at("kernels").at(0);
  CHECK(parsed.at("cores_in_use") == 7);
  CHECK(parsed.at("pipes").at(0).at("pipe") == "tensor");
  CHECK(parsed.at("pipes").at(0).at("flops_per_second_at_peak").to_number<double>() == 8e12);
  // By level, named: 4e9 operations over 2e6 bytes.
  CHECK(parsed.at("arithmetic_intensity").at("L1") == 2000);
  // A separate line for each pipe in the drawing.
  CHECK(roofline_chart(report)->series.size() == 6);
  CHECK(contains(html(report), "tensor pipe of 7 cores"));
  // The issue rate of the schedulers is a roof like a pipe, without the word pipe.
  kernel.pipes.insert(kernel.pipes.begin(), {"issue", 0.8, 5e12, true});
  CHECK(contains(table(report), "4.00 TFLOP/s, issue 5.0, tensor pipe 8.0"));
  CHECK(contains(table(report), "lowest roof: issue, 5.00 TFLOP/s"));
  CHECK(contains(html(report), "issue of 7 cores"));
}

TEST_CASE("bars_are_as_long_as_their_shares_and_drawings_show_the_longest_kernels") {
  const BarSheet sheet = where_the_time_went(computing().kernels.front());
  REQUIRE(sheet.panels.size() == 4);
  REQUIRE(sheet.panels[0].bars.size() == 1);
  CHECK(sheet.panels[0].bars[0].share == Approx(0.8));
  CHECK(sheet.panels[1].bars[0].label == "core L1 data");
  CHECK(sheet.panels[2].bars[0].text == "75.0 %");
  CHECK(sheet.panels[3].bars[1].share == Approx(0.4));

  RunReport many = computing();
  for (std::size_t i = 0; i < 30; ++i) {
    many.kernels.push_back(many.kernels.front());
    many.kernels.back().seconds = static_cast<double>(i) * 1e-4;
  }
  const auto shown = shown_kernels(many);
  REQUIRE(shown.size() == most_drawn_kernels);
  // 12 of 31: the first, of 1 ms, is not among the longest; those of 1.8 ms on are.
  CHECK(shown.front() == &many.kernels[31 - 12]);
  CHECK(contains(html(many), "The 12 longest of 31 kernels"));
}
