// SPDX-License-Identifier: Apache-2.0
// Properties of every run: the same bits, an answer for each request, an end.
#include <numeric>
#include <set>

#include "catch.hpp"
#include "random_streams.hpp"

namespace strata::machine::test {
namespace {

// Every buffer that has a depth holds one; two MSHRs where the schema requires them.
MachineSpec narrow(MachineSpec spec) {
  const auto one = [](cache::CacheSpec& cache) {
    cache.input_depth = 1;
    cache.mshrs = 1;
    cache.merges_per_mshr = 1;
    cache.writeback_buffer = 1;
  };
  one(spec.l1.cache);
  one(spec.l2.cache);
  if (spec.l2.partitioned) spec.l2.cache.mshrs = spec.l2.cache.ways = 2;
  if (spec.memory_side_cache) one(spec.memory_side_cache->cache);
  spec.crossbar.depth = 1;
  for (fabric::LinkSpec& link : spec.network.links) link.depth = 1;
  spec.memory.channel.controller.read_queue = 1;
  spec.memory.channel.controller.input_buffer = 1;
  spec.memory.channel.controller.write_queue = 2;  // a drain must begin above its end
  spec.memory.channel.controller.write_high = 2;
  spec.memory.channel.controller.write_low = 0;
  return spec;
}

std::uint64_t sum(const std::vector<std::uint64_t>& figures) {
  return std::accumulate(figures.begin(), figures.end(), std::uint64_t{0});
}

std::uint64_t cores_of(const MachineSpec& spec) { return spec.dies.compute * spec.dies.cores_per_die; }

}  // namespace

TEST_CASE("the_same_machine_and_traffic_give_the_same_fingerprint") {
  std::set<std::uint64_t> fingerprints;
  for (const MachineSpec& spec : {monolithic(), two_sides(), chiplets()}) {
    CAPTURE(spec.name);
    const Outcome first = run_everywhere(spec, {});
    const Outcome second = run_everywhere(spec, {});
    CHECK(first.fingerprint == second.fingerprint);
    CHECK(first.ended == second.ended);
    CHECK(first.served == second.served);
    fingerprints.insert(first.fingerprint);
  }
  THEN("other machines, other traffic and other figures give others") {
    Traffic other_seed;
    other_seed.seed = 2;
    fingerprints.insert(run_everywhere(monolithic(), other_seed).fingerprint);
    MachineSpec slower = monolithic();
    slower.l2.cache.hit_latency.value += 1;
    fingerprints.insert(run_everywhere(slower, {}).fingerprint);
    CHECK(fingerprints.size() == 5);
  }
}

TEST_CASE("another_order_of_ties_answers_the_same_requests") {
  for (const MachineSpec& spec : {monolithic(), two_sides(), chiplets()}) {
    CAPTURE(spec.name);
    const Outcome plain = run_everywhere(spec, {});
    std::set<std::uint64_t> fingerprints{plain.fingerprint};
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      MachineSpec other = spec;
      other.event_order.seed = seed;
      const Outcome outcome = run_everywhere(other, {});
      CHECK(sum(outcome.served) == sum(plain.served));
      CHECK(outcome.fingerprint == run_everywhere(other, {}).fingerprint);
      fingerprints.insert(outcome.fingerprint);
    }
    CHECK(fingerprints.size() > 1);
  }
}

TEST_CASE("each_instruction_is_answered_once_whatever_the_machine") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const MachineSpec spec = random_machine(seed);
    Traffic traffic;
    traffic.seed = seed;
    traffic.lanes = 1 + static_cast<unsigned>(seed % 5);
    traffic.writes = seed % 2 == 0;
    traffic.footprint = 65536;
    // run() itself throws if a transaction is outstanding at the end.
    const Outcome outcome = run_everywhere(spec, traffic, 2);
    CHECK(outcome.completions == 2 * cores_of(spec) * traffic.instructions);
  }
}

TEST_CASE("buffers_of_one_do_not_deadlock") {
  for (const MachineSpec& spec : {monolithic(), two_sides(), chiplets()}) {
    for (const bool writes : {false, true}) {
      CAPTURE(spec.name, writes);
      Traffic traffic;
      traffic.footprint = 65536;
      traffic.lanes = 8;
      traffic.writes = writes;
      const Outcome roomy = run_everywhere(spec, traffic, 4);
      const Outcome tight = run_everywhere(narrow(spec), traffic, 4);
      CHECK(tight.completions == 4 * cores_of(spec) * traffic.instructions);
      // A queue of one entry costs time; otherwise other buffers were reduced.
      CHECK(tight.ended > roomy.ended);
    }
  }
}

// Each side's slices fetch lines of the other's home and serve the other's requests out of the
// same MSHRs, ways and input: neither may wait for the other.
TEST_CASE("buffers_of_one_do_not_deadlock_a_partitioned_l2") {
  for (const std::uint64_t mshrs : {2U, 3U, 16U}) {
    for (const bool dependent : {true, false}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(mshrs, dependent, seed);
        MachineSpec spec = narrow(two_sides());
        spec.l2.cache.mshrs = mshrs;
        Traffic traffic;
        traffic.seed = seed;
        traffic.footprint = 65536;
        traffic.lanes = 8;
        traffic.dependent = dependent;
        traffic.writes = seed % 2 == 0;
        const Outcome outcome = run_everywhere(spec, traffic, 4);
        CHECK(outcome.completions == 4 * cores_of(spec) * traffic.instructions);
      }
    }
  }
}

TEST_CASE("independent_accesses_of_all_cores_drain") {
  for (const MachineSpec& spec : {monolithic(), two_sides(), chiplets()}) {
    CAPTURE(spec.name);
    Traffic traffic;
    traffic.footprint = 65536;
    traffic.dependent = false;
    traffic.lanes = 32;
    traffic.writes = true;
    CHECK_NOTHROW(run_everywhere(narrow(spec), traffic, 2));
    // Overlap makes it faster if no resource is full.
    traffic.lanes = 1;
    traffic.dependent = true;
    const Time one_at_a_time = run_everywhere(spec, traffic, 2).ended;
    traffic.dependent = false;
    CHECK(run_everywhere(spec, traffic, 2).ended < one_at_a_time);
  }
}

TEST_CASE("a_machine_can_run_again_after_it_has_drained") {
  Prober prober(two_sides());
  const Served cold = prober.load(0, 0);
  const Served warm = prober.load(0, 0);
  CHECK(warm.latency < cold.latency);
  CHECK(prober.load(0, 0).latency == warm.latency);
}

}  // namespace strata::machine::test
