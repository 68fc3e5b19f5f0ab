// SPDX-License-Identifier: Apache-2.0
// --compare: the program reads back its own output, and the errors are arithmetically right.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;

const std::vector<std::string> chase = {"latency", "--gpu", "h200", "--timed-loads", "256"};

json::object compared(const Scratch& folder, std::vector<std::string> more) {
  std::vector<std::string> arguments = chase;
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.insert(arguments.end(), {"--json", "-"});
  const Outcome outcome = run(folder, arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).as_object();
}

}  // namespace

SCENARIO("a_curve_written_as_csv_compares_with_itself_without_error") {
  GIVEN("a curve in a file") {
    const Scratch folder;
    std::vector<std::string> arguments = chase;
    arguments.insert(arguments.end(),
                     {"--from", "128KiB", "--to", "2MiB", "--points-per-octave", "1", "--csv", "curve.csv"});
    REQUIRE(run(folder, arguments).exit_code == 0);
    WHEN("the same chase is compared with it") {
      const json::object curve = compared(folder, {"--compare", "curve.csv"});
      THEN("every point is found again and the error is zero") {
        const json::object& comparison = curve.at("comparison").as_object();
        CHECK(comparison.at("source").as_string() == "curve.csv");
        CHECK(comparison.at("unit").as_string() == "cycles");
        CHECK(comparison.at("points").as_array().size() == 5);
        CHECK(comparison.at("mean_absolute_error").to_number<double>() == 0);
      }
    }
    WHEN("the nanoseconds are asked for by name") {
      const json::object curve =
          compared(folder, {"--compare", "curve.csv", "--columns", "footprint_bytes,latency_ns"});
      THEN("they are compared as such") {
        CHECK(curve.at("comparison").at("unit").as_string() == "ns");
        CHECK(curve.at("comparison").at("mean_absolute_error").to_number<double>() == 0);
      }
    }
  }
}

SCENARIO("errors_are_relative_to_the_measured_value") {
  GIVEN("two measured points, of twice and of half the predicted latency") {
    const Scratch folder;
    const json::object plain = compared(folder, {"--from", "64KiB", "--to", "64KiB"});
    const double predicted = plain.at("points").at(0).at("latency_cycles").to_number<double>();
    folder.write("measured.csv", fmt::format("# a comment\nfootprint_bytes,latency_cycles\n65536,{}\n65536,{}\n",
                                             2 * predicted, predicted / 2));
    WHEN("they are compared") {
      const json::object comparison = compared(folder, {"--compare", "measured.csv"}).at("comparison").as_object();
      THEN("the errors are (predicted - measured) / measured") {
        const json::array& points = comparison.at("points").as_array();
        REQUIRE(points.size() == 2);
        CHECK(points.at(0).at("error").to_number<double>() == Approx(-0.5));
        CHECK(points.at(1).at("error").to_number<double>() == Approx(1));
        CHECK(comparison.at("mean_absolute_error").to_number<double>() == Approx((0.5 + 1) / 2));
        CHECK(comparison.at("worst").at("error").to_number<double>() == Approx(1));
      }
    }
  }
}

SCENARIO("rows_of_another_kind_are_omitted") {
  GIVEN("a file with two curves, distinguished by a column") {
    const Scratch folder;
    folder.write("two.csv", "mode,size_KiB,cycles\nnear,64,32\nfar,64,900\nnear,128,32\n");
    WHEN("one of them is asked for") {
      const json::object curve = compared(folder, {"--compare", "two.csv", "--where", "mode=near"});
      THEN("only its rows are compared, at 64 and 128 KiB") {
        const json::array& points = curve.at("comparison").at("points").as_array();
        REQUIRE(points.size() == 2);
        CHECK(points.at(0).at("footprint_bytes").as_int64() == 64 << 10);
        CHECK(points.at(1).at("footprint_bytes").as_int64() == 128 << 10);
      }
    }
  }
}
