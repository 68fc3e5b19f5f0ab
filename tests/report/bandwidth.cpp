// SPDX-License-Identifier: Apache-2.0
#include "report/bandwidth/bandwidth.hpp"

#include <string>
#include <vector>

#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "report/bandwidth_sample.hpp"

using namespace strata::report;
using namespace strata::report::sample;

namespace {
using Names = std::vector<std::string>;

Names names(const boost::json::value& item) {
  Names found;
  for (const auto& member : item.as_object()) found.emplace_back(member.key());
  return found;
}

std::string words(const std::string& family) { return resource_in_words({family, "", 1, 1, 1}); }
}  // namespace

TEST_CASE("a_resource_is_named_without_numbers_and_position") {
  CHECK(words("core */L1/data") == "core L1 data");
  CHECK(words("die */L2 slice */data") == "L2 slice data");
  CHECK(words("die */crossbar/slice * response") == "crossbar slice response");
  CHECK(words("memory die */DRAM channel */data bus") == "DRAM channel data bus");
  CHECK(words("network/side to side") == "side to side");
  // Where a name is all there is, it stays.
  CHECK(words("network") == "network");
  CHECK(words("") == "");
}

TEST_CASE("the_bottleneck_is_a_resource_only_where_it_has_no_time_left") {
  BandwidthPoint point = sample::bandwidth().points[0];
  point.levels[0].bytes_per_second = 0.79 * point.levels[0].peak_bytes_per_second;
  point.resources[0].busy_fraction = saturated_from;
  CHECK(point.watched().saturated());
  CHECK(bottleneck_in_words(point.watched()) == "core L1 data, busy 80.0 %");
  point.resources[0].busy_fraction = saturated_from - 0.01;
  CHECK_FALSE(point.watched().saturated());
  CHECK(bottleneck_in_words(point.watched()) == "bytes in flight; busiest: core L1 data 79.0 %");
  // 1.5 times as long as the fastest of their level.
  point.mean_latency_ns = 300;
  point.unhindered_latency_ns = 201;
  CHECK(bottleneck_in_words(point.watched()) == "bytes in flight; busiest: core L1 data 79.0 %");
  point.unhindered_latency_ns = 200;
  CHECK(bottleneck_in_words(point.watched()) == "queues; busiest: core L1 data 79.0 %");
  point.unhindered_latency_ns = 0;  // not known
  point.shortages = {"crossbar: 4 places", "east: 2 places"};
  CHECK(bottleneck_in_words(point.watched()) ==
        "bytes in flight; busiest: core L1 data 79.0 %; crossbar: 4 places; east: 2 places");
  point.resources.clear();
  CHECK_FALSE(point.watched().saturated());
  CHECK(bottleneck_in_words(point.watched()) == "-");
}

TEST_CASE("a_level_at_its_peak_is_the_bottleneck_if_no_resource_is") {
  BandwidthPoint point = sample::bandwidth().points[1];
  point.levels[1].bytes_per_second = 0.91 * point.levels[1].peak_bytes_per_second;
  CHECK(point.watched().saturated());
  CHECK(bottleneck_in_words(point.watched()) == "DRAM, 91.0 % of its peak");
  point.resources[0].busy_fraction = 0.85;
  CHECK(bottleneck_in_words(point.watched()) == "side to side, busy 85.0 %");
}

TEST_CASE("bytes_in_flight_are_rate_times_latency") {
  // 2 TB/s x 50 ns.
  CHECK(sample::bandwidth().points[0].bytes_in_flight() == Approx(2e12 * 50e-9));
}

