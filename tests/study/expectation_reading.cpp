// SPDX-License-Identifier: Apache-2.0
// Expectation files: their contents, and refusals with their position.
#include "catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/diagnostic.hpp"
#include "study/expectation/expectation.hpp"

using namespace strata;         // NOLINT(google-build-using-namespace)
using namespace strata::study;  // NOLINT(google-build-using-namespace)

namespace {

const std::string head = "gpu: g1\nexpectations:\n";

std::vector<Expectation> read(const std::string& text, const std::string& file = "e.yaml") {
  return read_expectations(config::Source{text, file});
}

// All that is wrong, one a line.
std::string wrong(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

// One entry whose measure and following lines are given.
std::string entry(const std::string& measure,
                  const std::string& rest = "unit: clk, expect: 10, tolerance: 3 %, why: aim") {
  return head + "  - {id: a, quantity: q, kind: predicted, source: s, measure: " + measure + ", " + rest + "}\n";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("an_expectation_says_what_to_measure_and_what_to_expect") {
  GIVEN("an entry with every option of a chase") {
    const auto all =
        read(entry("{latency: {footprint: 3 MiB, stride: 4 KiB, threads: 7, segmented: true, space: texture, "
                   "cache_op: cg, lanes: 16, set: ['a.b=1']}}",
                   "unit: ns, expect: 19.6, absolute: 0.5 ns, why: words"));
    THEN("each is in the question") {
      REQUIRE(all.size() == 1);
      const Expectation& e = all[0];
      CHECK(e.id == "a");
      CHECK(e.gpu == "g1");
      CHECK(e.measure.gpu == "g1");
      CHECK(e.kind == Kind::predicted);
      CHECK(e.expect == 19.6);
      CHECK(e.tolerance == 0);
      CHECK(e.absolute == 0.5);
      CHECK(e.measure.unit.name == "ns");
      CHECK(e.where.line == 3);
      REQUIRE(e.measure.latency);
      const LatencyAt& chase = *e.measure.latency;
      CHECK(chase.footprint.value == 3U << 20U);
      CHECK(chase.stride.value == 4096);
      CHECK(chase.threads == 7);
      CHECK(chase.segmented);
      CHECK(chase.space == trace::Space::texture);
      CHECK(chase.cache_operator == memory::CacheOperator::cg);
      CHECK(chase.lanes == 16);
      CHECK(chase.set == std::vector<std::string>{"a.b=1"});
    }
  }
}

TEST_CASE("points_of_a_curve_are_pairs_of_footprint_and_latency") {
  const auto all = read(entry("{unit: ns, curve: {points: [[4.5 KiB, 33], [1 MiB, 205.5]]}}",
                              "unit: '%', expect: 0, tolerance: 5 %, why: aim"));
  REQUIRE(all[0].measure.curve);
  const auto& points = all[0].measure.curve->points;
  REQUIRE(points.size() == 2);
  CHECK(points[0].footprint.value == 4608);
  CHECK(points[1].latency == 205.5);
  CHECK(all[0].measure.curve_unit.dimension == Dimension::time);
}

TEST_CASE("the_share_of_the_slowest_core_is_a_ratio") {
  const std::string slowest = "{bandwidth: {footprint: 1 GiB, of: slowest}}";
  const auto all = read(entry(slowest, "unit: ratio, expect: 0.9, tolerance: 5 %, why: words"));
  CHECK(all[0].measure.bandwidth->of == Whose::slowest);
  const std::string rest = "expect: 0.9, tolerance: 5 %, why: words";
  CHECK_THROWS(read(entry(slowest, "unit: GB/s, " + rest)));
  for (const char* wrong : {
           "{bandwidth: {footprint: 1 GiB, of: slowest, lockstep: true}}",
           "{bandwidth: {footprint: 1 GiB, of: slowest, sharing: turns}}",
           "{bandwidth: {footprint: 1 GiB, of: slowest}, over: {bandwidth: {footprint: 1 GiB}}}",
           "{bandwidth: {footprint: 1 GiB}, over: {bandwidth: {footprint: 1 GiB, of: slowest}}}",
       }) {
    CAPTURE(wrong);
    CHECK_THROWS(read(entry(wrong, "unit: ratio, " + rest)));
  }
  CHECK_THROWS(read(
      entry("{bottleneck: {footprint: 1 GiB, of: slowest, contains: x}}", "unit: count, expect: 1, tolerance: 0 %")));
}

TEST_CASE("an_expectation_may_be_of_a_bandwidth") {
  const auto all =
      read(entry("{bandwidth: {footprint: 1 GiB, op: triad, cores: 3, dies: [0, 5], placement: p, space: shared, "
                 "cache_op: cg, sharing: each, home: far, warps: 4, lanes: 8, width: 2, unroll: 9, batch: true, "
                 "blocked: true, lockstep: true, timed: 2 MiB, of: total, set: ['a.b=1']}}",
                 "unit: B/clk, expect: 19.6, absolute: 0.5 B/clk, why: words"));
  REQUIRE(all[0].measure.bandwidth);
  const BandwidthAt& stream = *all[0].measure.bandwidth;
  CHECK(stream.footprint.value == 1U << 30U);
  CHECK(stream.operation == trace::StreamOperation::triad);
  CHECK(stream.cores == 3);
  CHECK(stream.dies == std::vector<std::uint32_t>{0, 5});
  CHECK(stream.placement == "p");
  CHECK(stream.space == trace::Space::shared);
  CHECK(stream.cache_operator == memory::CacheOperator::cg);
  CHECK(stream.sharing == Sharing::each);
  CHECK(stream.home == Home::far);
  CHECK(stream.warps == 4);
  CHECK(stream.lanes == 8);
  CHECK(stream.bytes_per_lane == 2);
  CHECK(stream.unroll == 9);
  CHECK(stream.batch);
  CHECK(stream.blocked);
  CHECK(stream.lockstep);
  CHECK(stream.timed.value == 2U << 20U);
  CHECK(stream.of == Whose::total);
  CHECK(stream.set == std::vector<std::string>{"a.b=1"});
}

TEST_CASE("a_row_that_takes_seconds_is_long") {
  const auto is_long = [](const std::string& measure) {
    return read(entry(measure, "unit: ratio, expect: 1, tolerance: 5 %, why: words"))[0].is_long();
  };
  CHECK(is_long("{latency: {footprint: 64 MiB, threads: 1184, segmented: true}, over: {latency: {footprint: 1 MiB}}}"));
  CHECK_FALSE(
      is_long("{latency: {footprint: 32 MiB, threads: 1184, segmented: true}, over: {latency: {footprint: 1 MiB}}}"));
  CHECK_FALSE(is_long("{latency: {footprint: 1 GiB}, over: {latency: {footprint: 1 MiB}}}"));
  CHECK(is_long("{latency: {footprint: 1 MiB}, over: {latency: {footprint: 64 MiB, threads: 2, segmented: true}}}"));
}

TEST_CASE("what_a_figure_is_divided_by_may_be_of_another_gpu") {
  const auto all = read(entry("{peak: cores, over: {gpu: g2, peak: cores}}", "unit: ratio, expect: 1"));
  CHECK(all[0].measure.over->gpu == "g2");
  CHECK(all[0].is_about("g1"));
  CHECK(all[0].is_about("g2"));
  const auto same = read(entry("{peak: cores, over: {peak: cores}}", "unit: ratio, expect: 1"));
  CHECK(same[0].measure.over->gpu == "g1");
}

TEST_CASE("an_ordering_is_about_the_gpus_of_both_sides") {
  const auto all = read(
      "expectations:\n"
      "  - id: o\n    quantity: q\n    kind: ordering\n    source: s\n"
      "    left: {gpu: g1, latency: {footprint: 1 KiB}, unit: ns}\n    relation: '<'\n"
      "    right: {gpu: g2, peak: cores, unit: ns}\n");
  CHECK(all[0].gpu == "g1");
  CHECK(all[0].relation == Relation::below);
  CHECK(all[0].is_about("g1"));
  CHECK(all[0].is_about("g2"));
  CHECK_FALSE(all[0].is_about("g3"));
}

TEST_CASE("a_wrong_expectation_is_refused_with_its_place_and_remedy") {
  struct Wrong {
    std::string text;
    std::string told;
  };
  const std::vector<Wrong> all{
      {entry("{latencies: {footprint: 1 KiB}}"),
       "unknown key 'expectations[0].measure.latencies' (did you mean 'latency'?)"},
      {entry("{latency: {footprint: 1}}"), "is a size and needs a unit of B, KiB, MiB or GiB, not '1'"},
      {entry("{latency: {footprint: 1 KiB}, peak: cores}"), "'a' has 2 of latency, knee, curve, bandwidth"},
      {entry("{set: ['a=1']}"), "'a' has 0 of latency, knee, curve, bandwidth"},
      {entry("{latency: {footprint: 1 KiB}}", "unit: cycles, expect: 1"), "unknown unit 'cycles'"},
      {entry("{latency: {footprint: 1 KiB}}", "unit: KiB, expect: 1"), "cannot be measured in KiB"},
      {entry("{knee: {from: 1 KiB, to: 4 KiB}}"), "cannot be measured in clk"},
      {entry("{knee: {from: 4 KiB, to: 1 KiB}}", "unit: KiB, expect: 1"), "has a knee that ends before it begins"},
      {entry("{peak: core}", "unit: count, expect: 1"), "unknown peak 'core'"},
      {entry("{peak: core}", "unit: count, expect: 1"), "did you mean 'cores'?"},
      {entry("{latency: {footprint: 1 KiB}, over: {latency: {footprint: 2 KiB}}}"), "cannot be measured in clk"},
      {entry("{latency: {footprint: 1 KiB}}", "unit: clk, expect: 10, tolerance: 3 %"),
       "has a tolerance without 'why'"},
      {entry("{latency: {footprint: 1 KiB}}", "unit: clk, expect: 10, absolute: 1 ns"), "such as '1 clk', not '1 ns'"},
      {entry("{latency: {footprint: 1 KiB}}", "unit: clk, expect: 0"), "so its tolerance must be absolute"},
      {entry("{latency: {footprint: 1 KiB}}", "unit: clk"), "needs measure, unit and expect"},
      {entry("{unit: clk, curve: {points: [[1 KiB]]}}", "unit: '%', expect: 0"),
       "expectations[0].measure.curve.points[0]"},
      {entry("{bandwidth: {footprint: 1 KiB}}", "unit: ns, expect: 1"), "cannot be measured in ns"},
      {entry("{bandwidth: {footprint: 1 KiB, unrol: 2}}", "unit: GB/s, expect: 1"), "did you mean 'unroll'?"},
      {entry("{bottleneck: {footprint: 1 KiB, contains: link}}", "unit: ratio, expect: 1"),
       "cannot be measured in ratio"},
      {entry("{unit: ns, bandwidth_curve: {points: [[1 KiB, 3]]}}", "unit: '%', expect: 0"),
       "a bandwidth curve in a unit other than"},
      {entry("{unit: GB/s, bandwidth_curve: {points: [{expect: 3}]}}", "unit: '%', expect: 0"), "footprint"},
      {entry("{unit: clk, curve: {points: [[1 KiB, 3]]}}", "unit: '%', expect: 1"), "the error that is expected is 0"},
  };
  for (const Wrong& one : all) {
    const std::string told = wrong(one.text);
    INFO(one.text << told);
    CHECK(contains(told, one.told));
    CHECK(contains(told, "e.yaml:3:"));
  }
}

TEST_CASE("all_that_is_wrong_in_all_files_is_reported_at_once") {
  const std::string good =
      head + "  - {id: same, quantity: q, kind: spec, source: s, measure: {peak: cores}, unit: count, expect: 1}\n";
  const std::string bad =
      head + "  - {id: bad, quantity: q, kind: spec, source: s, measure: {peak: nix}, unit: count, expect: 1}\n";
  const std::vector<config::Source> files{{good, "one.yaml"}, {good, "two.yaml"}, {bad, "three.yaml"}};
  try {
    read_expectations(files);
    FAIL("nothing was refused");
  } catch (const InputError& error) {
    REQUIRE(error.diagnostics().size() == 2);
    CHECK(error.diagnostics()[0].file == "three.yaml");
    CHECK(error.diagnostics()[1].file == "two.yaml");
    CHECK(contains(error.diagnostics()[1].message, "is the id of one.yaml:3:"));
  }
}

TEST_CASE("every_expectation_of_the_repository_reads") {
  std::vector<config::Source> files;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(STRATA_SOURCE_DIR) + "/validation/expectations")) {
    std::ifstream stream(file.path(), std::ios::binary);
    files.push_back({{std::istreambuf_iterator<char>(stream), {}}, file.path().filename().string()});
  }
  const auto all = read_expectations(files);
  CHECK(all.size() > 100);
  for (const Expectation& e : all) {
    INFO(e.id);
    // An expectation must have a source.
    CHECK(e.source.size() > 10);
  }
}
