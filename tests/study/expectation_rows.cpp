// SPDX-License-Identifier: Apache-2.0
// From expectations to rows, over a latency that is a formula instead of a
// machine.
#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/diagnostic.hpp"
#include "machine/tiny_machine.hpp"
#include "study/expectation/evaluate.hpp"

using namespace strata;            // NOLINT(google-build-using-namespace)
using namespace strata::study;     // NOLINT(google-build-using-namespace)
using namespace strata::literals;  // NOLINT(google-build-using-namespace)

namespace {

using Latency = std::function<double(const LatencyReading&)>;
using Bandwidth = std::function<BandwidthPoint(const BandwidthReading&)>;
constexpr double ns_per_clock = 0.5;

std::vector<Expectation> rows_of(const std::string& lines) {
  return read_expectations(config::Source{"gpu: g1\nexpectations:\n" + lines, "e.yaml"});
}

// An entry on one line; `what` is measure, unit, expectation and tolerance.
std::string entry(const std::string& id, const std::string& what) {
  return "  - {id: " + id + ", quantity: q, kind: predicted, source: s, why: w, " + what + "}\n";
}

std::string ordering(const std::string& left, const std::string& relation, const std::string& right,
                     const std::string& more = "") {
  return "  - {id: o, quantity: q, kind: ordering, source: s, why: w, left: {gpu: g1, unit: clk, latency: {" + left +
         "}}, relation: '" + relation + "', right: {gpu: g2, unit: clk, latency: {" + right + "}}" + more + "}\n";
}

Configured small_machine() {
  machine::MachineSpec spec;
  spec.dies.compute = 2;
  spec.dies.cores_per_die = 7;
  spec.l1.carve_outs = {{"half", 16_KiB, {}}, {"whole", 32_KiB, {}}};
  spec.l1.carve_out = "half";
  spec.l2.slices_per_die = 3;
  spec.l2.cache.size = 1_MiB;
  spec.l2.cache.ways = 8;
  spec.clocks.core = 2000_MHz;
  return {spec, machine::MachineSpec::schema().effective(spec, nullptr)};
}

Machines machines_for(const std::vector<Expectation>& rows) {
  Machines machines;
  for (const auto& [key, where] : machines_of(rows)) machines.emplace(key, small_machine());
  return machines;
}

BandwidthPoint no_bandwidth(const BandwidthReading&) {
  FAIL("no bandwidth is to be measured");
  return {};
}

Readings read_all(const std::vector<Expectation>& rows, const Latency& latency,
                  const Bandwidth& bandwidth = no_bandwidth) {
  Readings known;
  for (auto todo = needed(rows, known); !todo.empty(); todo = needed(rows, known))
    for (const Reading& reading : todo) {
      const std::size_t before = known.latency.size() + known.bandwidth.size();
      if (const auto* chase = std::get_if<LatencyReading>(&reading)) {
        LatencyPoint point;
        point.footprint_bytes = chase->footprint_bytes;
        point.latency_cycles = latency(*chase);
        point.latency_ns = point.latency_cycles * ns_per_clock;
        known.add(reading, point);
      } else {
        known.add(reading, bandwidth(std::get<BandwidthReading>(reading)));
      }
      REQUIRE(known.latency.size() + known.bandwidth.size() == before + 1);
    }
  return known;
}

double no_latency(const LatencyReading&) {
  FAIL("no latency is to be measured");
  return 0;
}

Row row_of(const std::vector<Expectation>& rows, const Latency& latency, std::size_t index = 0) {
  return evaluate(rows[index], machines_for(rows), read_all(rows, latency));
}
Row row_of(const std::string& line, const Latency& latency) { return row_of(rows_of(line), latency); }
Row row_of(const std::string& line, const Bandwidth& bandwidth) {
  const auto rows = rows_of(line);
  return evaluate(rows[0], machines_for(rows), read_all(rows, no_latency, bandwidth));
}

double kib(const LatencyReading& reading) { return static_cast<double>(reading.footprint_bytes) / 1024; }

}  // namespace