TEST_CASE("bandwidth_points_carry_the_fields_of_schema_1_and_their_cause") {
  const auto parsed = boost::json::parse(json(sample::bandwidth()));
  CHECK(parsed.at("strata").at("schema") == 1);
  CHECK(parsed.at("gpu") == "b200");
  CHECK(parsed.at("operation") == "read");
  const auto& points = parsed.at("points").as_array();
  REQUIRE(points.size() == 2);
  CHECK(points[0].at("footprint_bytes") == 1 << 20);
  CHECK(points[0].at("bytes_per_second").to_number<double>() == 2e12);
  CHECK(points[0].at("cores") == 10);
  const auto& levels = points[0].at("levels").as_array();
  CHECK(names(levels[0]) == Names{"name", "requests", "sectors", "hits", "misses", "hit_rate", "sectors_read",
                                  "sectors_below", "sectors_coalesced", "bytes_read", "bytes_written",
                                  "bandwidth_bytes_per_second", "peak_bytes_per_second", "busy_fraction"});
  CHECK(levels[0].at("hit_rate") == 0.75);
  CHECK(levels[1].at("hit_rate").is_null());  // it had no requests
  CHECK(names(points[0].at("dram")) == Names{"row_hit_rate", "bus_utilisation"});
  CHECK(points[0].at("dram").at("row_hit_rate").is_null());
  CHECK(points[1].at("dram").at("row_hit_rate") == 0.9);
  const auto& bottleneck = points[0].at("bottleneck");
  CHECK(bottleneck.at("resource") == "core */L1/data");
  CHECK(bottleneck.at("busiest") == "core 3/L1/data");
  CHECK(bottleneck.at("busy_fraction") == 0.97);
  CHECK(bottleneck.at("busiest_busy_fraction") == 0.99);
  CHECK(bottleneck.at("saturated") == true);
  CHECK(points[1].at("bottleneck").at("saturated") == false);
  CHECK(parsed.at("comparison").at("unit") == "B/s");
  CHECK(parsed.at("comparison").at("points").at(0).at("error") == 1);
}

TEST_CASE("a_document_reports_the_busiest_resources_and_no_more") {
  BandwidthReport report = sample::bandwidth();
  report.points[0].resources.resize(20);
  const auto parsed = boost::json::parse(json(report));
  CHECK(parsed.at("points").at(0).at("resources").as_array().size() == resources_told);
  report.points[0].resources.clear();
  CHECK(boost::json::parse(json(report)).at("points").at(0).at("bottleneck").is_null());
}

TEST_CASE("a_loaded_document_has_its_fixed_fields_and_null_for_the_maximum_rate") {
  const auto parsed = boost::json::parse(json(sample::loaded()));
  const auto& points = parsed.at("points").as_array();
  REQUIRE(points.size() == 3);
  CHECK(names(points[0]) == Names{"injected_bytes_per_second", "bytes_per_second", "latency_ns", "latency_cycles",
                                  "loads", "hit_level_shares"});
  CHECK(points[1].at("hit_level_shares").at("DRAM") == 0.75);
  CHECK(parsed.at("note").as_string().find("DRAM 100.0 % without load; L2 25.0 %, DRAM 75.0 % at 200.0 GB/s") !=
        std::string::npos);
  CHECK(parsed.at("chains") == 1);
  CHECK(points[1].at("latency_ns") == 625.5);
  CHECK(points[2].at("injected_bytes_per_second").is_null());
  CHECK(points[2].at("bytes_per_second").to_number<double>() == 4e11);
  CHECK(parsed.at("footprint_bytes") == 1 << 30);
}

TEST_CASE("a_bandwidth_curve_has_a_line_per_point_with_each_level_used") {
  CHECK(csv(sample::bandwidth()) ==
        "footprint_bytes,bytes_per_second,cores,warps_per_core,bytes_per_clock_per_core,"
        "mean_latency_ns,L1_bytes_per_second,DRAM_bytes_per_second,bottleneck,"
        "bottleneck_busy_fraction,bottleneck_in_words,steady,halves_differ\n"
        "1048576,2000000000000,10,64,100,50,2000000000000,0,core */L1/data,0.97,\"core L1 data, busy 97.0 %\",1,0.005\n"
        "1073741824,500000000000,10,64,25,50,500000000000,500000000000,network/side to side,0.45,"
        "bytes in flight; busiest: side to side 45.0 %,,\n");
}

TEST_CASE("every_form_states_that_a_window_is_not_steady_and_by_how_much") {
  BandwidthReport report = sample::bandwidth();
  CHECK(table(report).find("steady") == std::string::npos);
  report.points[0].steadiness = strata::stats::Steadiness{false, 0.0523};
  CHECK(steadiness_in_words(report.points[0]) == "no: halves differ by 5.2 %");
  CHECK(steadiness_in_words(report.points[1]) == "-");  // start and end are timed as well
  CHECK(table(report).find("no: halves differ by 5.2 %") != std::string::npos);
  CHECK(html(report).find("no: halves differ by 5.2 %") != std::string::npos);
  CHECK(csv(report).find(",0,0.0523\n") != std::string::npos);
  const auto points = boost::json::parse(json(report)).at("points").as_array();
  CHECK(points[0].at("steady") == false);
  CHECK(points[0].at("halves_differ") == 0.0523);
  CHECK(points[1].at("steady").is_null());
  report.points[0].steadiness = strata::stats::Steadiness{false, 0.0012, 0.083};
  CHECK(steadiness_in_words(report.points[0]) == "no: queues grow by 8.3 % of the window");
}

