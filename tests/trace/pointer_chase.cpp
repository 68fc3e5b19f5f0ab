// SPDX-License-Identifier: Apache-2.0
#include "trace/pointer_chase.hpp"

#include <cstdint>
#include <set>
#include <vector>

#include "catch.hpp"

namespace strata::trace {
namespace {

Instruction pattern_of(unsigned lanes) {
  Instruction pattern;
  pattern.lanes = static_cast<std::uint8_t>(lanes);
  pattern.bytes_per_lane = 4;
  pattern.space = Space::texture;
  pattern.cache_operator = memory::CacheOperator::cg;
  pattern.dependent = false;  // a chase makes its loads dependent for any pattern
  return pattern;
}

// The addresses of the chase, lane 0 of each load.
std::vector<std::uint64_t> walk(PointerChase& chase) {
  std::vector<std::uint64_t> addresses;
  Instruction instruction;
  while (chase.next(instruction)) addresses.push_back(instruction.addresses[0]);
  return addresses;
}

std::vector<std::uint64_t> walk(const ChaseRing& ring, std::uint64_t start, std::uint64_t steps) {
  PointerChase chase(ring, pattern_of(1), start, steps);
  return walk(chase);
}

}  // namespace

TEST_CASE("a_round_visits_every_node_once") {
  for (const ChaseOrder order : {ChaseOrder::random, ChaseOrder::ascending}) {
    for (const std::uint64_t nodes : {1U, 2U, 3U, 7U, 64U, 1000U}) {
      CAPTURE(nodes, order == ChaseOrder::random);
      const ChaseRing ring{1 << 20, nodes, 96, order, 5};
      std::set<std::uint64_t> wanted;
      for (std::uint64_t i = 0; i < nodes; ++i) wanted.insert(ring.first + i * ring.stride);
      const std::vector<std::uint64_t> round = walk(ring, nodes / 3, nodes);
      CHECK(round.size() == nodes);
      CHECK(std::set<std::uint64_t>(round.begin(), round.end()) == wanted);
    }
  }
}

TEST_CASE("every_round_goes_the_same_way") {
  const ChaseRing ring{0, 37, 128, ChaseOrder::random, 11};
  const std::vector<std::uint64_t> rounds = walk(ring, 0, 3 * ring.nodes);
  for (std::uint64_t i = ring.nodes; i < rounds.size(); ++i) CHECK(rounds[i] == rounds[i - ring.nodes]);
}

TEST_CASE("a_walk_that_starts_elsewhere_joins_the_same_cycle") {
  const ChaseRing ring{0, 50, 128, ChaseOrder::random, 2};
  const std::vector<std::uint64_t> whole = walk(ring, 0, 2 * ring.nodes);
  for (const std::uint64_t start : {1U, 49U, 50U, 73U}) {  // beyond the ring counts from its beginning
    const std::vector<std::uint64_t> part = walk(ring, start, ring.nodes);
    for (std::uint64_t i = 0; i < part.size(); ++i) CHECK(part[i] == whole[start % ring.nodes + i]);
  }
}

TEST_CASE("ascending_order_goes_up_by_one_stride_and_wraps") {
  const ChaseRing ring{4096, 5, 256, ChaseOrder::ascending, 9};
  const std::vector<std::uint64_t> addresses = walk(ring, 3, 7);
  for (std::uint64_t i = 0; i < addresses.size(); ++i)
    CHECK(addresses[i] == ring.first + (3 + i) % ring.nodes * ring.stride);
}

TEST_CASE("random_order_is_the_seeds_and_not_the_ascending_one") {
  const ChaseRing ring{0, 4096, 128, ChaseOrder::random, 1};
  ChaseRing other = ring;
  other.seed = 2;
  const std::vector<std::uint64_t> addresses = walk(ring, 0, ring.nodes);
  CHECK(addresses == walk(ring, 0, ring.nodes));
  CHECK(addresses != walk(other, 0, ring.nodes));
  // Of n nodes in random order, about one is followed by its neighbour; a stream of them is no chase.
  unsigned neighbours = 0;
  for (std::uint64_t i = 1; i < addresses.size(); ++i)
    neighbours += addresses[i] == addresses[i - 1] + ring.stride ? 1 : 0;
  CHECK(neighbours < 10);
}

TEST_CASE("segments_of_an_array_are_separate_rings") {
  GIVEN("an array of 100 nodes cut in three") {
    std::set<std::uint64_t> seen;
    std::uint64_t loads = 0;
    for (std::uint64_t i = 0; i < 3; ++i) {
      const std::uint64_t first = 100 * i / 3;
      const std::uint64_t end = 100 * (i + 1) / 3;
      const ChaseRing ring{first * 128, end - first, 128, ChaseOrder::random, i};
      for (const std::uint64_t address : walk(ring, 0, ring.nodes)) {
        CHECK(address >= first * 128);
        CHECK(address < end * 128);
        seen.insert(address);
        ++loads;
      }
    }
    THEN("together they read each node once") {
      CHECK(loads == 100);
      CHECK(seen.size() == 100);
    }
  }
}

TEST_CASE("the_path_gives_the_addresses_that_the_warp_reads") {
  const ChaseRing ring{8192, 333, 64, ChaseOrder::random, 4};
  const ChasePath path(ring);
  CHECK(path.nodes() == ring.nodes);
  const std::vector<std::uint64_t> addresses = walk(ring, 0, 2 * ring.nodes);
  for (std::uint64_t step = 0; step < addresses.size(); ++step) CHECK(path.address(step) == addresses[step]);
}

TEST_CASE("all_lanes_read_the_node_and_the_load_is_dependent") {
  const ChaseRing ring{0, 16, 128, ChaseOrder::random, 3};
  PointerChase chase(ring, pattern_of(32), 0, 20);
  Instruction instruction;
  const ChasePath path(ring);
  for (std::uint64_t step = 0; step < 20; ++step) {
    REQUIRE(chase.next(instruction));
    CHECK(instruction.dependent);
    CHECK(instruction.lanes == 32);
    CHECK(instruction.bytes_per_lane == 4);
    CHECK(instruction.space == Space::texture);
    CHECK(instruction.cache_operator == memory::CacheOperator::cg);
    for (unsigned lane = 0; lane < 32; ++lane) REQUIRE(instruction.addresses[lane] == path.address(step));
  }
  const std::uint64_t last = instruction.addresses[0];
  CHECK_FALSE(chase.next(instruction));
  CHECK(instruction.addresses[0] == last);  // a warp that has ended leaves the instruction alone
}

TEST_CASE("a_ring_of_many_gibibytes_costs_no_memory") {
  const ChaseRing ring{0, std::uint64_t{1} << 33U, 128, ChaseOrder::random, 1};
  const ChasePath path(ring);
  for (std::uint64_t step = 0; step < 1000; ++step) {
    CHECK(path.address(step) < ring.nodes * ring.stride);
    CHECK(path.address(step) % ring.stride == 0);
  }
}

}  // namespace strata::trace