TEST_CASE("a_row_passes_up_to_its_tolerance_and_fails_beyond") {
  const std::string relative =
      entry("a", "measure: {latency: {footprint: 1 KiB}}, unit: clk, expect: 200, tolerance: 3 %");
  const std::string absolute =
      entry("a", "measure: {latency: {footprint: 1 KiB}}, unit: clk, expect: 200, absolute: 2 clk");
  const auto at = [](double value) { return Latency([value](const LatencyReading&) { return value; }); };
  CHECK(row_of(relative, at(200 * 1.03)).pass);
  CHECK(row_of(relative, at(200 * 0.97)).pass);
  CHECK_FALSE(row_of(relative, at(200 * 1.031)).pass);
  CHECK_FALSE(row_of(relative, at(200 * 0.969)).pass);
  CHECK(row_of(absolute, at(202)).pass);
  CHECK_FALSE(row_of(absolute, at(202.1)).pass);
  const Row row = row_of(absolute, at(190));
  CHECK(row.absolute);
  CHECK(row.error == Approx(-10.0 / 200));
  CHECK(row.tolerance == Approx(2.0 / 200));
  CHECK(row.predicted == 190);
  CHECK(row.measured == 200);
}

TEST_CASE("a_measure_may_be_taken_less_or_over_another") {
  const Latency latency = [](const LatencyReading& reading) { return 100 + kib(reading); };
  CHECK(
      row_of(entry("a",
                   "measure: {latency: {footprint: 8 KiB}, minus: {latency: {footprint: 2 KiB}}}, unit: ns, expect: 3"),
             latency)
          .predicted == Approx((108 - 102) * ns_per_clock));
  CHECK(
      row_of(
          entry("a",
                "measure: {latency: {footprint: 8 KiB}, over: {latency: {footprint: 2 KiB}}}, unit: ratio, expect: 1"),
          latency)
          .predicted == Approx(108.0 / 102));
}

TEST_CASE("a_knee_lies_where_the_latency_is_half_way_up") {
  GIVEN("a latency that rises from 100 to 300 over the octave past 24 KiB, straight in its logarithm") {
    constexpr double edge = 24;
    const Latency latency = [](const LatencyReading& reading) {
      return 100 + 200 * std::clamp(std::log2(kib(reading) / edge), 0.0, 1.0);
    };
    const auto rows = rows_of(
        entry("k", "measure: {knee: {from: 8 KiB, to: 128 KiB, stride: 32 B}}, unit: KiB, expect: 34, tolerance: 1 %"));
    THEN("it is half an octave past the edge, within what a stride is") {
      CHECK(row_of(rows, latency).predicted == Approx(edge * std::sqrt(2.0)).epsilon(32.0 / (edge * 1024)));
    }
    THEN("it costs its ends and a reading for each halving of four octaves to a thirty-second") {
      CHECK(read_all(rows, latency).latency.size() == 2 + static_cast<std::size_t>(std::log2(4 * 32)));
    }
  }
  GIVEN("a plateau without a step") {
    const Row row =
        row_of(entry("k", "measure: {knee: {from: 8 KiB, to: 128 KiB}}, unit: KiB, expect: 34, tolerance: 900 %"),
               Latency([](const LatencyReading&) { return 100.0; }));
    THEN("there is no knee, and the row fails however wide its tolerance") {
      CHECK(std::isnan(row.predicted));
      CHECK_FALSE(row.pass);
      CHECK_FALSE(row.note.empty());
    }
  }
}

TEST_CASE("the_result_of_a_curve_is_its_mean_absolute_error") {
  const auto rows = rows_of(entry("c",
                                  "measure: {unit: ns, curve: {points: [[1 KiB, 40], [2 KiB, 50], [3 KiB, 80]]}}, "
                                  "unit: '%', expect: 0, tolerance: 10 %"));
  const Row row = row_of(rows, [](const LatencyReading&) { return 100.0; });  // 50 ns
  const double mean = (10.0 / 40 + 0 + 30.0 / 80) / 3;
  CHECK(row.error == Approx(mean));
  CHECK(row.predicted == Approx(100 * mean));
  CHECK_FALSE(row.pass);
  CHECK(row.note == "3 points, worst -37.5 % at 3 KiB");
}

