// SPDX-License-Identifier: Apache-2.0
// Properties that hold for any configuration: a larger cache does not miss more, a slower part
// does not make a run faster.
#include "catch.hpp"
#include "machine/random_streams.hpp"

namespace strata::machine::test {
namespace {

// The L1 is unchanged, so the L2 receives the same requests at any size.
std::uint64_t served_by_dram(const MachineSpec& spec, const Traffic& traffic) {
  return run_everywhere(spec, traffic).served.back();
}

}  // namespace

TEST_CASE("a_larger_lru_l2_never_misses_more") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    MachineSpec spec = monolithic();
    spec.dies.cores_per_die = 1;  // one order of accesses, however long each takes
    spec.l2.cache.size = 2_KiB;
    spec.l2.cache.ways = 2;
    Traffic traffic;
    traffic.seed = seed;
    traffic.instructions = 2000;
    traffic.footprint = 48 * 1024;
    CAPTURE(seed);
    // The same sets, more ways: a set of 2 w ways holds all lines of a set of w ways (Mattson et
    // al., Evaluation Techniques for Storage Hierarchies, 1970).
    std::uint64_t before = served_by_dram(spec, traffic);
    const std::uint64_t smallest = before;
    for (; spec.l2.cache.ways < 16;) {
      spec.l2.cache.ways *= 2;
      spec.l2.cache.size = spec.l2.cache.size * 2;
      const std::uint64_t now = served_by_dram(spec, traffic);
      CHECK(now <= before);
      before = now;
    }
    CHECK(before < smallest);
  }
}

TEST_CASE("halving_a_link_never_speeds_a_run_up") {
  unsigned slowed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    MachineSpec spec = random_machine(seed);
    if (spec.network.links.empty()) continue;
    Traffic traffic;
    traffic.seed = seed;
    traffic.footprint = 16384;
    traffic.lanes = 8;
    traffic.instructions = 200;
    MachineSpec halved = spec;
    for (fabric::LinkSpec& link : halved.network.links) link.bandwidth.value /= 2;
    CAPTURE(seed, spec.name);
    const auto total = [&](const MachineSpec& of) {
      return static_cast<double>(run_everywhere(of, traffic).total.ticks);
    };
    // With many cores the order of accesses may change, and with it slightly the contents of the
    // caches: a delay may by chance save a miss (Graham's scheduling anomalies).
    const double full = total(spec);
    const double half = total(halved);
    CHECK(half > 0.98 * full);
    slowed += half > full ? 1 : 0;
    // A core alone keeps its order.
    spec.dies.cores_per_die = halved.dies.cores_per_die = 1;
    spec.dies.cores_per_group = halved.dies.cores_per_group = 1;
    traffic.cores = 1;
    CHECK(total(halved) >= total(spec));
  }
  CHECK(slowed > 20);  // else little crossed the links that were halved
}

TEST_CASE("a_slower_stage_slows_a_lone_chase_by_itself") {
  const std::uint64_t steps = 500;
  const auto run_time = [&](const MachineSpec& spec) {
    Machine machine(spec);
    trace::Instruction pattern;
    pattern.cache_operator = memory::CacheOperator::cg;  // each load goes to the L2
    trace::PointerChase chase({0, 32, 128, trace::ChaseOrder::random, 1}, pattern, 0, steps);
    for (unsigned node = 0; node < 32; ++node)
      machine.touch(0, node * 128, 8, Space::global, memory::CacheOperator::cg);
    machine.start(0, chase, {});
    machine.run();
    return machine.timebase().to_nanoseconds(machine.simulation().now() - Time{});
  };
  const MachineSpec spec = monolithic();
  MachineSpec slower = spec;
  slower.l2.cache.hit_latency.value += 3;
  const double cycle = 1e9 / static_cast<double>(spec.clocks.l2.value);
  CHECK(run_time(slower) - run_time(spec) == Approx(3 * cycle * static_cast<double>(steps)));
}

}  // namespace strata::machine::test
