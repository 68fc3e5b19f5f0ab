// SPDX-License-Identifier: Apache-2.0
// Tensor Memory: allocation by blocks, partitions, ports and products.
#include "base/invalid_request.hpp"
#include "block_bench.hpp"

namespace strata::compute::test {
namespace {

using trace::Space;

/// Four partitions of 32 rows; a load takes 20 clk and 128 B a clock, a product 1024 multiplications a clock of each
/// partition and 30 clk.
CoreSpec tensor_core() {
  using namespace literals;
  CoreSpec spec = small_core();
  spec.load_store.lanes_per_pass = 32;
  spec.tensor_memory = TensorMemorySpec{};
  spec.tensor_memory->latency = 20_clk;
  spec.tensor_memory->product_latency = 30_clk;
  spec.execution.latency = 1_clk;
  return spec;
}

trace::Instruction columns(OpClass op_class, std::uint16_t count) {
  trace::Instruction instruction = op(op_class);
  instruction.lanes = 1;
  instruction.tensor.columns = count;
  return instruction;
}
trace::Instruction allocate(std::uint16_t count) { return columns(OpClass::tensor_allocate, count); }
trace::Instruction release(std::uint16_t count) { return columns(OpClass::tensor_free, count); }

trace::Instruction product(std::uint16_t m, std::uint16_t n, std::uint16_t k, std::uint8_t destination = 0) {
  trace::Instruction instruction = op(OpClass::tensor_product, destination);
  instruction.lanes = 1;
  instruction.tensor = {.m = m, .n = n, .k = k};
  return instruction;
}

/// Each of 32 lanes has a row from the first on, and 4 B of each of so many columns.
trace::Instruction access(memory::Operation operation, unsigned row, unsigned column, unsigned count) {
  trace::Instruction instruction = op(OpClass::access, 9);
  instruction.operation = operation;
  instruction.space = Space::tensor;
  instruction.bytes_per_lane = static_cast<std::uint8_t>(4 * count);
  instruction.strided = true;
  instruction.lane_stride = trace::TensorWork::row;
  instruction.addresses[0] = row * trace::TensorWork::row + column;
  return instruction;
}
trace::Instruction read(unsigned row, unsigned column, unsigned count) {
  return access(memory::Operation::load, row, column, count);
}
/// Arithmetic that needs the register of those.
trace::Instruction use(std::uint8_t source = 9) { return op(OpClass::integer, 0, source); }

/// The message of a block of such warps, each of which follows an allocation of 64 columns by the first.
std::string fault_of(std::vector<std::vector<trace::Instruction>> warps) {
  Bench bench(tensor_core());
  try {
    run_block(bench, std::move(warps));
  } catch (const InvalidRequest& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("B2-59: columns_are_allocated_in_powers_of_two_and_freed_before_the_block_ends") {
  CHECK(fault_of({{allocate(64), release(64)}}).empty());
  CHECK(fault_of({{allocate(512), release(512)}}).empty());
  for (const unsigned wrong : {0U, 16U, 48U, 1024U})
    CHECK(fault_of({{allocate(static_cast<std::uint16_t>(wrong))}}).find("allocate a power of two from 32 to 512") !=
          std::string::npos);
  CHECK(fault_of({{allocate(64)}}) ==
        "block 3 ends with 64 columns of Tensor Memory allocated (free them before its last warp exits (tensor_free))");
  CHECK(fault_of({{allocate(64), release(32)}}).find("no allocation of that size") != std::string::npos);
  Bench none(small_core());
  CHECK_THROWS_AS(run_block(none, {{allocate(64), release(64)}}), InvalidRequest);
}

TEST_CASE("B2-59: a_block_waits_for_columns_that_others_have") {
  Bench bench(tensor_core());
  // The first holds 512 columns for a chain of 100 clk, the second asks for 32 of them meanwhile, and so does the third.
  std::vector<trace::Instruction> holder{allocate(512)};
  holder.insert(holder.end(), 100, op(OpClass::integer, 5, 5));
  holder.push_back(release(512));
  std::vector<Time> ends(3);
  struct Ear {
    Bench& bench;
    std::vector<Time>& ends;
  } ear{bench, ends};
  for (std::uint64_t b = 0; b < 3; ++b) {
    std::vector<std::vector<trace::Instruction>> warps{
        b == 0 ? holder : std::vector<trace::Instruction>{allocate(32), release(32)}};
    bench.core.start_block(std::make_unique<Block>(std::move(warps)), 1, Time{} + clock.cycles(static_cast<double>(b)),
                           Time{},
                           {[](void* self, std::uint32_t, std::uint64_t block) {
                              auto& heard = *static_cast<Ear*>(self);
                              heard.ends[block] = heard.bench.simulation.now();
                            },
                            &ear, b});
  }
  bench.simulation.run();
  CHECK(bench.core.running() == 0);
  CHECK(clock.count(ends[0] - Time{}) == 101);
  for (const std::size_t waited : {std::size_t{1}, std::size_t{2}}) {
    CHECK(ends[waited] >= ends[0]);
    CHECK(clock.count(ends[waited] - ends[0]) <= 2);
  }
  const StallTimes& stalled = bench.core.statistics().stalled;
  CHECK(clock.count(stalled[static_cast<std::size_t>(Stall::columns)]) == Approx(100 + 99).margin(1));
}

TEST_CASE("B2-58: a_warp_reaches_the_rows_of_its_partition_and_columns_of_its_block_only") {
  const std::vector<trace::Instruction> idle{op(OpClass::barrier)};
  const auto second_warp = [&](const trace::Instruction& first) {
    return fault_of({{allocate(64), op(OpClass::barrier), op(OpClass::barrier), release(64)},
                     {op(OpClass::barrier), first, op(OpClass::barrier)}});
  };
  CHECK(second_warp(read(32, 0, 16)).empty());
  CHECK(second_warp(read(32, 48, 16)).empty());
  CHECK(second_warp(read(0, 0, 16)).find("warp 1 of a block reaches the rows 32 to 63 only") != std::string::npos);
  CHECK(second_warp(read(32, 49, 16)).find("columns 49 to 64 of Tensor Memory; its block has allocated 64") !=
        std::string::npos);
  CHECK(second_warp(access(memory::Operation::atomic, 32, 0, 1)).find("by an atomic") != std::string::npos);
  CHECK(second_warp(product(128, 128, 16)).find("multiplies into 128 columns") != std::string::npos);
  CHECK(second_warp(product(129, 64, 16)).find("at most 128 rows") != std::string::npos);
}

TEST_CASE("B2-60: a_partition_reads_a_row_and_writes_a_row_a_clock") {
  // 16 columns of 32 rows of 4 B are 2048 B, 16 clk of a port; ten of them in a row 160, the last is there then.
  const auto clocks = [](const trace::Instruction& each) {
    Bench bench(tensor_core());
    std::vector<trace::Instruction> warp{allocate(64)};
    for (std::uint8_t i = 0; i < 10; ++i) {
      warp.push_back(each);
      warp.back().destination = static_cast<std::uint8_t>(16 + i);
    }
    warp.push_back(use(25));
    warp.push_back(release(64));
    return run_block(bench, {warp});
  };
  CHECK(clocks(read(0, 0, 16)) == Approx(1 + 9 * 16 + 20).margin(2));
  CHECK(clocks(access(memory::Operation::store, 0, 0, 16)) == Approx(1 + 10 * 16).margin(2));
}

TEST_CASE("warps_of_one_partition_share_its_port") {
  const auto clocks = [](std::uint32_t other) {
    Bench bench(tensor_core());
    std::vector<std::vector<trace::Instruction>> warps(5, {op(OpClass::barrier), op(OpClass::barrier)});
    for (const std::uint32_t w : {0U, other}) {
      std::vector<trace::Instruction> loads;
      for (std::uint8_t i = 0; i < 10; ++i) {
        loads.push_back(read(w % 4 * 32, 0, 16));
        loads.back().destination = static_cast<std::uint8_t>(16 + i);
      }
      loads.push_back(use(25));
      warps[w].insert(warps[w].begin() + 1, loads.begin(), loads.end());
    }
    warps[0].insert(warps[0].begin(), allocate(64));
    warps[0].push_back(release(64));
    return run_block(bench, std::move(warps));
  };
  CHECK(clocks(4) == Approx(clocks(1) + 10 * 16).margin(4));
}

TEST_CASE("columns_are_freed_when_products_on_them_are_done") {
  Bench bench(tensor_core());
  CHECK(run_block(bench, {{allocate(256), product(128, 256, 16), release(256)}}) == Approx(1 + 128 + 30).margin(2));
}

TEST_CASE("B2-60: a_product_takes_the_units_of_all_partitions_for_its_multiplications") {
  const auto clocks = [](const trace::Instruction& each) {
    Bench bench(tensor_core());
    std::vector<trace::Instruction> warp{allocate(256)};
    for (unsigned i = 0; i < 10; ++i) warp.push_back(each);
    warp.back().destination = 9;
    warp.push_back(use());
    warp.push_back(release(256));
    return run_block(bench, {warp});
  };
  const double overhead = 1 + 30;  // the allocation; from the last product until its result
  // 128 x 256 x 16 multiplications at 4 x 1024 a clock; operands of (128 + 256) x 32 B take 96 passes of 128 B.
  CHECK(clocks(product(128, 256, 16)) == Approx(overhead + 10 * 128).margin(2));
  // Half of the rows leave half of the partitions idle.
  CHECK(clocks(product(64, 256, 16)) == Approx(overhead + 10 * 128).margin(2));
  trace::Instruction narrow = product(128, 256, 16);
  narrow.tensor.bits = 8;
  CHECK(clocks(narrow) == Approx(overhead + 10 * 64).margin(2));
  // 128 x 16 x 16 take 8 clk, but (128 + 16) x 32 B of operands 36 passes; from Tensor Memory only the second ones, 4.
  trace::Instruction small = product(128, 16, 16);
  CHECK(clocks(small) == Approx(overhead + 10 * 36).margin(2));
  small.tensor.a_from_tensor_memory = true;
  CHECK(clocks(small) == Approx(overhead + 10 * 8).margin(2));
}

}  // namespace strata::compute::test
