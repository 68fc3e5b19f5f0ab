// SPDX-License-Identifier: Apache-2.0
// Latency and rate of loads of another core's shared memory, from the settings of core.cluster.
#include "base/invalid_request.hpp"
#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/journey/journey.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

/// Two groups of two cores. A row of the banks is 128 B: four packets, and one for its request.
machine::MachineSpec joined() {
  machine::MachineSpec spec = monolithic();
  spec.core.cluster = compute::ClusterSpec{16_B_clk, 32_B, 50_clk};
  return spec;
}

LatencyQuestion chase() {
  LatencyQuestion question;
  question.space = Space::cluster;
  question.bytes_per_lane = 4;
  return question;
}

double bytes_per_clock(std::uint64_t cores) {
  BandwidthQuestion question;
  question.space = Space::cluster;
  question.cores = cores;
  question.bytes_per_lane = 4;
  question.timed_bytes = 1U << 20U;
  return measure_bandwidth(joined(), question, 8192).bytes_per_clock_per_core;
}

template <class Ask>
std::string refusal(const Ask& ask) {
  try {
    ask();
  } catch (const InvalidRequest& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("cluster_space_costs_the_shared_memory_and_two_crossings") {
  const machine::MachineSpec spec = joined();
  const LatencyPoint point = measure_latency(spec, chase(), 8192);
  CHECK(point.latency_cycles == spec.core.shared_memory.latency.value + 2 * 50);
  REQUIRE(point.served_by.size() == 1);
  CHECK(point.served_by[0].level == "shared memory of another core");
  CHECK(point.served_by[0].share == 1);
}

TEST_CASE("cores_that_read_each_other_share_their_ports_with_requests") {
  CHECK(bytes_per_clock(1) == Approx(16).epsilon(0.02));
  CHECK(bytes_per_clock(0) == Approx(16 * 4.0 / 5).epsilon(0.02));
}

TEST_CASE("a_load_of_another_core_is_explained_stage_by_stage") {
  JourneyQuestion question;
  question.load = chase();
  question.core = 1;
  const JourneyAnswer answer = follow(joined(), question);
  CHECK(answer.served_by == "shared memory of another core");
  std::vector<std::string> stages;
  for (const auto& stage : answer.stages) stages.push_back(stage.stage);
  CHECK(stages ==
        std::vector<std::string>{"cluster network request", "shared memory of the other core", "cluster network data"});
  CHECK(answer.total_cycles == 120);
}

TEST_CASE("what_cluster_space_has_not_is_refused") {
  CHECK(refusal([] { measure_latency(monolithic(), chase(), 8192); }) ==
        "tiny has no network from core to core: core.cluster is none (give core.cluster in a file on this base, as "
        "configs/parts/hopper-sm.yaml does)");
  CHECK(refusal([] {
          machine::MachineSpec spec = joined();
          spec.dies.cores_per_group = 1;
          measure_latency(spec, chase(), 8192);
        }) == "core 0 is alone in its group, so there is no other core to read (give each group two cores or more)");
  CHECK(refusal([] { measure_latency(joined(), chase(), 32768); }) ==
        "a footprint of 32768 bytes does not fit in 16384 bytes of shared memory");
}

}  // namespace strata::study