TEST_CASE("an_ordering_passes_when_its_relation_holds") {
  const Latency latency = kib;
  const auto passes = [&](const std::string& left, const std::string& relation, const std::string& right,
                          const std::string& more = "") {
    return row_of(ordering("footprint: " + left, relation, "footprint: " + right, more), latency).pass;
  };
  CHECK(passes("2 KiB", ">", "1 KiB"));
  CHECK_FALSE(passes("1 KiB", ">", "1 KiB"));
  CHECK(passes("1 KiB", ">=", "1 KiB"));
  CHECK(passes("1 KiB", "<", "2 KiB"));
  CHECK_FALSE(passes("1 KiB", "<", "1 KiB"));
  CHECK(passes("1 KiB", "<=", "1 KiB"));
  CHECK(passes("105 KiB", "~", "100 KiB", ", tolerance: 5 %"));
  CHECK_FALSE(passes("106 KiB", "~", "100 KiB", ", tolerance: 5 %"));
  const Row row = row_of(ordering("footprint: 2 KiB", ">", "footprint: 1 KiB"), latency);
  CHECK(row.predicted == 2);
  CHECK(row.measured == 1);
  CHECK(row.note == "predicted g1 2 clk > predicted g2 1 clk");
}

TEST_CASE("equal_readings_of_different_rows_are_one_run") {
  const auto rows =
      rows_of(entry("a", "measure: {latency: {footprint: 8 KiB}}, unit: clk, expect: 1") +
              entry("b", "measure: {latency: {footprint: 8 KiB}}, unit: ns, expect: 1") +
              entry("c", "measure: {latency: {footprint: 8200 B}}, unit: ns, expect: 1") +  // 8 KiB in whole strides
              entry("d", "measure: {unit: clk, curve: {points: [[8 KiB, 1], [64 KiB, 1]]}}, unit: '%', expect: 0") +
              entry("e", "measure: {latency: {footprint: 8 KiB, cache_op: cg}}, unit: clk, expect: 1") +
              entry("f", "measure: {latency: {footprint: 8 KiB, set: [x=1]}}, unit: clk, expect: 1"));
  const auto todo = needed(rows, {});
  REQUIRE(todo.size() == 4);  // 8 KiB plain, cg, on another machine; 64 KiB
  CHECK(std::get<LatencyReading>(todo.back()).footprint_bytes == 64 * 1024);
  CHECK(machines_of(rows).size() == 2);
}

TEST_CASE("a_kernel_after_another_finds_its_data_in_the_shared_caches") {
  const std::string run = "measure: {kernel: {run: 'stream_read,bytes=16KiB'";
  const std::string what = ", figure: dram_read}}, unit: B, expect: 16384, tolerance: 1 %";
  const auto rows =
      rows_of(entry("cold", run + what) + entry("warm", run + ", after: 'stream_read,bytes=16KiB'" + what));
  const std::vector<Reading> todo = needed(rows, {});
  REQUIRE(todo.size() == 2);
  std::vector<std::uint64_t> fetched;
  for (const Reading& reading : todo)
    fetched.push_back(measure_kernel(machine::test::monolithic(), std::get<KernelReading>(reading).question)
                          .levels.back()
                          .bytes_read);
  std::sort(fetched.begin(), fetched.end());
  CHECK(fetched == std::vector<std::uint64_t>{0, 16384});  // lines that were read stay in the L2
}

TEST_CASE("settings_and_peaks_are_read_off_the_configuration") {
  const Latency unused = [](const LatencyReading&) -> double {
    FAIL("nothing is to be run");
    return 0;
  };
  const auto value = [&](const std::string& measure, const std::string& unit) {
    return row_of(entry("a", "measure: {" + measure + "}, unit: " + unit + ", expect: 1"), unused).predicted;
  };
  CHECK(value("peak: cores", "count") == 2 * 7);
  CHECK(value("peak: l1_capacity", "KiB") == 16);
  CHECK(value("peak: l2_capacity", "MiB") == 2 * 3);
  CHECK(value("peak: l2_partition_capacity", "KiB") == 3 * 1024);
  CHECK(value("peak: l2_slices, over: {peak: cores}", "ratio") == Approx(6.0 / 14));
  CHECK(value("setting: l1.carve_outs.whole.size", "KiB") == 32);
  CHECK(value("setting: l1.carve_outs.whole.size, minus: {setting: l1.carve_outs.half.size}", "KiB") == 16);
  CHECK(value("setting: l2.cache.ways", "count") == 8);
  CHECK(value("setting: clocks.core", "GHz") == 2);
}

