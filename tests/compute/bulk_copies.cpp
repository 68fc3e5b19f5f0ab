// SPDX-License-Identifier: Apache-2.0
// The copy unit of a core on the bench: tiles into shared memory, out of it, and reductions.
#include "block_bench.hpp"

#include "base/invalid_request.hpp"

namespace strata::compute::test {
namespace {

/// A copy needs 40 clk before its first request and 4 clk for each; a pass over 32 banks of 4 B takes 1 clk.
CoreSpec copying_core() {
  using namespace literals;
  CoreSpec spec = small_core();
  spec.bulk_copy = BulkCopySpec{};
  spec.bulk_copy->setup = 40_clk;
  spec.bulk_copy->per_line = 4_clk;
  return spec;
}

/// 32 pieces of 64 B: 16 lines, 16 rows of the banks.
trace::Instruction tile(memory::Operation operation, std::uint8_t destination = 0) {
  trace::Instruction instruction = op(OpClass::access, destination);
  instruction.operation = operation;
  instruction.space = trace::Space::bulk;
  instruction.bytes_per_lane = 64;
  instruction.strided = true;
  instruction.lane_stride = 64;
  instruction.addresses[0] = 0x10000;
  return instruction;
}

struct Copied {
  double clocks;
  std::vector<double> requests;  ///< when each reached the memory
};

Copied run_tiles(const std::vector<trace::Instruction>& warp) {
  Bench bench(copying_core());
  bench.core.connect({bench.global.outlet(), {}, {}, bench.global.outlet()});
  Copied copied{run_block(bench, {warp}), {}};
  for (const Memory::Request& request : bench.global.requests)
    copied.requests.push_back(clock.count(request.ready - Time{}));
  return copied;
}

}  // namespace

TEST_CASE("a_tile_is_requested_line_by_line_and_is_there_with_its_last_line") {
  const Copied copied = run_tiles({tile(memory::Operation::load, 9), op(OpClass::integer, 0, 9)});
  REQUIRE(copied.requests.size() == 16);
  for (std::size_t i = 0; i < 16; ++i) CHECK(copied.requests[i] == 40 + 4.0 * static_cast<double>(i));
  CHECK(copied.clocks == 40 + 15 * 4 + 100);
}

TEST_CASE("a_stored_tile_is_read_from_shared_memory_first_and_a_fence_waits_for_it") {
  // The banks serve a load of another warp for 8 passes before: the rows of the tile follow.
  trace::Instruction conflict = op(OpClass::access);
  conflict.space = trace::Space::shared;
  conflict.bytes_per_lane = 4;
  conflict.strided = true;
  conflict.lane_stride = 32;
  for (const memory::Operation operation : {memory::Operation::store, memory::Operation::atomic}) {
    const Copied alone = run_tiles({tile(operation), op(OpClass::fence)});
    REQUIRE(alone.requests.size() == 16);
    for (std::size_t i = 0; i < 16; ++i) CHECK(alone.requests[i] == 40 + 4.0 * static_cast<double>(i));
    CHECK(alone.clocks == 40 + 15 * 4 + 100);
    const Copied behind = run_tiles({conflict, tile(operation), op(OpClass::fence)});
    REQUIRE(behind.requests.size() == 16);
    CHECK(behind.requests[0] == 40 + 8);
  }
}

TEST_CASE("a_load_waits_for_the_banks_that_a_stored_tile_is_read_from") {
  trace::Instruction load = op(OpClass::access, 9);
  load.space = trace::Space::shared;
  load.bytes_per_lane = 4;
  load.strided = true;
  load.lane_stride = 4;
  // Its one pass begins after the 16 of the tile, and its data come 20 clk later.
  const Copied copied = run_tiles({tile(memory::Operation::store), load, op(OpClass::integer, 0, 9)});
  CHECK(copied.clocks >= 16 + 20);
  Bench plain(copying_core());
  CHECK(run_block(plain, {{load, op(OpClass::integer, 0, 9)}}) <= 20 + 1);
}

TEST_CASE("a_core_without_a_copy_unit_refuses_a_tile") {
  Bench bench(small_core());
  CHECK_THROWS_WITH(run_block(bench, {{tile(memory::Operation::load)}}),
                    "a warp accesses the bulk space, which core does not have: core.bulk_copy is none (run it on a "
                    "GPU that has it)");
}

}  // namespace strata::compute::test
