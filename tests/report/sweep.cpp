// SPDX-License-Identifier: Apache-2.0
// The documents of a sweep, over two settings and a choice, with hostile names.
#include "report/sweep/sweep.hpp"

#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "report/sample.hpp"

using namespace strata::report;
using boost::json::parse;
using boost::json::value;

namespace {

// Two sizes by three latencies; latency answers 10 ns for each size and 1 for each cycle.
SweepReport sample_sweep() {
  SweepReport report;
  report.heading = {"0.1.0", "h200", "0x00ff"};
  report.title = "H200: latency";
  report.subtitle = "threads 1";
  report.question = "latency";
  report.options = {{"threads", "1"}};
  report.parameters = {
      {"footprint", "footprint_bytes", SweepPart::question, {{"1 KiB", 1024}, {"2 KiB", 2048}}, "B", 1, true, false},
      {"l2.hit",
       "l2.hit_cycles",
       SweepPart::configuration,
       {{"1 clk", 1}, {"2 clk", 2}, {"4 clk", 4}},
       "cycles",
       1,
       false,
       false}};
  report.figures = {{"footprint_bytes", "footprint", "B", 1, 0, true, false}, {"latency_ns", "latency", "ns"}};
  report.drawn = 1;
  report.words = {"bottleneck"};
  report.shares = "hit_level_shares";
  report.shares_title = "served by";
  for (std::size_t size = 0; size < 2; ++size)
    for (std::size_t hit = 0; hit < 3; ++hit)
      report.points.push_back({{size, hit},
                               {report.parameters[0].values[size].number + 128,
                                10.0 * static_cast<double>(size + 1) + report.parameters[1].values[hit].number},
                               {"l2, data"},
                               {{"L1", 0.25}, {"L2", 0.75}}});
  report.settings = {{"l2.hit", "1 clk", "h200.yaml:7"}};
  return report;
}

SweepReport hostile_sweep() {
  SweepReport report = sample_sweep();
  const std::string name(sample::hostile);
  report.title = report.subtitle = report.heading.gpu = name;
  report.parameters[1].path = name;
  report.parameters[1].values[0].text = name;
  report.parameters[1].changed_nothing = true;
  report.points[0].words = {name};
  report.points[0].shares[0].first = name;
  return report;
}

}  // namespace

TEST_CASE("a_sweeps_table_has_a_row_a_point") {
  CHECK(table(sample_sweep())
            .starts_with("footprint  l2.hit  latency [ns]  bottleneck  served by\n"
                         "---------  ------  ------------  ----------  --------------------\n"
                         "    1 KiB   1 clk          11.0  l2, data    L1 25.0 %, L2 75.0 %\n"));
}

TEST_CASE("a_sweeps_csv_names_each_column_once") {
  const std::string text = csv(sample_sweep());
  CHECK(
      text.starts_with("footprint_bytes,l2.hit_cycles,latency_ns,bottleneck,share_L1,share_L2\n"
                       "1152,1,11,\"l2, data\",0.25,0.75\n"  // the footprint that the run made of it
                       "1152,2,12,\"l2, data\",0.25,0.75\n"));
  CHECK(sample::count(text, "\n") == 7);
}

TEST_CASE("a_sweeps_document_has_parameters_and_points_with_their_values") {
  SweepReport report = sample_sweep();
  report.parameters[1].values[0] = {"none", sample::none};
  report.points[0].figures[1] = sample::none;
  const value document = parse(json(report));
  CHECK(document.at("strata").at("schema").as_int64() == 1);
  CHECK(document.at("question").at("name").as_string() == "latency");
  CHECK(document.at("question").at("options").at("threads").as_string() == "1");
  const value& parameter = document.at("parameters").at(1);
  CHECK(parameter.at("path").as_string() == "l2.hit");
  CHECK(parameter.at("field").as_string() == "l2.hit_cycles");
  CHECK(parameter.at("of").as_string() == "configuration");
  CHECK(parameter.at("values").at(0).as_string() == "none");
  CHECK(parameter.at("values").at(2).as_int64() == 4);
  CHECK(parameter.at("texts").at(2).as_string() == "4 clk");
  CHECK_FALSE(parameter.at("changed_nothing").as_bool());
  REQUIRE(document.at("points").as_array().size() == 6);
  const value& point = document.at("points").at(4);
  CHECK(point.at("values").at("footprint_bytes").as_int64() == 2048);
  CHECK(point.at("values").at("l2.hit_cycles").as_int64() == 2);
  CHECK(point.at("footprint_bytes").as_int64() == 2176);
  CHECK(point.at("latency_ns").to_number<double>() == 22);
  CHECK(point.at("bottleneck").as_string() == "l2, data");
  CHECK(point.at("hit_level_shares").at("L2").to_number<double>() == 0.75);
  CHECK(document.at("points").at(0).at("latency_ns").is_null());
}

