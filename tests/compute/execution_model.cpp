// SPDX-License-Identifier: Apache-2.0
// The execution model of the CUDA C++ Programming Guide, rule by rule, as far as it is visible
// in a single core: docs/reference/execution-model.md lists the tests of each rule.
#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "compute/load_store/banks.hpp"
#include "compute/occupancy.hpp"
#include "core_bench.hpp"

namespace strata::compute::test {
namespace {

using trace::OpClass;
using Instructions = std::vector<trace::Instruction>;

// Lanes of a mask; arithmetic of one slot, by default.
trace::Instruction op(std::uint64_t mask, std::uint8_t destination = 0, std::uint8_t source = 0) {
  trace::Instruction instruction;
  instruction.op_class = OpClass::fp32;
  instruction.dependent = false;
  instruction.destination = destination;
  instruction.sources[0] = source;
  instruction.mask = mask;
  instruction.lanes = static_cast<std::uint8_t>(std::popcount(mask));
  instruction.flops = 1;
  return instruction;
}
constexpr std::uint64_t all = 0xFFFFFFFF;
constexpr std::uint64_t low = 0xFFFF;
constexpr std::uint64_t high = 0xFFFF0000;

CoreSpec one_scheduler() {
  CoreSpec spec = small_core();
  spec.schedulers = 1;
  spec.execution.latency = Cycles{2};
  return spec;
}

Instructions joined(std::initializer_list<Instructions> parts) {
  Instructions sum;
  for (const Instructions& part : parts) sum.insert(sum.end(), part.begin(), part.end());
  return sum;
}

// Cycles until all warps have ended.
double run_warps(Bench& bench, std::vector<Instructions> programs) {
  std::vector<Script> warps;
  for (Instructions& program : programs) warps.emplace_back(std::move(program));
  return bench.run(warps);
}

trace::Instruction shared_atomic(unsigned lanes, std::uint64_t stride) {
  trace::Instruction instruction = load(0, lanes, stride);
  instruction.space = trace::Space::shared;
  instruction.operation = memory::Operation::atomic;
  return instruction;
}

}  // namespace

TEST_CASE("CU-02: instructions_are_pipelined_and_issue_in_order") {
  const CoreSpec spec = one_scheduler();
  Bench bench(spec);
  // The second needs the register of the first; the third has no dependence and still does not
  // overtake it.
  bench.run({into(1, load(0)), from(1, load(128)), independent(load(256)), independent(load(384))});
  REQUIRE(bench.global.requests.size() == 4);
  const auto ready = [&](std::size_t i) { return clock.count(bench.global.requests[i].ready - Time{}); };
  for (std::size_t i = 0; i < 4; ++i) CHECK(bench.global.requests[i].block == i);
  CHECK(ready(1) >= ready(0) + 100);
  CHECK(ready(2) >= ready(1));
  // Pipelined: the last two are in flight together, with an answer after 100 cycles.
  CHECK(ready(3) == ready(2) + 1);
}

TEST_CASE("CU-03: a_half_warp_of_16_and_a_quarter_of_8_go_over_the_banks_apart") {
  const Banks banks(small_core().shared_memory);
  trace::Instruction access = load(0, 32, 8);
  access.bytes_per_lane = 8;
  CHECK(banks.taken(access).passes == 2);
  // Lane i and lane i + 16 access one bank and different words: they are in different halves.
  for (unsigned lane = 0; lane < 32; ++lane) access.addresses[lane] = (lane % 16) * 8 + (lane / 16) * 4096;
  CHECK(banks.taken(access).passes == 2);
  access.bytes_per_lane = 16;
  for (unsigned lane = 0; lane < 32; ++lane) access.addresses[lane] = (lane % 8) * 16 + (lane / 8) * 4096;
  CHECK(banks.taken(access).passes == 4);
}

TEST_CASE("CU-05: each_path_that_a_warp_takes_is_executed_with_the_other_lanes_masked") {
  const Instructions together(10, op(all));
  const Instructions one(10, op(low));
  const Instructions other(10, op(high));
  Bench agreed(one_scheduler());
  Bench diverged(one_scheduler());
  const double efficient = run_warps(agreed, {together});
  const double in_turn = run_warps(diverged, {joined({one, other})});
  CHECK(efficient == 9);
  CHECK(in_turn == 19);
  // Twice the instructions for the same work of lanes.
  CHECK(diverged.core.statistics().issued == 2 * agreed.core.statistics().issued);
  CHECK(diverged.core.statistics().flops == agreed.core.statistics().flops);
}

TEST_CASE("CU-06: warps_that_take_different_paths_cost_nothing_more") {
  const Instructions path(10, op(all));
  Instructions elsewhere(10, op(all));
  for (trace::Instruction& instruction : elsewhere) instruction.op_class = OpClass::integer;
  Bench same(one_scheduler());
  Bench different(one_scheduler());
  CHECK(run_warps(same, {path, path}) == run_warps(different, {path, elsewhere}));
}

TEST_CASE("CU-07: paths_of_a_warp_may_be_interleaved_or_taken_one_after_the_other") {
  // Before Volta a path runs to its end first; from then on a warp may switch between
  // them at every instruction. Both are streams of masked instructions.
  Instructions in_turn;
  Instructions interleaved;
  const auto half = [](bool upper, unsigned i) {
    trace::Instruction instruction = into(static_cast<std::uint8_t>(1 + i), load(i * 4096 + (upper ? 64 : 0), 16, 4));
    instruction.mask = upper ? high : low;
    return instruction;
  };
  for (const bool upper : {false, true})
    for (unsigned i = 0; i < 6; ++i) in_turn.push_back(half(upper, upper ? 6 + i : i));
  for (unsigned i = 0; i < 6; ++i)
    for (const bool upper : {false, true}) interleaved.push_back(half(upper, upper ? 6 + i : i));
  Bench before(one_scheduler());
  Bench since(one_scheduler());
  CHECK(run_warps(before, {in_turn}) == run_warps(since, {interleaved}));
  CHECK(before.core.statistics().issued == since.core.statistics().issued);
  const auto blocks = [](const Bench& bench) {
    std::vector<std::uint64_t> sorted;
    for (const Memory::Request& request : bench.global.requests) sorted.push_back(request.block);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  CHECK(blocks(before) == blocks(since));
}

TEST_CASE("CU-08: lanes_that_left_or_never_were_ask_for_nothing") {
  Bench bench(one_scheduler());
  // Lanes 3 and 9 are active: the words of one sector and of the next.
  trace::Instruction few = independent(load(0, 2));
  few.mask = 1U << 3U | 1U << 9U;
  few.addresses[0] = 3 * 4;
  few.addresses[1] = 9 * 4;
  trace::Instruction none = independent(load(4096));
  none.lanes = 0;
  bench.run({few, none, none});
  REQUIRE(bench.global.requests.size() == 1);
  CHECK(bench.global.requests[0].sectors == 0b0011);
  // Without an active lane an instruction still takes its slot.
  CHECK(bench.core.statistics().issued == 3);
}

TEST_CASE("CU-09: lanes_that_write_one_location_make_one_write") {
  Bench bench(one_scheduler());
  bench.run({store(0x1000, 32, 0)});
  REQUIRE(bench.global.requests.size() == 1);
  CHECK(bench.global.requests[0].sectors == 1);
  trace::Instruction shared = store(0, 32, 0);
  shared.space = trace::Space::shared;
  CHECK(Banks(small_core().shared_memory).taken(shared).passes == 1);
}

TEST_CASE("CU-10: lanes_that_change_one_shared_location_by_atomics_take_turns") {
  const Banks banks(small_core().shared_memory);
  // As atomic_shared_throughput of an H200: 31.9 cycles on one address, 1.02 on 32 words,
  // 2.02 where two lanes meet in a bank, 31.8 where all do.
  CHECK(banks.taken(shared_atomic(32, 0)).passes == 32);
  CHECK(banks.taken(shared_atomic(32, 4)).passes == 1);
  CHECK(banks.taken(shared_atomic(32, 8)).passes == 2);
  CHECK(banks.taken(shared_atomic(32, 128)).passes == 32);
  trace::Instruction pairs = shared_atomic(32, 0);
  for (unsigned lane = 0; lane < 32; ++lane) pairs.addresses[lane] = lane / 2 * 4;
  CHECK(banks.taken(pairs).passes == 2);
  // A load of one word by all is one pass, before and after.
  trace::Instruction same = shared_atomic(32, 0);
  // Global memory's are not performed here: they only pass through an array that is the L1's too.
  same.space = trace::Space::global;
  CHECK(banks.taken(same).passes == 1);
  same.space = trace::Space::shared;
  same.operation = memory::Operation::load;
  CHECK(banks.taken(same).passes == 1);
}

TEST_CASE("CU-11: contexts_stay_on_the_core_and_switching_between_them_costs_nothing") {
  // A chain of ten that can issue every second cycle.
  const Instructions chain(10, op(all, 5, 5));
  Bench alone(one_scheduler());
  Bench both(one_scheduler());
  CHECK(run_warps(alone, {chain}) == 18);
  // The other warp fills the gaps: twenty instructions in twenty slots.
  CHECK(run_warps(both, {chain, chain}) == 19);
}

TEST_CASE("CU-12: each_warp_has_registers_of_its_own") {
  // One warp waits for its register 5; the same number of another is ready.
  Bench bench(one_scheduler());
  run_warps(bench, {{into(5, load(0)), from(5, load(128))}, {op(all, 5), from(5, load(256))}});
  std::vector<std::pair<std::uint64_t, double>> asked;
  for (const Memory::Request& request : bench.global.requests)
    asked.emplace_back(request.block, clock.count(request.ready - Time{}));
  REQUIRE(asked.size() == 3);
  CHECK(asked[1].first == 2);
  CHECK(asked[1].second < 20);
  CHECK(asked[2].second > 100);
}

TEST_CASE("CU-12 CU-13: residency_is_the_least_of_what_registers_shared_memory_and_maxima_allow") {
  CoreSpec core = small_core();
  core.warps = 64;
  core.residency = {32, 65536, 256, Bytes{128}, Bytes{1024}};
  core.shared_memory.size = Bytes{228 * 1024};
  std::mt19937 random(7);
  const auto up_to = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); };
  for (int i = 0; i < 300; ++i) {
    trace::KernelInfo kernel;
    kernel.block = {1 + up_to(1024), 1, 1};
    kernel.registers_per_thread = 1 + up_to(64);
    kernel.shared_bytes = up_to(160 * 1024);
    const std::uint64_t warps = (kernel.block.x + 31) / 32;
    const std::uint64_t of_warp = (kernel.registers_per_thread * 32U + 255) / 256 * 256;
    const std::uint64_t by_registers = core.schedulers * (65536 / core.schedulers / of_warp) / warps;
    const std::uint64_t shared = (kernel.shared_bytes + 127) / 128 * 128 + 1024;
    const std::uint64_t expected = std::min({64 / warps, by_registers, 228 * 1024 / shared, std::uint64_t{32}});
    CAPTURE(kernel.block.x, kernel.registers_per_thread, kernel.shared_bytes);
    CHECK(occupancy(core, kernel).blocks == expected);
  }
}

TEST_CASE("CU-13: a_launch_of_which_not_one_block_fits_fails") {
  CoreSpec core = small_core();
  core.shared_memory.size = Bytes{64 * 1024};
  trace::KernelInfo kernel;
  kernel.name = "wide";
  kernel.shared_bytes = 64 * 1024;
  CHECK_NOTHROW(occupancy(core, kernel));
  kernel.shared_bytes += 128;
  CHECK_THROWS_WITH(occupancy(core, kernel),
                    "kernel 'wide': no block fits on a core: it needs 65664 bytes of shared memory, 128 more than the "
                    "65536 available");
}

}  // namespace strata::compute::test
