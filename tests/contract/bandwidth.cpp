// SPDX-License-Identifier: Apache-2.0
// strata bandwidth from the user's view: the fixed fields of the document, properties of any
// result, measured points, and refusals.
#include <boost/json.hpp>

#include <algorithm>

#include "catch.hpp"
#include "program.hpp"

namespace {

namespace json = boost::json;
using strata::test::Outcome;
using strata::test::run;
using strata::test::Scratch;

std::vector<std::string> streaming(std::vector<std::string> more) {
  more.insert(more.begin(), {"bandwidth", "--gpu", "b580", "--timed", "1MiB"});
  return more;
}

json::object document(const Scratch& folder, std::vector<std::string> more) {
  more.insert(more.end(), {"--json", "-"});
  const Outcome outcome = run(folder, streaming(std::move(more)));
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out).as_object();
}

json::object document(std::vector<std::string> more) { return document(Scratch(), std::move(more)); }

double real(const json::value& item, std::string_view name) { return item.at(name).to_number<double>(); }

void check_refused(std::vector<std::string> more, const std::string& message) {
  const Outcome outcome = run(streaming(std::move(more)));
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  // Notes on options that are not read may come first.
  CHECK(("\n" + outcome.err).ends_with("\n" + message + "\n"));
}

}  // namespace

SCENARIO("a_bandwidth_document_has_its_fixed_fields") {
  GIVEN("a read of two footprints, by four cores") {
    const json::object curve = document({"--footprint", "256KiB,8MiB", "--cores", "4"});
    const json::array& points = curve.at("points").as_array();
    REQUIRE(points.size() == 2);
    THEN("each point has footprint, rate and cores, and the rate is bytes over time") {
      CHECK(curve.at("gpu").as_string() == "b580");
      CHECK(curve.at("strata").at("schema").as_int64() == 1);
      CHECK(points[0].at("footprint_bytes").as_int64() == 256 << 10);
      CHECK(points[1].at("footprint_bytes").as_int64() == 8 << 20);
      for (const json::value& point : points) {
        CHECK(point.at("cores").as_int64() == 4);
        CHECK(real(point, "bytes_per_second") == Approx(real(point, "bytes") / real(point, "seconds")));
      }
    }
    THEN("no level moves more than its peak, and no resource is busy longer than the time watched") {
      for (const json::value& point : points) {
        for (const json::value& level : point.at("levels").as_array())
          CHECK(real(level, "bandwidth_bytes_per_second") <= (1 + 1e-9) * real(level, "peak_bytes_per_second"));
        const json::array& resources = point.at("resources").as_array();
        REQUIRE_FALSE(resources.empty());
        for (const json::value& resource : resources) {
          CHECK(real(resource, "busy_fraction") <= real(resource, "busiest_busy_fraction") + 1e-9);
          CHECK(real(resource, "busiest_busy_fraction") <= 1 + 1e-9);
          CHECK(real(resource, "busy_fraction") <= real(resources[0], "busy_fraction"));
        }
        CHECK(point.at("bottleneck").at("resource") == resources[0].at("resource"));
        CHECK(point.at("bottleneck").at("busiest").is_string());
      }
    }
    THEN("what fits in the L1s comes from there, what does not from below") {
      const auto share = [](const json::value& point, std::size_t level) {
        return real(point.at("levels").at(level), "hit_rate");
      };
      CHECK(share(points[0], 0) > 0.9);
      CHECK(share(points[1], 0) < 0.1);
      CHECK(real(points[1], "bytes_per_second") < real(points[0], "bytes_per_second"));
    }
  }
}

