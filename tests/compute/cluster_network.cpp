// SPDX-License-Identifier: Apache-2.0
// Loads of another core's shared memory: the stages of one, and the rate of many by the bytes on the
// ports.
#include <deque>

#include "catch.hpp"
#include "core_ring.hpp"

namespace strata::compute::test {
namespace {

trace::Instruction remote(unsigned lanes, bool dependent) {
  trace::Instruction instruction = load(0, lanes, 4);
  instruction.space = trace::Space::cluster;
  instruction.dependent = dependent;
  return instruction;
}

/// Cycles per load of each of those cores with many in flight.
double cycles_of_a_load(std::uint32_t reading) {
  constexpr std::size_t loads = 100;
  constexpr std::uint32_t warps = 32;
  Ring ring;
  std::deque<Script> scripts;
  for (std::uint32_t c = 0; c < reading; ++c)
    for (std::uint32_t w = 0; w < warps; ++w)
      ring.cores[c].start(scripts.emplace_back(std::vector<trace::Instruction>(loads, remote(32, true))), Time{});
  ring.simulation.run();
  REQUIRE(ring.completions.size() == loads * warps * reading);
  return clock.count(ring.simulation.now() - Time{}) / static_cast<double>(loads * warps);
}

}  // namespace

TEST_CASE("a_load_of_another_core_crosses_twice_and_takes_its_shared_memory") {
  Ring ring;
  memory::Journey journey;
  ring.cores[0].observe(&journey);
  Script script({remote(1, true)});
  ring.cores[0].start(script, Time{});
  ring.simulation.run();
  REQUIRE(ring.completions.size() == 1);
  CHECK(ring.completions[0].cycles == 50 + 20 + 50);  // the port, its memory, the port
  std::vector<std::string> stages;
  for (const memory::Milestone& milestone : journey.milestones()) stages.push_back(ring.stages[milestone.stage]);
  CHECK(stages ==
        std::vector<std::string>{"cluster network request", "shared memory of the other core", "cluster network data"});
}

TEST_CASE("requests_and_data_for_others_alternate_at_a_port") {
  // One core that reads: 128 B in four packets of 2 clk through the other's port.
  CHECK(cycles_of_a_load(1) == Approx(8).epsilon(0.06));
  // All read their next: the request of a load is a fifth packet on each port.
  CHECK(cycles_of_a_load(cores_of_ring) == Approx(10).epsilon(0.06));
}

TEST_CASE("the_banks_and_the_port_of_the_other_core_are_busy") {
  Ring ring;
  trace::Instruction conflict = remote(32, true);
  for (unsigned lane = 0; lane < 32; ++lane) conflict.addresses[lane] = lane * 128;  // one bank
  Script script({conflict});
  ring.cores[0].start(script, Time{});
  ring.simulation.run();
  CHECK(ring.completions[0].cycles == 50 + 20 + 31 + 50);
  const auto busy = [&](std::uint32_t core, const char* what) {
    stats::Collector collector;
    ring.cores[core].collect(collector);
    return clock.count(Duration{static_cast<std::int64_t>(collector.snapshot().find(what)->value)});
  };
  CHECK(busy(0, "cluster port") == 2);  // a packet
  CHECK(busy(1, "cluster port") == 8);  // 32 words in four
  CHECK(busy(0, "shared memory banks") == 0);
  CHECK(busy(1, "shared memory banks") == 32);
}

}  // namespace strata::compute::test