TEST_CASE("a_dram_bus_is_full_with_turnarounds_and_refreshes_before_its_data_fill_it") {
  BandwidthPoint point = sample::bandwidth().points[1];
  point.levels.clear();
  const std::string channel = "memory die */DRAM channel */";
  point.resources = {{channel + "data bus", "", 0.6, 0.6, 8, 0, {strata::stats::Block::dram_data_bus, {}, {}}},
                     {channel + "bus turnaround", "", 0.15, 0.15, 8},
                     {channel + "refresh", "", 0.06, 0.06, 8}};
  CHECK(point.watched().saturated());
  CHECK(bottleneck_in_words(point.watched()) ==
        "DRAM channel data bus, busy 60.0 %, bus turnaround 15.0 %, refresh 6.0 %");
  point.resources[0].busy_fraction = 0.5;
  CHECK_FALSE(point.watched().saturated());
  // The limit on opening rows is reported by itself.
  point.resources.insert(point.resources.begin(), {channel + "activate window", "", 0.93, 0.93, 8});
  CHECK(bottleneck_in_words(point.watched()) == "DRAM channel activate window, busy 93.0 %");
}

TEST_CASE("a_loaded_curve_has_an_empty_cell_for_the_maximum_rate") {
  CHECK(csv(sample::loaded()) ==
        "injected_bytes_per_second,bytes_per_second,latency_ns,latency_cycles,loads,share_L2,share_DRAM\n"
        "0,0,500,1000,160,0,1\n"
        "200000000000,200000000000,625.5,1251,160,0.25,0.75\n"
        ",400000000000,1500,3000,160,0.125,0.875\n");
}

TEST_CASE("a_bandwidth_table_reports_shares_of_peak_and_the_bottleneck_in_words") {
  CHECK(table(sample::bandwidth()) ==
        "footprint  bandwidth [TB/s]  B/clk/core  latency [ns]  L1 [% of peak]  DRAM [% of peak]  bottleneck\n"
        "---------  ----------------  ----------  ------------  --------------  ----------------  "
        "---------------------------------------------\n"
        "    1 MiB             2.000       100.0            50            80.0               0.0  "
        "core L1 data, busy 97.0 %\n"
        "    1 GiB             0.500        25.0            50            20.0              12.5  "
        "bytes in flight; busiest: side to side 45.0 %\n" +
            std::string("\nagainst mine.csv\n"
                        "footprint  measured [GB/s]  predicted [GB/s]  error [%]\n"
                        "---------  ---------------  ----------------  ---------\n"
                        "    1 MiB           1000.0            2000.0     +100.0\n"
                        "mean absolute error 100.0 % over 1 points; worst +100.0 % at 1 MiB\n"));
}

TEST_CASE("a_loaded_table_names_what_cannot_be_counted") {
  CHECK(table(sample::loaded()) ==
        "injected [GB/s]  achieved [GB/s]  latency [ns]  latency [cycles]  served by\n"
        "---------------  ---------------  ------------  ----------------  ----------------------\n"
        "            0.0              0.0         500.0            1000.0  DRAM 100.0 %\n"
        "          200.0            200.0         625.5            1251.0  L2 25.0 %, DRAM 75.0 %\n"
        "            max            400.0        1500.0            3000.0  L2 12.5 %, DRAM 87.5 %\n");
}

TEST_CASE("rates_below_a_terabyte_a_second_are_shown_in_gigabytes") {
  CHECK(rate_unit(0.999e12).name == "GB/s");
  CHECK(rate_unit(0.999e12).show(0.999e12) == "999.0");
  CHECK(rate_unit(1e12).name == "TB/s");
  CHECK(rate_unit(1e12).show(1.5e12) == "1.500");
}

