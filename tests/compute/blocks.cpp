// SPDX-License-Identifier: Apache-2.0
// Blocks on a core: barriers, fences, arithmetic, and how many fit.
#include <map>

#include "base/invalid_request.hpp"
#include "block_bench.hpp"
#include "catch.hpp"
#include "compute/occupancy.hpp"

namespace strata::compute::test {
namespace {

CoreSpec arithmetic_core() {
  using namespace literals;
  CoreSpec spec = small_core();
  spec.schedulers = 1;
  spec.execution.latency = 6_clk;
  spec.execution.barrier = 10_clk;
  spec.execution.barrier_arrival = 2_clk;
  spec.execution.pipes = {{"wide", "fp32 integer", 32, Cycles{4}}, {"narrow", "fp64", 8, Cycles{9}}};
  return spec;
}

}  // namespace

TEST_CASE("arithmetic that depends on itself goes at the latency of its pipe") {
  Bench bench(arithmetic_core());
  // Ten in a chain: issued at 0, 4, ... 36.
  const std::vector<trace::Instruction> chain(10, op(OpClass::fp32, 5, 5));
  CHECK(run_block(bench, {chain}) == 36);
  Bench other(arithmetic_core());
  const std::vector<trace::Instruction> unnamed(10, op(OpClass::vote, 5, 5));  // no pipe: latency 6
  CHECK(run_block(other, {unnamed}) == 54);
}

TEST_CASE("independent arithmetic goes at an instruction a cycle, or at the width of its pipe") {
  Bench bench(arithmetic_core());
  CHECK(run_block(bench, {std::vector<trace::Instruction>(10, op(OpClass::fp32))}) == 9);
  // Eight lanes a clock: a warp of 32 keeps the pipe for four.
  Bench narrow(arithmetic_core());
  CHECK(run_block(narrow, {std::vector<trace::Instruction>(10, op(OpClass::fp64))}) == 36);
  CHECK(narrow.core.statistics().issued == 10);
}

TEST_CASE("warps of a block meet at a barrier") {
  Bench bench(arithmetic_core());
  // The second warp comes after a chain of 5: it does not wait for its last result, so it
  // arrives at 17. Then 2 cycles of the barrier unit and 10 until both continue with one
  // instruction each.
  std::vector<trace::Instruction> late(5, op(OpClass::fp32, 5, 5));
  late.push_back(op(OpClass::barrier));
  late.push_back(op(OpClass::fp32));
  const std::vector<trace::Instruction> early{op(OpClass::barrier), op(OpClass::fp32)};
  const double took = run_block(bench, {early, late});
  CHECK(took >= 17 + 2 + 10);
  CHECK(took <= 17 + 2 + 10 + 3);
  CHECK(clock.count(bench.core.statistics().stalled[static_cast<std::size_t>(Stall::barrier)]) >= 17);
}

TEST_CASE("warps leave a barrier in the order of their numbers") {
  CoreSpec spec = arithmetic_core();
  Bench bench(spec);
  // The first warp arrives last; each then loads a separate line.
  std::vector<std::vector<trace::Instruction>> warps;
  for (std::uint64_t w = 0; w < 4; ++w) {
    auto& warp = warps.emplace_back(w == 0 ? 9 : 0, op(OpClass::fp32));
    warp.push_back(op(OpClass::barrier));
    warp.push_back(independent(load(w * 128)));
  }
  run_block(bench, warps);
  REQUIRE(bench.global.requests.size() == 4);
  for (std::uint64_t w = 0; w < 4; ++w) CHECK(bench.global.requests[w].block == w);
}

TEST_CASE("a warp that has ended is not waited for, one that only arrives does not wait") {
  Bench bench(arithmetic_core());
  const double ended = run_block(bench, {{}, {op(OpClass::barrier)}});
  CHECK(ended == 2 + 10);
  Bench other(arithmetic_core());
  trace::Instruction arrive = op(OpClass::barrier);
  arrive.barrier_part = trace::BarrierPart::arrive;
  arrive.barrier_warps = 2;
  trace::Instruction wait = arrive;
  wait.barrier_part = trace::BarrierPart::both;
  std::vector<trace::Instruction> producer(20, op(OpClass::fp32));
  producer.insert(producer.begin(), arrive);
  // The producer arrives first and issues on at an instruction a cycle meanwhile.
  CHECK(run_block(other, {producer, {wait, op(OpClass::fp32)}}) <= 24);
}

TEST_CASE("a fence waits for the warp's own accesses") {
  Bench bench(arithmetic_core(), 100);
  trace::Instruction store = load(0x1000);
  store.operation = memory::Operation::store;
  store.dependent = false;
  // One lane: 3 cycles to the memory, 100 there.
  CHECK(run_block(bench, {{store, op(OpClass::fence), op(OpClass::fp32)}}) >= 103);
  CHECK(clock.count(bench.core.statistics().stalled[static_cast<std::size_t>(Stall::fence)]) >= 100);
}

TEST_CASE("a block keeps its place until its stores are answered, or leaves them behind") {
  CoreSpec spec = arithmetic_core();
  const double issued = 1;  // the end follows the store at the next turn of the scheduler or before
  for (const bool waits : {true, false}) {
    spec.exit_waits_for_stores = waits;
    Bench bench(spec);
    const double left = run_block(bench, {{independent(store(0))}});
    const double answered = spec.load_store.scalar_address.value + 100;
    if (waits) {
      CHECK(left == answered);
    } else {
      CHECK(left <= issued);
    }
    // The store is still answered, and the core reports when.
    CHECK(bench.completions.size() == 1);
    CHECK(clock.count(bench.core.last_answer() - Time{}) == answered);
  }
}

TEST_CASE("what warps wait for adds up to the time that they are there") {
  Bench bench(arithmetic_core());
  trace::Instruction loads = load(0x1000);
  loads.dependent = false;
  loads.destination = 9;
  const std::vector<trace::Instruction> warp{loads, op(OpClass::fp32, 5, 9), op(OpClass::barrier)};
  run_block(bench, {warp, warp, warp});
  Duration all{};
  for (const Duration spent : bench.core.statistics().stalled) all += spent;
  // All three are resident until the end, as they meet at the barrier and have no further
  // instructions.
  CHECK(clock.count(all) == Approx(3 * clock.count(bench.simulation.now() - Time{})));
}

TEST_CASE("registers, shared memory, warps and places bound the blocks of a core") {
  CoreSpec core = small_core();
  core.warps = 64;
  core.residency = {32, 65536, 256, Bytes{128}, Bytes{1024}};
  core.shared_memory.size = Bytes{228 * 1024};
  trace::KernelInfo kernel;
  kernel.block = {256, 1, 1};
  kernel.registers_per_thread = 32;
  CHECK(occupancy(core, kernel).blocks == 8);  // 64 warps of 8
  CHECK(occupancy(core, kernel).limited_by == "warps");
  kernel.registers_per_thread = 100;  // 8 warps of 3200, rounded up to 3328: 26 624 of 65 536
  CHECK(occupancy(core, kernel).blocks == 2);
  CHECK(occupancy(core, kernel).limited_by == "registers");
  CHECK(occupancy(core, kernel).share == 16.0 / 64);
  kernel.registers_per_thread = 32;
  kernel.shared_bytes = 48 * 1024;  // 49 KiB each with the reserve, of 228
  CHECK(occupancy(core, kernel).blocks == 4);
  CHECK(occupancy(core, kernel).limited_by == "shared memory");
  kernel.shared_bytes = 0;
  kernel.block = {32, 1, 1};
  CHECK(occupancy(core, kernel).blocks == 32);
  CHECK(occupancy(core, kernel).limited_by == "blocks");
  Occupancy few = occupancy(core, kernel);
  few.bound_by_grid(256, 132);
  CHECK(few.explanation().find("bound by the grid: 256 blocks for 132 cores") != std::string::npos);
}

TEST_CASE("a kernel of which not one block fits says which bound and by how much") {
  CoreSpec core = small_core();
  core.warps = 64;
  trace::KernelInfo kernel;
  kernel.name = "greedy";
  kernel.block = {1024, 1, 1};
  kernel.registers_per_thread = 96;  // 32 warps of 3072: 98 304 of 65 536
  CHECK_THROWS_WITH(occupancy(core, kernel),
                    "kernel 'greedy': no block fits on a core: it needs 98304 registers of 32 bits, 32768 more than "
                    "the 65536 available");
  kernel.block = {32, 1, 1};
  kernel.registers_per_thread = 48;
  core.residency.registers = 4096;  // 1024 for each of four schedulers
  CHECK_THROWS_WITH(occupancy(core, kernel),
                    "kernel 'greedy': no block fits on a core: it needs 1536 registers of 32 bits, 1536 more than the "
                    "0 available for whole warps in the shares of the schedulers");
}

TEST_CASE("what a block needs grows with narrower warps, so their width is among the settings named") {
  CoreSpec core = small_core();
  core.warps = 32;
  trace::KernelInfo kernel;
  kernel.block = {1024, 1, 1};
  kernel.warp_width = 16;  // 64 warps
  try {
    occupancy(core, kernel);
    FAIL("64 warps on a core of 32");
  } catch (const InvalidRequest& error) {
    CHECK(error.faults().front().settings == std::vector<std::string>{"core.warps", "core.warp_width"});
  }
}

}  // namespace strata::compute::test