// Nine of the sixteen cores that a grid of sixteen blocks gets share one port of an H200, the others have one each.
SCENARIO("cores_that_get_unequal_rates_are_noted") {
  const auto asked = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"bandwidth",  "--gpu", "h200",    "--footprint", "16MiB",   "--cores", "16",
                                   "--cache-op", "cg",    "--timed", "32MiB",       "--quiet", "--json",  "-"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const auto slowest = [](const Outcome& outcome) {
    return json::parse(outcome.out).at("points").at(0).at("slowest_core");
  };
  const Outcome as_a_grid = asked({});
  CHECK(
      as_a_grid.err.starts_with("note: cores get unequal rates: at a footprint of 16777216 bytes the slowest moves "));
  // 645 B/clk for nine, the L1's 128 for each of seven.
  CHECK(slowest(as_a_grid).to_number<double>() == Approx(645.0 / 9 / ((645 + 7 * 128) / 16.0)).epsilon(0.02));
  const Outcome in_order = asked({"--placement", "die_first"});
  CHECK(in_order.err.empty());
  CHECK(slowest(in_order).to_number<double>() > 0.95);
  for (const std::vector<std::string>& timed_otherwise :
       {std::vector<std::string>{"--whole"}, std::vector<std::string>{"--sharing", "turns"}}) {
    const Outcome outcome = asked(timed_otherwise);
    CHECK(outcome.err.find("unequal rates") == std::string::npos);
    CHECK(slowest(outcome).is_null());
  }
}

SCENARIO("the_default_curve_of_a_gpu_reaches_from_its_L1s_to_its_memory") {
  const json::object curve = document({});
  const json::array& points = curve.at("points").as_array();
  REQUIRE(points.size() >= 4);
  CHECK(real(points.front().at("levels").at(0), "hit_rate") > 0.9);
  CHECK(real(points.back().at("levels").as_array().back(), "bytes_read") > 0);
  CHECK(points.back().at("footprint_bytes").as_int64() > 2 * (18 << 20));  // well past the L2 of 18 MiB
}

SCENARIO("bandwidths_written_as_csv_compare_with_themselves_without_error") {
  const Scratch folder;
  REQUIRE(run(folder, streaming({"--footprint", "1MiB,4MiB,64MiB", "--csv", "curve.csv"})).exit_code == 0);
  const json::object curve = document(folder, {"--compare", "curve.csv"});
  const json::object& comparison = curve.at("comparison").as_object();
  CHECK(comparison.at("unit").as_string() == "B/s");
  CHECK(comparison.at("points").as_array().size() == 3);
  CHECK(curve.at("points").as_array().size() == 3);
  CHECK(real(json::value(comparison), "mean_absolute_error") == 0);
}

SCENARIO("bytes_in_flight_become_warps_and_then_unrolling") {
  const Scratch folder;
  // An access of 32 lanes of 16 B is 512 bytes, so 1 KiB takes two warps.
  const json::object two = document(folder, {"--footprint", "4MiB", "--in-flight", "1KiB"});
  CHECK(two.at("points").at(0).at("warps_per_core").as_int64() == 2);
  // Four accesses of each warp: 8 KiB are 16 accesses, of four warps.
  const json::object unrolled = document(folder, {"--footprint", "4MiB", "--in-flight", "8KiB", "--unroll", "4"});
  CHECK(unrolled.at("points").at(0).at("warps_per_core").as_int64() == 4);
  // The same bytes in flight, far from saturation, give about the same rate in any combination of
  // options.
  const json::object plain = document(folder, {"--footprint", "4MiB", "--in-flight", "1KiB", "--warps", "1"});
  CHECK(plain.at("points").at(0).at("warps_per_core").as_int64() == 1);
  CHECK(real(plain.at("points").at(0), "bytes_per_second") ==
        Approx(real(two.at("points").at(0), "bytes_per_second")).epsilon(0.1));
}