TEST_CASE("what_a_machine_does_not_have_is_reported_before_anything_runs") {
  const auto rows = rows_of(entry("a", "measure: {setting: l2.slies}, unit: count, expect: 1") +
                            entry("b", "measure: {setting: l2.cache.size}, unit: count, expect: 1") +
                            entry("c", "measure: {peak: infinity_cache_slices}, unit: count, expect: 1") +
                            entry("d", "measure: {setting: l2.cache.size}, unit: MiB, expect: 1"));
  try {
    check(rows, machines_for(rows));
    FAIL("nothing was refused");
  } catch (const InputError& error) {
    REQUIRE(error.diagnostics().size() == 3);
    CHECK(error.diagnostics()[0].message == "'a': g1 has no setting 'l2.slies'");
    CHECK(error.diagnostics()[0].line == 3);
    CHECK(error.diagnostics()[1].message == "'b': 'l2.cache.size' is a size, which is not counted in count");
    CHECK(error.diagnostics()[2].line == 5);
  }
}

TEST_CASE("a_compared_curve_has_the_points_of_all_its_rows_over_all_readings") {
  const auto rows =
      rows_of(entry("a", "measure: {unit: clk, curve: {points: [[1 KiB, 7], [4 KiB, 8]]}}, unit: '%', expect: 0") +
              entry("b", "measure: {unit: clk, curve: {points: [[4 KiB, 8], [2 KiB, 9]]}}, unit: '%', expect: 0") +
              entry("c", "measure: {unit: clk, curve: {cache_op: cg, points: [[1 KiB, 6]]}}, unit: '%', expect: 0") +
              entry("d", "measure: {latency: {footprint: 3 KiB}}, unit: clk, expect: 1"));
  const auto curves = compared_curves(rows, read_all(rows, kib));
  REQUIRE(curves.size() == 2);
  REQUIRE(curves[0].measured.size() == 3);
  CHECK(curves[0].measured[1].footprint_bytes == 2048);
  CHECK(curves[0].measured[1].measured == 9);
  CHECK(curves[0].measured[1].predicted == 2);
  REQUIRE(curves[0].line.size() == 4);  // 1 to 4 KiB
  CHECK(curves[0].line[2].footprint_bytes == 3072);
  CHECK(curves[1].line.size() == 1);
}

namespace {

// As many GB/s as the footprint has KiB, by 4 cores of 2 GHz.
BandwidthPoint as_wide_as_long(const BandwidthReading& reading) {
  BandwidthPoint point;
  point.footprint_bytes = reading.footprint_bytes;
  point.cores = 4;
  point.bytes_per_second = static_cast<double>(reading.footprint_bytes) / 1024 * 1e9;
  point.bytes_per_clock_per_core = point.bytes_per_second / 2e9 / 4;
  point.slowest_core = 0.75;
  point.resources = {{"die */slice */data", "die 0/slice 1/data", 0.9, 0.95, 8},
                     {"network/side to side", "network/side to side", 0.5, 0.5, 1}};
  return point;
}

std::string rate(const std::string& options, const std::string& unit, const std::string& more = "") {
  return entry("a", "measure: {bandwidth: {" + options + "}" + more + "}, unit: " + unit + ", expect: 1");
}

}  // namespace

TEST_CASE("a_bandwidth_is_counted_in_the_unit_of_its_row") {
  const Bandwidth measure = as_wide_as_long;
  CHECK(row_of(rate("footprint: 16 KiB", "GB/s"), measure).predicted == Approx(16));
  CHECK(row_of(rate("footprint: 16 KiB", "MB/s"), measure).predicted == Approx(16000));
  CHECK(row_of(rate("footprint: 16 KiB", "B/clk"), measure).predicted == Approx(16e9 / 2e9 / 4));
  CHECK(row_of(rate("footprint: 16 KiB, of: core", "GB/s"), measure).predicted == Approx(4));
  CHECK(row_of(rate("footprint: 16 KiB, of: total", "B/clk"), measure).predicted == Approx(8));
  CHECK(row_of(rate("footprint: 16 KiB, of: slowest", "ratio"), measure).predicted == 0.75);
  const Bandwidth unsteady = [](const BandwidthReading& reading) {
    BandwidthPoint point = as_wide_as_long(reading);
    point.slowest_core.reset();
    return point;
  };
  CHECK(row_of(rate("footprint: 16 KiB, of: slowest", "ratio"), unsteady).note.starts_with("the rate gets not steady"));
  // A warp instruction of 32 lanes of 4 B at 2 B/clk, and of 8 lanes.
  CHECK(row_of(rate("footprint: 16 KiB, width: 4", "clk"), measure).predicted == Approx(32 * 4 / 2.0));
  CHECK(row_of(rate("footprint: 16 KiB, width: 4, lanes: 8", "clk"), measure).predicted == Approx(8 * 4 / 2.0));
}

