// SPDX-License-Identifier: Apache-2.0
// Blocks are divided into warps according to the CUDA C++ Programming Guide (CU-03, CU-04,
// CU-08, CU-14).
#include "trace/kernel.hpp"

#include <bit>
#include <stdexcept>

#include "catch.hpp"

using namespace strata::trace;

namespace {
KernelInfo blocks_of(Dimensions block, std::uint32_t width = 32) {
  KernelInfo info;
  info.block = block;
  info.warp_width = width;
  return info;
}
}  // namespace

TEST_CASE("CU-14 CU-03: a_block_has_as_many_warps_of_its_width_as_its_threads_need_rounded_up") {
  for (const std::uint32_t threads : {1U, 31U, 32U, 33U, 100U, 1024U})
    for (const std::uint32_t width : {16U, 32U, 64U})
      CHECK(blocks_of({threads, 1, 1}, width).warps_per_block() == (threads + width - 1) / width);
  CHECK(blocks_of({8, 4, 3}).warps_per_block() == 3);
}

TEST_CASE("CU-08: only_the_last_warp_of_a_block_lacks_lanes") {
  const KernelInfo info = blocks_of({10, 7, 1});  // 70 threads: 32, 32 and 6
  CHECK(info.lanes_of(0) == 0xFFFFFFFFU);
  CHECK(info.lanes_of(1) == 0xFFFFFFFFU);
  CHECK(info.lanes_of(2) == 0x3FU);
  CHECK(blocks_of({70, 1, 1}, 64).lanes_of(0) == ~std::uint64_t{0});
  CHECK(std::popcount(blocks_of({70, 1, 1}, 64).lanes_of(1)) == 70 - 64);
}

TEST_CASE("CU-04: threads_are_numbered_x_first_and_cut_into_warps_of_consecutive_numbers") {
  const Dimensions grid{5, 3, 2};
  for (std::uint64_t n = 0; n < grid.count(); ++n) CHECK(grid.number(grid.place(n)) == n);
  CHECK(grid.number({4, 2, 1}) == 4 + 5 * 2 + 15 * 1);
  CHECK(grid.place(5) == Dimensions{0, 1, 0});
  // Of a block of 30 threads and warps of 16, warp 0 has numbers 0 to 15: all of z = 0 and the first of z = 1.
  const KernelInfo block = blocks_of({5, 3, 2}, 16);
  CHECK(block.block.place(0) == Dimensions{0, 0, 0});
  CHECK(block.block.place(15) == Dimensions{0, 0, 1});
  CHECK(block.lanes_of(0) == 0xFFFFU);
  CHECK(block.lanes_of(1) == 0x3FFFU);
}

TEST_CASE("a_shape_that_cannot_be_launched_is_refused") {
  CHECK_NOTHROW(blocks_of({1024, 1, 1}).check());
  CHECK_THROWS_AS(blocks_of({1025, 1, 1}).check(), std::invalid_argument);
  CHECK_THROWS_AS(blocks_of({32, 32, 2}).check(), std::invalid_argument);
  CHECK_THROWS_AS(blocks_of({32, 0, 1}).check(), std::invalid_argument);
  CHECK_THROWS_AS(blocks_of({32, 1, 1}, 24).check(), std::invalid_argument);
}

TEST_CASE("active_lanes_are_the_mask_or_the_first_ones") {
  Instruction instruction;
  instruction.lanes = 3;
  CHECK(instruction.active() == 0b111U);
  instruction.mask = 0b10101U;
  CHECK(instruction.active() == 0b10101U);
  instruction.mask = 0;
  instruction.lanes = 64;
  CHECK(instruction.active() == ~std::uint64_t{0});
}

TEST_CASE("each_class_of_instruction_has_the_number_of_its_row") {
  for (std::size_t i = 0; i < op_classes.size(); ++i) {
    CHECK(static_cast<std::size_t>(op_classes[i].op_class) == i);
    CHECK(op_class_of(op_classes[i].name) == op_classes[i].op_class);
  }
  CHECK_FALSE(op_class_of("nothing").has_value());
}