SCENARIO("a_chaser_waits_the_longer_the_more_the_others_inject") {
  const json::object curve = document({"--loaded", "--footprint", "256MiB", "--inject", "max,0,100GB/s,300GB/s"});
  const json::array& points = curve.at("points").as_array();
  REQUIRE(points.size() == 4);
  CHECK(real(points[0], "bytes_per_second") == 0);
  // A low rate fetches some lines into the L2 before they are chased: its latency may be below that
  // without load.
  CHECK(real(points[1], "latency_ns") == Approx(real(points[0], "latency_ns")).epsilon(0.03));
  for (std::size_t i = 2; i < 4; ++i) CHECK(real(points[i], "latency_ns") > real(points[i - 1], "latency_ns"));
  // Far from saturation the achieved rate equals the injected rate.
  CHECK(real(points[1], "injected_bytes_per_second") == 100e9);
  CHECK(real(points[1], "bytes_per_second") == Approx(100e9).epsilon(0.05));
  CHECK(real(points[2], "bytes_per_second") == Approx(300e9).epsilon(0.05));
  // The maximum rate is higher than that, but not higher than that of the pins.
  CHECK(points[3].at("injected_bytes_per_second").is_null());
  CHECK(real(points[3], "bytes_per_second") > 300e9);
  CHECK(real(points[3], "bytes_per_second") < 456e9);
  THEN("where nothing is injected it waits as long as one that is alone") {
    const json::object chase =
        json::parse(run({"latency", "--gpu", "b580", "--from", "256MiB", "--to", "256MiB", "--json", "-"}).out)
            .as_object();
    CHECK(real(points[0], "latency_ns") == Approx(real(chase.at("points").at(0), "latency_ns")).epsilon(1e-9));
    CHECK(real(points[0], "latency_cycles") == Approx(real(chase.at("points").at(0), "latency_cycles")).epsilon(1e-9));
  }
}

SCENARIO("the_answer_does_not_depend_on_the_number_of_jobs") {
  const std::vector<std::string> question = {"--footprint", "512KiB,4MiB,32MiB", "--csv", "-", "--jobs"};
  std::vector<std::string> one = question;
  std::vector<std::string> four = question;
  one.emplace_back("1");
  four.emplace_back("4");
  CHECK(run(streaming(one)).out == run(streaming(four)).out);
}

SCENARIO("streaming_loads_that_cannot_be_are_refused_with_a_remedy") {
  check_refused({"--footprint", "1KiB"},
                "b580: a footprint of 1024 bytes is too small for one access of 20 cores, which takes 10240 bytes; "
                "fewer cores or narrower lanes take less");
  check_refused({"--footprint", "1MiB,"}, "--footprint: '1MiB,' has an empty entry in its list");
  check_refused({"--footprint", "1MiB", "--from", "1MiB"},
                "--footprint: replaces --from and --to; remove one or the other");
  check_refused({"--op", "raed"},
                "--op: 'raed' is not one of read, write, copy, scale, add, triad (did you mean 'read'?)");
  check_refused({"--dies", "first"}, "--dies: 'first' is not a list of compute dies; write it as 0,1");
  check_refused({"--dies", "1"}, "b580: Intel Arc B580 has compute dies 0 to 0, not 1");
  check_refused({"--cores", "21"}, "b580: 21 cores are requested, 20 exist");
  check_refused({"--home", "near"}, "b580: Intel Arc B580 has no near and far lines: its L2 has no sides");
  check_refused(
      {"--in-flight", "256B"},
      "--in-flight: 256 bytes are less than the 512 of one access of a warp; give more, or fewer or narrower lanes");
  check_refused({"--in-flight", "64KiB", "--warps", "2", "--unroll", "2"},
                "--in-flight: follows from --warps and --unroll together; remove one of the three");
  check_refused({"--in-flight", "64KiB", "--op", "write"},
                "--in-flight: counts loads, and write has none; give --warps instead");
  check_refused({"--unroll", "128", "--op", "triad"}, "--unroll: '128' is not a whole number from 1 to 127");
  check_refused({"--from", "2MiB", "--to", "1MiB"}, "--to: is smaller than --from");
  check_refused({"--inject", "max"}, "--inject: requires --loaded");
  check_refused({"--chains", "2"}, "--chains: requires --loaded");
  check_refused({"--loaded", "--fixed-window"}, "--fixed-window: cannot be combined with --loaded, which counts loads");
  check_refused({"--loaded", "--footprint", "1MiB,2MiB"}, "--footprint: --loaded takes one footprint");
  check_refused({"--loaded", "--from", "1MiB"},
                "--from: cannot be combined with --loaded, which measures one --footprint");
  check_refused({"--loaded", "--cores", "1", "--footprint", "1MiB"},
                "b580: of 1 cores 1 are reserved; request more cores");
  check_refused({"--loaded", "--inject", "fast"},
                "--inject: 'fast' is not a rate; write it as 0, 500GB/s, 1.2TB/s or max");
}
