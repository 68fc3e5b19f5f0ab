// SPDX-License-Identifier: Apache-2.0
// The stages of timed loads in order, by the level that served them.
#include "study/latency/chase_paths.hpp"

#include <algorithm>

#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "study/journey/journey.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

LatencyQuestion with_paths() {
  LatencyQuestion question;
  question.paths = true;
  question.timed_loads = 512;
  return question;
}

}  // namespace

TEST_CASE("the_path_of_a_level_is_that_of_one_load_where_all_are_alike") {
  // 1 KiB is in the L1, and every load of it takes the stages of a warm hit.
  const machine::MachineSpec spec = monolithic();
  const LatencyPoint point = measure_latency(spec, with_paths(), 1024);
  REQUIRE(point.paths.size() == 1);
  const LevelPath& path = point.paths.front();
  CHECK(path.level == "L1");
  CHECK(path.taken == point.loads);
  CHECK(path.loads == point.loads);
  JourneyQuestion one;
  one.after_footprint = 1024;
  const JourneyAnswer load = follow(spec, one);
  REQUIRE(path.stages.size() == load.stages.size());
  for (std::size_t i = 0; i < path.stages.size(); ++i) {
    CHECK(path.stages[i].stage == load.stages[i].stage);
    CHECK(path.stages[i].note == load.stages[i].note);
    CHECK(path.stages[i].cycles == Approx(load.stages[i].cycles));
    CHECK(path.stages[i].ns == Approx(load.stages[i].ns));
  }
}

TEST_CASE("the_stages_of_every_path_add_up_to_its_latency_and_every_load_is_of_a_level") {
  for (const machine::MachineSpec& spec : {monolithic(), two_sides(), chiplets()})
    for (const std::uint64_t footprint : {1024U, 8192U, 40960U, 262144U})
      for (const std::uint64_t lanes : {1U, 4U}) {
        CAPTURE(spec.name, footprint, lanes);
        LatencyQuestion question = with_paths();
        question.lanes = lanes;
        const LatencyPoint point = measure_latency(spec, question, footprint);
        std::uint64_t loads = 0;
        for (const LevelPath& path : point.paths) {
          CAPTURE(path.level);
          double ns = 0, cycles = 0;
          for (const JourneyStage& stage : path.stages) {
            CHECK(stage.ns > 0);
            ns += stage.ns;
            cycles += stage.cycles;
          }
          CHECK(ns == Approx(path.ns));
          CHECK(cycles == Approx(path.cycles));
          CHECK(path.taken <= path.loads);
          loads += path.loads;
          const auto share = std::find_if(point.served_by.begin(), point.served_by.end(),
                                          [&](const LevelShare& level) { return level.level == path.level; });
          REQUIRE(share != point.served_by.end());
          CHECK(share->share * static_cast<double>(point.loads) == Approx(static_cast<double>(path.loads)));
        }
        CHECK(loads == point.loads);
      }
}

TEST_CASE("recording_paths_changes_no_answer") {
  for (const machine::MachineSpec& spec : {monolithic(), two_sides(), chiplets()}) {
    LatencyQuestion question = with_paths();
    const LatencyPoint recorded = measure_latency(spec, question, 40960);
    question.paths = false;
    const LatencyPoint plain = measure_latency(spec, question, 40960);
    CHECK(recorded.fingerprint == plain.fingerprint);
    CHECK(recorded.latency_ns == plain.latency_ns);
    CHECK(recorded.stages.empty());
    CHECK(plain.paths.empty());
  }
}

TEST_CASE("threads_that_share_a_core_have_no_paths") {
  LatencyQuestion question = with_paths();
  const machine::MachineSpec spec = monolithic();
  const std::uint64_t cores = spec.dies.compute * spec.dies.cores_per_die;
  question.threads = cores;
  CHECK_FALSE(measure_latency(spec, question, 40960).paths.empty());
  question.threads = cores + 1;
  CHECK(measure_latency(spec, question, 40960).paths.empty());
}

TEST_CASE("stages_of_a_mean_request_begin_in_the_order_of_its_way") {
  LatencyQuestion question;
  question.stages = true;
  question.paths = true;
  const LatencyPoint point = measure_latency(monolithic(), question, 1024);
  REQUIRE(point.paths.size() == 1);
  std::vector<stats::NamedShare> stages = point.stages;
  std::sort(stages.begin(), stages.end(), [](const auto& a, const auto& b) { return a.begins_ns < b.begins_ns; });
  double begins = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    CHECK(stages[i].name == point.paths.front().stages[i].stage);
    CHECK(stages[i].begins_ns == Approx(begins));
    begins += stages[i].mean_ns;
  }
}

}  // namespace strata::study
