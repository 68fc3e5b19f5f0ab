// SPDX-License-Identifier: Apache-2.0
#include "compute/core.hpp"

#include "catch.hpp"
#include "core_bench.hpp"

namespace strata::compute::test {

TEST_CASE("one_lane_reaches_the_cache_after_the_scalar_address_path") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  const double done = bench.run({load(4096)});
  REQUIRE(bench.global.requests.size() == 1);
  CHECK(clock.count(bench.global.requests[0].ready - Time{}) == spec.load_store.scalar_address.value);
  CHECK(bench.global.requests[0].block == 4096 / memory::block_bytes);
  CHECK(done == spec.load_store.scalar_address.value + 100);
}

TEST_CASE("several_lanes_take_address_passes") {
  const CoreSpec spec = small_core();
  for (const unsigned lanes : {2U, 8U, 9U, 16U, 32U, 64U}) {
    CAPTURE(lanes);
    Bench bench(spec);
    const unsigned passes = (lanes + 7) / 8;
    // All lanes at one address: one request, so only the passes matter.
    CHECK(bench.run({load(0, lanes)}) ==
          spec.load_store.vector_address.value + spec.load_store.per_extra_pass.value * (passes - 1) + 100);
    CHECK(bench.core.transactions() == 1);
  }
}

// An Xe core as documents describe it: one lane saves 15 cycles against SIMD16,
// SIMD32 forms its addresses in two halves.
TEST_CASE("simd1_simd16_and_simd32_differ_by_their_address_paths") {
  using namespace literals;
  CoreSpec spec = small_core();
  spec.load_store.lanes_per_pass = 16;
  spec.load_store.scalar_address = 5_clk;
  spec.load_store.vector_address = 20_clk;
  spec.load_store.per_extra_pass = 1_clk;
  const auto latency = [&](unsigned lanes) {
    Bench bench(spec);
    return bench.run({load(0, lanes)});
  };
  CHECK(latency(16) - latency(1) == 15);
  CHECK(latency(32) - latency(16) == 1);
  CHECK(latency(2) == latency(16));
}

TEST_CASE("the_requests_of_an_access_follow_each_other") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  const double done = bench.run({load(0, 8, memory::block_bytes)});
  REQUIRE(bench.global.requests.size() == 8);
  for (unsigned i = 0; i < 8; ++i)
    CHECK(clock.count(bench.global.requests[i].ready - Time{}) ==
          spec.load_store.vector_address.value + i * spec.load_store.per_line.value);
  THEN("the access is complete when its last request is") {
    CHECK(done == spec.load_store.vector_address.value + 7 * spec.load_store.per_line.value + 100);
    REQUIRE(bench.completions.size() == 1);
    CHECK(bench.completions[0].cycles == done);
  }
}

TEST_CASE("dependent_loads_never_overlap") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  const double one = spec.load_store.scalar_address.value + 100;
  CHECK(bench.run({load(0), load(128), load(256)}) == 3 * one);
  REQUIRE(bench.completions.size() == 3);
  for (const Completion& completion : bench.completions) CHECK(completion.cycles == one);
  for (std::size_t i = 1; i < 3; ++i)
    CHECK(bench.global.requests[i].ready - bench.global.requests[i - 1].ready == clock.cycles(one));
}

TEST_CASE("independent_loads_follow_at_the_pace_of_the_load_store_unit") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  std::vector<trace::Instruction> loads;
  for (unsigned i = 0; i < 10; ++i) loads.push_back(independent(load(i * 128)));
  CHECK(bench.run(loads) == spec.load_store.scalar_address.value + 9 * spec.load_store.per_line.value + 100);
  CHECK(bench.core.running() == 0);
}

TEST_CASE("a_dependent_load_waits_for_all_that_went_before") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  bench.run({independent(load(0)), independent(load(128)), load(256)});
  REQUIRE(bench.global.requests.size() == 3);
  const double second_answered = spec.load_store.scalar_address.value + spec.load_store.per_line.value + 100;
  CHECK(clock.count(bench.global.requests[2].ready - Time{}) == second_answered + spec.load_store.scalar_address.value);
}

TEST_CASE("two_warps_overlap") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  std::vector<Script> warps;
  warps.emplace_back(std::vector<trace::Instruction>{load(0), load(128), load(256)});
  warps.emplace_back(std::vector<trace::Instruction>{load(0), load(128), load(256)});
  // The second is behind the first by its time at the load/store unit; after that they do not interfere.
  CHECK(bench.run(warps) == 3 * (spec.load_store.scalar_address.value + 100) + spec.load_store.per_line.value);
  CHECK(bench.completions.size() == 6);
}

TEST_CASE("running_counts_the_warps_that_have_not_ended") {
  Bench bench(small_core());
  Script once({load(0)});
  Script twice({load(0), load(128)});
  Script never({});
  Script trailing({load(0), independent(load(128)), independent(load(256))});
  for (Script* warp : {&once, &twice, &never, &trailing}) bench.core.start(*warp, Time{});
  CHECK(bench.core.running() == 4);
  unsigned least = 4;
  while (!bench.simulation.idle()) {
    bench.simulation.step();
    CHECK(bench.core.running() <= least);
    least = bench.core.running();
  }
  CHECK(bench.core.running() == 0);
  CHECK(bench.core.transactions() == 6);
  CHECK(bench.global.requests.size() == 6);
  CHECK(bench.pool.alive() == 0);
}

TEST_CASE("each_space_has_a_separate_outlet") {
  Bench bench(small_core());
  trace::Instruction scalar = load(0);
  scalar.space = trace::Space::scalar;
  trace::Instruction texture = load(128);
  texture.space = trace::Space::texture;
  bench.run({load(256), scalar, texture});
  REQUIRE(bench.completions.size() == 3);
  CHECK(bench.global.requests.at(0).block == 2);
  CHECK(bench.scalar.requests.at(0).block == 0);
  CHECK(bench.texture.requests.at(0).block == 1);
  CHECK(bench.completions[0].served_by == 1);
  CHECK(bench.completions[1].served_by == 2);
  CHECK(bench.completions[2].served_by == 3);
  for (const Completion& completion : bench.completions) CHECK(completion.core == 7);
}

TEST_CASE("shared_memory_sends_no_request") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  trace::Instruction access = load(0, 32, 4);
  access.space = trace::Space::shared;
  CHECK(bench.run({access, access}) == 2 * spec.shared_memory.latency.value);
  CHECK(bench.core.transactions() == 0);
  REQUIRE(bench.completions.size() == 2);
  CHECK(bench.completions[0].served_by == 0);
  CHECK(bench.core.running() == 0);
}

TEST_CASE("the_journey_of_a_load_begins_at_its_issue") {
  const CoreSpec spec = small_core();
  Bench bench(spec);
  memory::Journey journey;
  bench.core.observe(&journey);
  bench.run({load(0), load(128)});
  REQUIRE(journey.milestones().size() == 1);  // of the last load; the memory behind does not report it
  const memory::Milestone& first = journey.milestones()[0];
  CHECK(bench.stages[first.stage] == "core address and issue");
  CHECK(clock.count(first.until - first.from) == spec.load_store.scalar_address.value);
  CHECK(clock.count(first.from - Time{}) == spec.load_store.scalar_address.value + 100);
}

}  // namespace strata::compute::test
