// SPDX-License-Identifier: Apache-2.0
// Blocks of a cluster, each on a core of its own: their barrier, accesses by rank and tiles for several of them.
#include "base/invalid_request.hpp"
#include "block_bench.hpp"
#include "core_ring.hpp"

namespace strata::compute::test {
namespace {

using trace::BarrierPart;
using Warps = std::vector<std::vector<trace::Instruction>>;

/// Of the ring: block r is on core order[r], each with such warps; when each block has ended, in clk.
std::vector<double> run_cluster(Ring& ring, const std::vector<std::uint32_t>& order, const std::vector<Warps>& blocks) {
  std::uint64_t warps = 0;
  for (const Warps& block : blocks) warps += block.size();
  const auto cluster = std::make_shared<Cluster>(order, warps, clock.cycles(60));
  std::vector<double> ends(blocks.size());
  struct Ear {
    Ring& ring;
    std::vector<double>& ends;
  } ear{ring, ends};
  for (std::uint64_t rank = 0; rank < blocks.size(); ++rank)
    ring.cores[order[rank]].start_block(std::make_unique<Block>(blocks[rank]),
                                        static_cast<std::uint32_t>(blocks[rank].size()), Time{}, Time{},
                                        {[](void* self, std::uint32_t, std::uint64_t block) {
                                           auto& heard = *static_cast<Ear*>(self);
                                           heard.ends[block] = clock.count(heard.ring.simulation.now() - Time{});
                                         },
                                         &ear, rank, cluster});
  ring.simulation.run();
  return ends;
}

trace::Instruction meet(BarrierPart part = BarrierPart::both, std::uint16_t warps = 0) {
  trace::Instruction instruction = op(OpClass::barrier);
  instruction.of_cluster = true;
  instruction.barrier_part = part;
  instruction.barrier_warps = warps;
  return instruction;
}
/// So many instructions that need each other, 4 clk each.
Warps chain(std::size_t count, std::vector<trace::Instruction> after) {
  std::vector<trace::Instruction> warp(count, op(OpClass::integer, 5, 5));
  warp.insert(warp.end(), after.begin(), after.end());
  return {warp};
}

/// Lanes of 4 B, lane l at byte 4 l of the block of that rank.
trace::Instruction access(memory::Operation operation, std::uint64_t rank) {
  trace::Instruction instruction = op(OpClass::access, operation == memory::Operation::store ? 0 : 9);
  instruction.operation = operation;
  instruction.space = trace::Space::cluster;
  instruction.bytes_per_lane = 4;
  instruction.strided = true;
  instruction.lane_stride = 4;
  instruction.addresses[0] = rank * trace::bytes_of_rank;
  return instruction;
}
trace::Instruction use() { return op(OpClass::integer, 0, 9); }

double busy(Ring& ring, std::uint32_t core, const char* what) {
  stats::Collector collector;
  ring.cores[core].collect(collector);
  return clock.count(Duration{static_cast<std::int64_t>(collector.snapshot().find(what)->value)});
}

}  // namespace

TEST_CASE("blocks_of_a_cluster_continue_together_after_the_last_has_come") {
  Ring ring;
  // The last comes after a chain of 50, which it does not need: at 49 x 4 + 1 clk. 60 clk later all continue.
  const std::vector<double> ends =
      run_cluster(ring, {2, 0, 3}, {chain(0, {meet()}), chain(50, {meet()}), chain(10, {meet()})});
  for (const double end : ends) CHECK(end == Approx(49 * 4 + 1 + 60).margin(1));
}

TEST_CASE("a_warp_that_has_arrived_works_until_it_waits") {
  Ring ring;
  // Both parts with work between: the phase is over 60 clk after the second has arrived, at once, and costs the first nothing.
  const auto work = [](std::size_t count) {
    std::vector<trace::Instruction> warp{meet(BarrierPart::arrive)};
    warp.insert(warp.end(), count, op(OpClass::integer, 5, 5));
    warp.push_back(meet(BarrierPart::wait));
    return Warps{warp};
  };
  const std::vector<double> ends = run_cluster(ring, {0, 1}, {work(100), work(0)});
  CHECK(ends[0] == Approx(100 * 4).margin(4));
  CHECK(ends[1] == Approx(60).margin(2));
}

TEST_CASE("a_barrier_of_some_warps_and_one_that_others_have_left") {
  Ring ring;
  // Of two warps of each block the first meet, twice; the others end at once.
  const Warps block{{meet(BarrierPart::both, 2), meet(BarrierPart::both, 2)}, {op(OpClass::integer)}};
  for (const double end : run_cluster(ring, {0, 1}, {block, block})) CHECK(end == Approx(2 * 60).margin(4));
  Ring other;
  // All that have not ended: the second block's warp never comes.
  const std::vector<double> ends = run_cluster(other, {0, 1}, {chain(0, {meet()}), chain(30, {})});
  CHECK(ends[0] == Approx(29 * 4 + 60).margin(4));
}

TEST_CASE("an_access_reaches_the_core_of_the_block_of_its_rank") {
  // 128 B: a request of a packet of 2 clk, or with data of 4 more; 20 clk of shared memory; data of 4 packets, or none.
  const auto run = [](memory::Operation operation, std::uint64_t rank, Ring& ring) {
    return run_cluster(
        ring, {3, 1, 2},
        {chain(0, {access(operation, rank), operation == memory::Operation::store ? op(OpClass::fence) : use()}),
         chain(0, {}), chain(0, {})})[0];
  };
  Ring load, store, atomic, own;
  CHECK(run(memory::Operation::load, 2, load) == 50 + 20 + 50);
  CHECK(busy(load, 3, "cluster port") == 2);
  CHECK(busy(load, 2, "cluster port") == 8);
  CHECK(busy(load, 2, "shared memory banks") == 1);
  CHECK(busy(load, 1, "cluster port") == 0);
  CHECK(run(memory::Operation::store, 1, store) == 50 + 20 + 50);
  CHECK(busy(store, 3, "cluster port") == 2 + 8);
  CHECK(busy(store, 1, "cluster port") == 2);
  CHECK(run(memory::Operation::atomic, 1, atomic) == 50 + 20 + 50);
  CHECK(busy(atomic, 3, "cluster port") == 2 + 8);
  CHECK(busy(atomic, 1, "cluster port") == 8);
  CHECK(run(memory::Operation::load, 0, own) == 20);
  CHECK(busy(own, 3, "cluster port") == 0);
}

TEST_CASE("lanes_of_an_access_reach_several_blocks_each_for_its_part") {
  Ring ring;
  trace::Instruction spread = access(memory::Operation::load, 0);
  spread.strided = false;
  for (unsigned lane = 0; lane < 32; ++lane)
    spread.addresses[lane] = (1 + lane % 2) * trace::bytes_of_rank + lane / 2 * 128;  // 16 words of one bank in each
  const std::vector<double> ends =
      run_cluster(ring, {0, 1, 2}, {chain(0, {spread, use()}), chain(0, {}), chain(0, {})});
  // A request each, the second 2 clk behind: 16 passes in either, answered by 64 B in two packets.
  CHECK(ends[0] == 2 + 50 + 20 + 15 + 50);
  for (const std::uint32_t core : {1U, 2U}) {
    CHECK(busy(ring, core, "shared memory banks") == 16);
    CHECK(busy(ring, core, "cluster port") == 4);
  }
}

TEST_CASE("a_tile_for_several_blocks_is_read_once_and_written_by_the_banks_of_each") {
  CoreSpec spec = small_core();
  spec.bulk_copy = BulkCopySpec{};
  spec.bulk_copy->setup = Cycles{40};
  spec.bulk_copy->per_line = Cycles{4};
  trace::Instruction tile = access(memory::Operation::load, 0);
  tile.space = trace::Space::bulk;
  tile.bytes_per_lane = 64;
  tile.lane_stride = 64;
  tile.multicast = 0b101;
  Ring ring(spec);
  const std::vector<double> ends =
      run_cluster(ring, {1, 3, 2}, {chain(0, {tile, use()}), chain(0, {}), chain(100, {})});
  CHECK(ring.memory.requests.size() == 16);  // 2 KiB
  CHECK(ends[0] == 40 + 15 * 4 + 100);
  CHECK(busy(ring, 1, "shared memory banks") == 16);
  CHECK(busy(ring, 2, "shared memory banks") == 16);
  CHECK(busy(ring, 3, "shared memory banks") == 0);
  tile.multicast = 0b1000;
  Ring other(spec);
  CHECK_THROWS_WITH(run_cluster(other, {1, 3, 2}, {chain(0, {tile}), chain(0, {}), chain(0, {})}),
                    "a bulk copy is for the ranks 0x8 of a cluster of 3 (name ranks that it has)");
}

TEST_CASE("a_cluster_has_the_blocks_that_it_has") {
  Ring ring;
  CHECK_THROWS_WITH(run_cluster(ring, {0, 1}, {chain(0, {access(memory::Operation::load, 2)}), chain(0, {})}),
                    "an access of shared memory of block 2 of a cluster of 2 (addresses are rank x 2^24 + offset)");
  Bench alone(small_core());
  CHECK_THROWS_AS(run_block(alone, chain(0, {meet()})), InvalidRequest);
}

}  // namespace strata::compute::test