TEST_CASE("the_bandwidth_chart_shows_curve_capacities_and_measured_points_in_one_unit") {
  const Chart chart = bandwidth_chart(sample::bandwidth());
  REQUIRE(chart.series.size() == 2);
  CHECK(chart.y.unit == "TB/s");
  CHECK(chart.series[0].points[0].y == 2);
  CHECK(chart.series[0].points[1].y == 0.5);
  CHECK(chart.series[0].points[0].note == "core L1 data, busy 97.0 %");
  CHECK(chart.series[1].style == Style::points);
  CHECK(chart.series[1].points[0].y == 1);
  CHECK(chart.capacities.size() == 1);
}

TEST_CASE("the_loaded_chart_is_latency_over_achieved_bandwidth") {
  const Chart chart = loaded_chart(sample::loaded());
  REQUIRE(chart.series.size() == 1);
  REQUIRE(chart.series[0].points.size() == 3);
  CHECK(chart.series[0].points[1].x == 200);
  CHECK(chart.series[0].points[1].y == 625.5);
  CHECK(chart.series[0].points[2].note == "the injected rate is not limited");
}

TEST_CASE("a_bandwidth_page_shows_levels_against_their_peaks_for_each_point") {
  const std::string page = html(sample::bandwidth());
  CHECK(fault_in_markup(page) == "");
  CHECK(count(page, "<svg ") == 3);  // the curve, and a map for each point
  CHECK(count(page, "class=\"strata-chart map\"") == 2);
  CHECK(count(page, "<details>") == 2 + 1);  // a point each, and the settings
  CHECK(page.find("<div class=\"figure\">2.000 <small>TB/s</small></div>") != std::string::npos);
  CHECK(page.find("<td class=\"n\">2000.0</td><td class=\"n\">2500.0</td><td class=\"n\">80.0</td>") !=
        std::string::npos);
  CHECK(page.find("<div class=\"figure\">100.0 <small>%</small></div>") != std::string::npos);
}

TEST_CASE("a_loaded_page_is_well_formed") {
  const std::string page = html(sample::loaded());
  CHECK(fault_in_markup(page) == "");
  CHECK(page.find("<td class=\"n\">max</td><td class=\"n\">400.0</td>") != std::string::npos);
}

TEST_CASE("a_note_says_that_other_levels_serve_the_loads_under_load") {
  LoadedReport report = sample::loaded();
  CHECK(served_by_note(report).starts_with(
      "the levels that serve the loads differ from those without load: DRAM 100.0 %"));
  for (LoadedPoint& point : report.points) point.hit_level_shares = {{"L2", 0.04}, {"DRAM", 0.96}};
  report.points.front().hit_level_shares = {{"L2", 0}, {"DRAM", 1}};
  CHECK(served_by_note(report).empty());
  report.points = {sample::loaded().points[1], sample::loaded().points[2]};  // none without load
  CHECK(served_by_note(report).empty());
}

TEST_CASE("no_name_breaks_out_of_a_bandwidth_report") {
  const std::string name(hostile);
  BandwidthReport report = sample::bandwidth();
  report.heading = {name, name, name};
  report.title = report.subtitle = report.operation = name;
  report.points[0].levels[0].name = name;
  report.points[0].resources[0].family = report.points[0].resources[0].busiest = name;
  report.capacities[0].label = report.comparison->source = name;
  LoadedReport loaded = sample::loaded();
  loaded.heading = report.heading;
  loaded.title = loaded.subtitle = loaded.operation = name;
  for (const std::string& page : {html(report), html(loaded)}) {
    CHECK(fault_in_markup(page) == "");
    CHECK(page.find("<script") == std::string::npos);
    CHECK(page.find('\x1b') == std::string::npos);
  }
  CHECK(table(report).find('\x1b') == std::string::npos);
  CHECK_NOTHROW(boost::json::parse(json(report)));
  CHECK_NOTHROW(boost::json::parse(json(loaded)));
}

TEST_CASE("bandwidth_reports_without_points_are_valid") {
  CHECK(fault_in_markup(html(BandwidthReport{})) == "");
  CHECK(fault_in_markup(html(LoadedReport{})) == "");
  CHECK(fault_in_markup(svg(bandwidth_chart(BandwidthReport{}))) == "");
  CHECK(table(BandwidthReport{}).starts_with("footprint"));
}
