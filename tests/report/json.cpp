// SPDX-License-Identifier: Apache-2.0
#include "report/json.hpp"

#include <string>
#include <vector>
#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "report/sample.hpp"
#include "report/text/text.hpp"

using namespace strata::report;
namespace sample = strata::report::sample;

namespace {
using Names = std::vector<std::string>;

Names names(const boost::json::value& item) {
  Names found;
  for (const auto& member : item.as_object()) found.emplace_back(member.key());
  return found;
}
}  // namespace

TEST_CASE("every_document_opens_with_version_gpu_and_fingerprint") {
  for (const std::string& text : {json(sample::curve()), json(sample::validation()), json(sample::journey())}) {
    const auto parsed = boost::json::parse(text);
    CHECK(parsed.at("strata").at("version") == "0.1.0");
    CHECK(parsed.at("strata").at("schema") == 1);
    CHECK(parsed.at("fingerprint") == "00ff");
    CHECK(parsed.as_object().contains("gpu"));
    CHECK(text.back() == '\n');
  }
}

TEST_CASE("latency_points_carry_the_fields_of_schema_1") {
  const auto parsed = boost::json::parse(json(sample::curve()));
  const auto& points = parsed.at("points").as_array();
  REQUIRE(points.size() == 3);
  CHECK(names(points[1]) == Names{"footprint_bytes", "latency_ns", "latency_cycles", "hit_level_shares"});
  CHECK(points[2].at("footprint_bytes").to_number<std::uint64_t>() == std::uint64_t{1} << 32);
  CHECK(points[1].at("latency_ns") == 150.5);
  CHECK(names(points[1].at("hit_level_shares")) == Names{"L1", "L2"});
  CHECK(points[1].at("hit_level_shares").at("L2") == 0.75);
}

TEST_CASE("a_comparison_reports_each_error_their_mean_and_the_worst") {
  const auto comparison = boost::json::parse(json(sample::curve())).at("comparison");
  const double first = (40.0 - 50.0) / 50.0;
  const double second = (301.0 - 300.0) / 300.0;
  CHECK(comparison.at("points").at(0).at("error").as_double() == Approx(first));
  // Compared as text: Boost's reader may be off in the last bit, the writer may not.
  CHECK(json(sample::curve()).find("\"mean_absolute_error\": " + shortest((-first + second) / 2)) != std::string::npos);
  CHECK(names(comparison.at("worst")) == Names{"footprint_bytes", "measured", "predicted", "error"});
  CHECK(comparison.at("worst").at("footprint_bytes") == 1024);
}

TEST_CASE("a_curve_without_measured_points_has_no_comparison") {
  CurveReport report = sample::curve();
  report.comparison.reset();
  CHECK_FALSE(boost::json::parse(json(report)).as_object().contains("comparison"));
}

TEST_CASE("validation_rows_and_summary_carry_the_fields_of_schema_1") {
  const auto parsed = boost::json::parse(json(sample::validation()));
  CHECK(names(parsed.at("rows").at(0)) == Names{"id", "gpu", "quantity", "unit", "measured", "predicted", "error",
                                                "tolerance", "kind", "source", "pass"});
  CHECK(parsed.at("rows").at(2).at("kind") == "predicted");
  CHECK(parsed.at("rows").at(2).at("pass") == false);
  const auto& summary = parsed.at("summary");
  CHECK(names(summary) == Names{"rows", "passed", "by_kind", "predicted_mean_absolute_error"});
  CHECK(summary.at("rows") == 5);
  CHECK(summary.at("passed") == 4);
  CHECK(names(summary.at("by_kind")) == Names{"spec", "fitted", "predicted", "ordering"});
  CHECK(summary.at("by_kind").at("predicted").at("rows") == 2);
  CHECK(summary.at("by_kind").at("predicted").at("passed") == 1);
  CHECK(json(sample::validation()).find("\"predicted_mean_absolute_error\": " + shortest((0.1 + 0.02) / 2)) !=
        std::string::npos);
}

TEST_CASE("rows_with_an_absolute_tolerance_are_not_part_of_the_mean_error") {
  ValidationReport report = sample::validation();
  report.rows.at(2).absolute = true;  // 10 % off
  CHECK(json(report).find("\"predicted_mean_absolute_error\": " + shortest(0.02)) != std::string::npos);
}

TEST_CASE("a_figure_that_does_not_exist_is_null") {
  const auto parsed = boost::json::parse(json(sample::validation()));
  CHECK(parsed.at("rows").at(4).at("measured").is_null());
  ValidationReport empty;
  CHECK(boost::json::parse(json(empty)).at("summary").at("predicted_mean_absolute_error").is_null());
}

TEST_CASE("a_journey_lists_its_stages_and_the_load_s_latency") {
  const auto parsed = boost::json::parse(json(sample::journey()));
  CHECK(names(parsed.at("stages").at(0)) == Names{"stage", "cycles", "ns", "note"});
  CHECK(parsed.at("total_cycles") == 300);
  CHECK(parsed.at("total_ns") == 150);
  CHECK(parsed.at("address") == 4096);
}

TEST_CASE("the_text_of_a_document_is_exact") {
  JourneyReport report = sample::journey();
  report.stages.resize(1);
  CHECK(json(report) == R"({
  "strata": {"version": "0.1.0", "schema": 1},
  "gpu": "b200",
  "fingerprint": "00ff",
  "address": 4096,
  "what": "ld.global",
  "stages": [{"stage": "L1", "cycles": 24, "ns": 12, "note": "miss"}],
  "total_cycles": 300,
  "total_ns": 150
}
)");
}

TEST_CASE("elements_of_one_array_open_together") {
  const std::string filler(100, 'x');
  const boost::json::value document{{"a", {{{"k", 1}}, {{"k", filler}, {"l", 0.1}}}}};
  CHECK(pretty(document) == "{\n  \"a\": [\n    {\n      \"k\": 1\n    },\n    {\n      \"k\": \"" + filler +
                                "\",\n      \"l\": 0.1\n    }\n  ]\n}\n");
}

TEST_CASE("hostile_names_stay_inside_their_string") {
  ValidationReport report = sample::validation();
  report.rows[0].id = sample::hostile;
  CurveReport curve = sample::curve();
  curve.points[0].hit_level_shares = {{std::string(sample::hostile), 1.0}};
  const std::string valid = std::string(sample::hostile.substr(0, sample::hostile.size() - 1)) + "\xEF\xBF\xBD";
  CHECK(boost::json::parse(json(report)).at("rows").at(0).at("id").as_string() == valid);
  CHECK(names(boost::json::parse(json(curve)).at("points").at(0).at("hit_level_shares")) == Names{valid});
}
