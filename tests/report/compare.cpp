// SPDX-License-Identifier: Apache-2.0
// The documents of a comparison, with hostile names, parts that one machine lacks and answers that
// are missing.
#include "report/compare/compare.hpp"

#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "report/sample.hpp"

using namespace strata::report;
using boost::json::parse;

namespace {

constexpr double none = sample::none;

// 100 ns on the first, 80 ns on the second: one stage 30 ns less, one that only the second has 10 ns.
CompareReport faster() {
  CompareReport report;
  report.heading = {"0.1.0", "h200", "0x00ff"};
  report.title = "latency of one and of other";
  report.question = "latency";
  report.options = {{"footprint", "1MiB"}};
  report.machines = {"one", "other"};
  report.differing = {{"l2.cache.ways", {"8", "16"}}, {"translation.walker.latency", {"", "40 ns"}}};
  report.unread = 2;
  report.figures = {{{"footprint_bytes", "footprint", "B", 1, 0, true, false}, {1024, 1024}},
                    {{"latency_ns", "latency", "ns"}, {100, 80}}};
  report.drawn = 1;
  report.parts = {{"stages", "DRAM", {90, 60}},
                  {"stages", "L2 tag", {10, 10}},
                  {"stages", "page walk", {none, 10}},
                  {"served by", "L2", {0.25, 0.5}}};
  return report;
}

}  // namespace

TEST_CASE("a_comparison_is_one_sentence_with_the_stages_that_changed") {
  CHECK(
      in_words(faster()) ==
      "The latency falls from 100.0 ns to 80.0 ns, by 20.0 %; of a request's time, DRAM -30.0 ns, page walk +10.0 ns.");
}

TEST_CASE("a_comparison_of_nearly_equals_has_no_change_of_zero_percent") {
  CompareReport report = faster();
  report.figures[1].values = {100, 99.96};
  report.parts = {};
  CHECK(in_words(report) == "The latency is nearly the same, 100.0 ns and 100.0 ns.");
}

TEST_CASE("a_comparison_of_equal_machines_reports_no_difference") {
  CompareReport report = faster();
  report.figures[1].values = {100, 100};
  report.parts = {{"stages", "DRAM", {100, 100}}};
  report.words = {{"bottleneck", {"bytes in flight", "bytes in flight"}}};
  CHECK(in_words(report) == "The latency is the same, 100.0 ns. The bottleneck stays: bytes in flight.");
  report.words = {{"bottleneck", {"bytes in flight", "DRAM data bus 95 %"}}};
  CHECK(in_words(report) ==
        "The latency is the same, 100.0 ns. The bottleneck was: bytes in flight; is: DRAM data bus 95 %.");
}

TEST_CASE("the_table_of_a_comparison_has_settings_figures_and_parts") {
  const std::string text = table(faster());
  for (const char* part :
       {"l2.cache.ways                 8     16\n", "translation.walker.latency    -  40 ns\n",
        "2 that differ are not read by this question\n", "latency [ns]  100.0   80.0  -20.0 %\n",
        "DRAM                    90.0   60.0       -30.0\n", "page walk                  -   10.0       +10.0\n",
        "L2                   25.0   50.0       +25.0\n"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("footprint") == std::string::npos);  // is not for people
}

TEST_CASE("many_settings_that_differ_are_cut_in_the_table_alone") {
  CompareReport report = faster();
  report.differing.assign(12, {"l2.cache.ways", {"8", "16"}});
  CHECK(table(report).find("2 more settings differ; --json, --csv and --html list them\n") != std::string::npos);
  CHECK(parse(json(report)).at("differing").as_array().size() == 12);
}

TEST_CASE("the_document_of_a_comparison_has_numbers_and_null_for_missing_values") {
  const auto document = parse(json(faster()));
  CHECK(document.at("machines").at(1) == "other");
  CHECK(document.at("figures").at(1).at("change").to_number<double>() == Approx(-0.2));
  CHECK(document.at("differing").at(1).at("first").is_null());
  CHECK(document.at("differing_unread") == 2);
  CHECK(document.at("parts").at(2).at("first").is_null());
  CHECK(document.at("parts").at(2).at("difference").to_number<double>() == 10);
}

TEST_CASE("hostile_names_do_not_leave_a_comparison") {
  CompareReport report = faster();
  report.title = report.machines[0] = report.machines[1] = std::string(sample::hostile);
  report.differing[0] = {std::string(sample::hostile), {std::string(sample::hostile), ""}};
  report.parts[0].name = std::string(sample::hostile);
  report.words = {{"bottleneck", {std::string(sample::hostile), ""}}};
  CHECK(html(report).find("<script>alert") == std::string::npos);
  CHECK(svg(report).find("<script>alert") == std::string::npos);
  CHECK(table(report).find('\x1b') == std::string::npos);
  CHECK_NOTHROW(parse(json(report)));
}