TEST_CASE("the_first_number_is_the_axis_and_the_next_parameter_the_curves") {
  const std::vector<Chart> charts = sweep_charts(sample_sweep());
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].x.title == "footprint");
  CHECK(charts[0].x.scale == Scale::log2);
  REQUIRE(charts[0].series.size() == 3);
  CHECK(charts[0].series[2].name == "l2.hit 4 clk");
  REQUIRE(charts[0].series[2].points.size() == 2);
  CHECK(charts[0].series[2].points[1].x == 2048);
  CHECK(charts[0].series[2].points[1].y == 24);
  CHECK(sample::fault_in_markup(svg(sample_sweep())).empty());
}

TEST_CASE("a_choice_gives_way_to_a_number_on_the_axis") {
  SweepReport report = sample_sweep();
  report.parameters[0] = {
      "order", "order", SweepPart::question, {{"random", sample::none}, {"ascending", sample::none}}, "", 1,
      false,   false};
  const std::vector<Chart> charts = sweep_charts(report);
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].x.title == "l2.hit");
  CHECK(charts[0].x.scale == Scale::log2);  // 1, 2 and 4 grow by factors of two
  CHECK(charts[0].series[1].name == "order ascending");
}

TEST_CASE("drawings_name_files_without_their_folders") {
  SweepReport report = sample_sweep();
  SweepParameter& gpu = report.parameters[1];
  gpu = {"gpu",
         "gpu",
         SweepPart::gpu,
         {{"b580", sample::none}, {"a/x.yaml", sample::none}, {"a/b/y.yaml,n=2", sample::none}},
         "",
         1,
         false,
         false};
  CHECK(sweep_charts(report)[0].series[1].name == "gpu x.yaml");
  CHECK(sweep_charts(report)[0].series[2].name == "gpu y.yaml,n=2");
  CHECK(table(report).find(" a/x.yaml  ") != std::string::npos);
  gpu.values[2].text = "b/x.yaml";
  CHECK(sweep_charts(report)[0].series[2].name == "gpu b/x.yaml");
}

TEST_CASE("choices_alone_are_drawn_as_bars") {
  SweepReport report = sample_sweep();
  const SweepParameter order{
      "order", "order", SweepPart::question, {{"random", sample::none}, {"ascending", sample::none}}, "", 1,
      false,   false};
  const SweepParameter gpu{"gpu", "gpu", SweepPart::gpu, {{"b580", sample::none}, {"h200", sample::none}},
                           "",    1,     false,          false};
  CHECK_FALSE(sweep_bars(report));
  GIVEN("one thing varied") {
    report.parameters = {order};
    report.points = {{{0}, {1024, 20}, {""}, {}}, {{1}, {1024, 30}, {""}, {}}};
    CHECK(sweep_charts(report).empty());
    const auto sheet = sweep_bars(report);
    REQUIRE(sheet);
    REQUIRE(sheet->panels.size() == 1);
    REQUIRE(sheet->panels[0].bars.size() == 2);
    CHECK(sheet->panels[0].bars[1].label == "ascending");
    CHECK(sheet->panels[0].bars[1].share == 1);
    CHECK(sheet->panels[0].bars[0].share == Approx(20.0 / 30));
    CHECK(sheet->panels[0].bars[0].text == "20.0");
    CHECK(sample::fault_in_markup(svg(report)).empty());
  }
  GIVEN("two things, of which the second lacks a point") {
    report.parameters = {gpu, order};
    report.points = {{{0, 0}, {1024, 20}, {""}, {}}, {{0, 1}, {1024, 30}, {""}, {}}, {{1, 1}, {1024, 60}, {""}, {}}};
    const auto sheet = sweep_bars(report);
    REQUIRE(sheet);
    REQUIRE(sheet->panels.size() == 2);
    CHECK(sheet->panels[0].title == "b580: latency [ns]");
    CHECK(sheet->panels[0].bars[1].share == 0.5);  // one scale
    CHECK(sheet->panels[1].bars.size() == 1);
    WHEN("they are far apart") {
      report.points[2].figures[1] = 6000;
      const auto apart = sweep_bars(report);
      REQUIRE(apart);
      CHECK(apart->panels[0].bars[1].share == 1);
      CHECK(apart->subtitle.ends_with("each panel has a scale of its own"));
    }
  }
  GIVEN("two things that are linked") {
    report.parameters = {gpu, order};
    report.parameters[1].follows = "gpu";
    report.points = {{{0, 0}, {1024, 20}, {""}, {}}, {{1, 1}, {1024, 30}, {""}, {}}};
    const auto sheet = sweep_bars(report);
    REQUIRE(sheet);
    REQUIRE(sheet->panels.size() == 1);
    CHECK(sheet->panels[0].bars[1].label == "h200, ascending");
  }
  GIVEN("more than can be read") {
    SweepParameter many = order;
    for (int i = 0; i < 39; ++i) many.values.push_back({"x" + std::to_string(i), sample::none});
    CHECK(why_not_drawn({many}) == "it would be 41 bars a panel, and at most 40 are drawn");
    CHECK(why_not_drawn({many, gpu}) == "order would be 41 panels, and at most 24 are drawn");
    many.follows = "order";
    CHECK(why_not_drawn({gpu, order, many}).empty());
  }
}