TEST_CASE("a_bandwidth_may_be_taken_over_a_peak_or_another_machine") {
  const Bandwidth by_machine = [](const BandwidthReading& reading) {
    BandwidthPoint point = as_wide_as_long(reading);
    if (reading.machine.gpu == "g2") point.bytes_per_second /= 2;
    return point;
  };
  CHECK(row_of(rate("footprint: 16 KiB", "ratio", ", over: {bandwidth: {footprint: 4 KiB}}"), by_machine).predicted ==
        Approx(4));
  CHECK(row_of(rate("footprint: 16 KiB", "ratio", ", over: {gpu: g2, bandwidth: {footprint: 16 KiB}}"), by_machine)
            .predicted == Approx(2));
  const machine::MachineSpec spec = small_machine().spec;
  const double l1 = spec.l1.cache.data_width.value * 14 * 2e9;
  CHECK(row_of(rate("footprint: 16 KiB", "ratio", ", over: {peak: l1_bandwidth}"), by_machine).predicted ==
        Approx(16e9 / l1));
  const auto rows = rows_of(rate("footprint: 1 KiB", "ratio", ", over: {peak: l2_bytes_per_clock}"));
  CHECK_THROWS_AS(check(rows, machines_for(rows)), InputError);
}

TEST_CASE("a_bottleneck_is_the_busiest_resource_if_it_is_busy") {
  const Bandwidth measure = as_wide_as_long;
  const auto named = [&](const std::string& options) {
    return row_of(entry("a", "measure: {bottleneck: {footprint: 16 KiB, " + options + "}}, unit: count, expect: 1"),
                  measure);
  };
  CHECK(named("contains: slice").predicted == 1);
  CHECK(named("contains: network").predicted == 0);
  CHECK(named("contains: slice, busy: 0.91").predicted == 0);
  CHECK(named("contains: slice").note == "busiest: die */slice */data, 90.0 % of the time");
}

TEST_CASE("the_points_of_a_bandwidth_curve_have_options_of_their_own") {
  const auto rows =
      rows_of(entry("c",
                    "measure: {unit: GB/s, bandwidth_curve: {warps: 8, unroll: 2, points: [[10 KiB, 8], {footprint: 3 "
                    "KiB, unroll: 7, expect: 4}]}}, unit: '%', expect: 0, tolerance: 30 %"));
  const Readings readings = read_all(rows, no_latency, as_wide_as_long);
  REQUIRE(readings.bandwidth.size() == 2);
  for (const auto& [reading, point] : readings.bandwidth) {
    CHECK(reading.question.warps == 8);
    CHECK(reading.question.unroll == (reading.footprint_bytes == 3072 ? 7 : 2));
    CHECK(reading.question.timed_bytes == 0);  // as much as the machine needs
  }
  const Row row = evaluate(rows[0], machines_for(rows), readings);
  CHECK(row.error == Approx((2.0 / 8 + 1.0 / 4) / 2));
  CHECK(row.pass);
  CHECK(row.note == "2 points, worst +25.0 % at 10 KiB");
}

TEST_CASE("equal_bandwidth_readings_are_one_run_and_any_option_makes_another") {
  const auto how_many = [](const std::string& options) {
    return needed(
               rows_of(entry("a", "measure: {bandwidth: {footprint: 8 KiB}}, unit: GB/s, expect: 1") +
                       entry("b", "measure: {bandwidth: {footprint: 8 KiB" + options + "}}, unit: B/clk, expect: 1")),
               {})
        .size();
  };
  CHECK(how_many("") == 1);
  CHECK(how_many(", of: total") == 1);
  for (const char* option :
       {"op: write", "cores: 2", "dies: [1]", "placement: die_first", "space: shared", "cache_op: cg", "sharing: each",
        "home: near", "warps: 2", "lanes: 2", "width: 4", "unroll: 3", "batch: true", "blocked: true", "lockstep: true",
        "timed: 1 MiB", "set: [a=1]"}) {
    INFO(option);
    CHECK(how_many(std::string(", ") + option) == 2);
  }
}
