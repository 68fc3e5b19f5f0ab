// SPDX-License-Identifier: Apache-2.0
// Bulk copies into shared memory, from the settings of core.bulk_copy.
#include "base/invalid_request.hpp"
#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

machine::MachineSpec with_unit(double setup, double per_line, std::uint64_t lines = 2048) {
  machine::MachineSpec spec = monolithic();
  spec.core.bulk_copy = compute::BulkCopySpec{Cycles{setup}, Cycles{per_line}, 16, lines};
  return spec;
}

double latency(const machine::MachineSpec& spec) {
  LatencyQuestion question;
  question.space = trace::Space::bulk;
  return measure_latency(spec, question, 8192).latency_cycles;
}

constexpr std::uint64_t tile_lines = 8;  // 16 lanes of 64 B

BandwidthPoint stream(const machine::MachineSpec& spec, std::uint64_t copies) {
  BandwidthQuestion question;
  question.space = trace::Space::bulk;
  question.cores = 1;
  question.warps = 1;
  question.lanes = 16;
  question.bytes_per_lane = 64;
  question.unroll = copies;
  question.timed_bytes = 256U << 10U;
  return measure_bandwidth(spec, question, 32768);
}

double clocks_of_a_tile(const machine::MachineSpec& spec, std::uint64_t copies) {
  return tile_lines * 128 / stream(spec, copies).bytes_per_clock_per_core;
}

std::uint64_t requests_of(const BandwidthPoint& point, const std::string& name) {
  for (const stats::LevelUse& level : point.levels)
    if (level.name == name) return level.requests;
  return 0;
}

}  // namespace

TEST_CASE("the_setup_of_a_copy_adds_to_its_latency") {
  CHECK(latency(with_unit(150, 4)) - latency(with_unit(50, 4)) == Approx(100));
}

TEST_CASE("the_lines_of_a_tile_follow_each_other_by_the_time_of_a_request") {
  const double difference = clocks_of_a_tile(with_unit(50, 60), 1) - clocks_of_a_tile(with_unit(50, 40), 1);
  CHECK(difference == Approx((tile_lines - 1) * 20).epsilon(0.02));
}

TEST_CASE("the_unit_makes_the_requests_of_one_copy_after_those_of_another") {
  CHECK(clocks_of_a_tile(with_unit(50, 40), 8) == Approx(tile_lines * 40).epsilon(0.02));
}

TEST_CASE("copies_wait_while_as_many_lines_are_under_way_as_fit") {
  CHECK(clocks_of_a_tile(with_unit(50, 4, tile_lines), 8) ==
        Approx(clocks_of_a_tile(with_unit(50, 4), 1)).epsilon(0.05));
}

TEST_CASE("copies_pass_the_caches_of_the_core") {
  const BandwidthPoint point = stream(with_unit(50, 4), 4);
  CHECK(requests_of(point, "L1") == 0);
  CHECK(requests_of(point, "L2") > 0);
}

TEST_CASE("a_machine_without_the_unit_refuses_bulk_copies") {
  try {
    latency(monolithic());
    FAIL("not refused");
  } catch (const InvalidRequest& error) {
    CHECK(std::string(error.what()).find("core.bulk_copy") != std::string::npos);
  }
}

TEST_CASE("a_bulk_copy_is_a_multiple_of_16_bytes") {
  BandwidthQuestion question;
  question.space = trace::Space::bulk;
  question.lanes = 3;
  question.bytes_per_lane = 4;
  CHECK_THROWS_AS(measure_bandwidth(with_unit(50, 4), question, 32768), InvalidRequest);
}

TEST_CASE("only_bulk_copies_have_more_than_16_bytes_a_lane") {
  BandwidthQuestion question;
  question.bytes_per_lane = 32;
  CHECK_THROWS_AS(measure_bandwidth(monolithic(), question, 1U << 20U), InvalidRequest);
}

}  // namespace strata::study