TEST_CASE("a_third_parameter_gives_a_chart_for_each_of_its_values_on_one_scale") {
  SweepReport report = sample_sweep();
  report.parameters.push_back({"cores", "cores", SweepPart::question, {{"1", 1}, {"8", 8}}, "", 1, false, false});
  std::vector<SweepPoint> both;
  for (const SweepPoint& point : report.points)
    for (std::size_t cores = 0; cores < 2; ++cores) {
      both.push_back(point);
      both.back().choices.push_back(cores);
      both.back().figures[1] *= cores == 0 ? 1 : 3;
    }
  report.points = both;
  const std::vector<Chart> charts = sweep_charts(report);
  REQUIRE(charts.size() == 2);
  CHECK(charts[1].subtitle == "cores 8");
  CHECK(charts[0].y.upper == charts[1].y.upper);
  CHECK(*charts[0].y.upper >= 72);
  CHECK(sample::count(svg(report), "class=\"strata-chart\"") == 2);
  CHECK(sample::fault_in_markup(svg(report)).empty());
}

TEST_CASE("curves_that_cannot_be_distinguished_are_not_drawn_with_the_reason") {
  SweepParameter many{"n", "n", SweepPart::configuration, {}, "", 1, false, false};
  for (int i = 0; i < 15; ++i) many.values.push_back({std::to_string(i), static_cast<double>(i)});
  SweepReport report = sample_sweep();
  CHECK(why_not_drawn({many}).empty());
  CHECK(why_not_drawn({report.parameters[0], many}) ==
        "n would be 15 curves in one chart, and 14 can be distinguished");
  CHECK(why_not_drawn({many, report.parameters[0]}).empty());
  CHECK(why_not_drawn({report.parameters[0], report.parameters[1], many, report.parameters[0]}) ==
        "it would be 30 charts, and at most 24 are drawn");
  report.parameters[1] = many;
  const std::string page = html(report);
  CHECK(page.find("Not drawn: n would be 15 curves") != std::string::npos);
  CHECK(page.find("<svg") == std::string::npos);
}

TEST_CASE("parameters_without_effect_are_reported") {
  SweepReport report = sample_sweep();
  CHECK(what_changed_nothing(report).empty());
  report.parameters[1].changed_nothing = true;
  CHECK(what_changed_nothing(report) ==
        std::vector<std::string>{"l2.hit has no effect: the figures are the same for all its 3 values"});
  CHECK(html(report).find("l2.hit has no effect") != std::string::npos);
  report.parameters[1].unread = "there is no L2";
  CHECK(what_changed_nothing(report).front().ends_with("values"));
  report.parameters[1].part = SweepPart::question;
  CHECK(what_changed_nothing(report).front().ends_with("values; there is no L2"));
}

TEST_CASE("a_sweeps_page_stands_alone_and_no_name_breaks_out_of_it") {
  const std::string page = html(sample_sweep());
  CHECK(sample::fault_in_markup(page).empty());
  CHECK(page.find("1 settings with their origins") != std::string::npos);
  for (const std::string& text : {html(hostile_sweep()), svg(hostile_sweep())}) {
    CHECK(sample::fault_in_markup(text).empty());
    CHECK(text.find("<script") == std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
  }
  CHECK(table(hostile_sweep()).find('\x1b') == std::string::npos);
  CHECK_NOTHROW(parse(json(hostile_sweep())));
}

TEST_CASE("a_factor_of_the_value_of_each_gpu_is_shown_with_the_product") {
  SweepReport report = sample_sweep();
  report.parameters = {
      {"gpu", "gpu", SweepPart::gpu, {{"b580", sample::none}, {"h200", sample::none}}, "", 1, false, false},
      {"l2.hit", "l2.hit_factor", SweepPart::configuration, {{"*2", 2}}, "", 1, false, false}};
  report.parameters[1].factors = true;
  report.points = {{{0, 0}, {1024, 20}, {""}, {}, {{1, "280 clk"}}}, {{1, 0}, {1024, 30}, {""}, {}, {{1, "60 clk"}}}};
  CHECK(table(report).find("\nb580  *2 (280 clk)          20.0") != std::string::npos);
  CHECK(csv(report).starts_with(
      "gpu,l2.hit_factor,l2.hit,footprint_bytes,latency_ns,bottleneck\nb580,2,280 clk,1024,20,\n"));
  const value document = parse(json(report));
  CHECK(document.at("parameters").at(0).at("of").as_string() == "gpu");
  CHECK(document.at("points").at(1).at("settings").at("l2.hit").as_string() == "60 clk");
  CHECK(document.at("points").at(1).at("values").at("l2.hit_factor").as_int64() == 2);
  CHECK(html(report).find("*2 (60 clk)") != std::string::npos);
  // The factor is the axis; the GPUs are the curves.
  const std::vector<Chart> charts = sweep_charts(report);
  REQUIRE(charts.size() == 1);
  REQUIRE(charts[0].series.size() == 2);
  CHECK(charts[0].series[1].name == "gpu h200");
}
