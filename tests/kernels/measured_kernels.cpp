// SPDX-License-Identifier: Apache-2.0
// The kernels that were measured on an H200: the addresses of their formulae,
// and the counts of instructions that the profiler gave for the small sizes.
#include "catch.hpp"
#include "warps.hpp"

using namespace strata::test;

namespace {
constexpr std::uint64_t first_array = std::uint64_t{2} << 20U;
constexpr std::uint64_t page = std::uint64_t{2} << 20U;
// The next array begins on the next 2 MiB when it is that large, else at 512 B.
std::uint64_t after(std::uint64_t array, std::uint64_t bytes, std::uint64_t next) {
  const std::uint64_t alignment = next >= page ? page : 512;
  return (array + bytes + alignment - 1) / alignment * alignment;
}
}  // namespace

TEST_CASE("vecadd_small_issues_what_the_profiler_counted") {
  const auto kernel = make("vecadd,n=1048576");
  const Totals totals = totals_of(*kernel);
  CHECK(totals.warp_instructions == 655360);
  CHECK(totals.global_loads == 65536);
  CHECK(totals.global_stores == 32768);
  CHECK(totals.bytes_loaded + totals.bytes_stored == 3 * 4 * 1048576);
}

TEST_CASE("vecadd_thread_reads_both_arrays_and_writes_the_third") {
  const std::uint64_t n = 1000;  // the last block has 24 threads too many
  const auto kernel = make("vecadd,n=1000");
  const std::uint64_t b = after(first_array, n * 4, n * 4);
  const std::uint64_t c = after(b, n * 4, n * 4);
  for (const std::uint64_t i : {0U, 255U, 256U, 999U}) {
    const std::vector<LaneAccess> expected{ld(first_array + i * 4), ld(b + i * 4), st(c + i * 4)};
    CHECK(global_accesses(*kernel, i / 256, static_cast<std::uint32_t>(i % 256)) == expected);
  }
  CHECK(global_accesses(*kernel, 3, 1000 - 3 * 256).empty());
}

TEST_CASE("transpose_tiled_small_issues_what_the_profiler_counted") {
  const auto kernel = make("transpose_tiled,n=1024");
  const Totals totals = totals_of(*kernel);
  CHECK(totals.warp_instructions == 425984);
  CHECK(totals.global_loads == 32768);
  CHECK(totals.global_stores == 32768);
  CHECK(totals.shared_loads == 32768);
  CHECK(totals.shared_stores == 32768);
}

TEST_CASE("transposes_write_each_element_to_its_mirror_place") {
  const std::uint64_t n = 64;
  const std::uint64_t out = after(first_array, n * n * 4, n * n * 4);
  const std::uint32_t bx = 1, by = 0, tx = 5, ty = 3;
  const std::uint64_t block = bx + by * (n / 32);
  std::vector<LaneAccess> tiled;
  for (std::uint64_t j = 0; j < 32; j += 8)
    tiled.push_back(ld(first_array + ((32 * by + ty + j) * n + 32 * bx + tx) * 4));
  for (std::uint64_t j = 0; j < 32; j += 8) tiled.push_back(st(out + ((32 * bx + ty + j) * n + 32 * by + tx) * 4));
  CHECK(global_accesses(*make("transpose_tiled,n=64"), block, tx + ty * 32) == tiled);
  CHECK(global_accesses(*make("transpose_tiled,n=64", 64), block, tx + ty * 32) == tiled);
  std::vector<LaneAccess> naive;
  for (std::uint64_t j = 0; j < 32; j += 8) {
    naive.push_back(ld(first_array + ((32 * by + ty + j) * n + 32 * bx + tx) * 4));
    naive.push_back(st(out + ((32 * bx + tx) * n + 32 * by + ty + j) * 4));
  }
  CHECK(global_accesses(*make("transpose_naive,n=64"), block, tx + ty * 32) == naive);
}

TEST_CASE("stencil7_small_issues_nearly_what_the_profiler_counted") {
  const auto kernel = make("stencil7,n=128");
  const Totals totals = totals_of(*kernel);
  CHECK(totals.global_loads == 444528);
  CHECK(totals.global_stores == 63504);
  CHECK(totals.flops == 16003008);
  // 4031208 were counted: some warps of the boundary exit slightly earlier.
  CHECK(totals.warp_instructions == 63504 * 63 + 2032 * 15);
}

TEST_CASE("stencil7_thread_reads_its_cell_and_six_neighbours") {
  const std::uint64_t n = 32;
  const auto kernel = make("stencil7,n=32");
  const std::uint64_t out = after(first_array, n * n * n * 4, n * n * n * 4);
  const std::uint64_t x = 7, y = 9, z = 30;
  const std::uint64_t i = (z * n + y) * n + x;
  std::vector<LaneAccess> expected;
  for (const std::uint64_t at : {i, i - 1, i + 1, i - n, i + n, i - n * n, i + n * n})
    expected.push_back(ld(first_array + at * 4));
  expected.push_back(st(out + i * 4));
  const std::uint64_t block = (z * (n / 8) + y / 8) * (n / 32) + x / 32;
  CHECK(global_accesses(*kernel, block, static_cast<std::uint32_t>(y % 8 * 32 + x)) == expected);
  CHECK(global_accesses(*kernel, block, static_cast<std::uint32_t>(y % 8 * 32)).empty());
}

TEST_CASE("sgemm_tiled_small_issues_what_the_profiler_counted") {
  const auto kernel = make("sgemm_tiled,n=512");
  const Totals totals = totals_of(*kernel);
  CHECK(totals.warp_instructions == 11608064);
  CHECK(totals.global_loads == 262144);
  CHECK(totals.global_stores == 8192);
  CHECK(totals.shared_loads == 5242880);
  CHECK(totals.shared_stores == 262144);
  CHECK(totals.flops == 268435456);
}

// As nvcc 13 compiles the formulae for sm_90; equal to the counts of the profiler.
TEST_CASE("rewritten_kernels_have_the_instructions_of_their_machine_code") {
  CHECK(totals_of(*make("gather,n=262144")).warp_instructions == 147456);
  CHECK(totals_of(*make("scatter,n=262144")).warp_instructions == 147456);
  CHECK(totals_of(*make("spmv_csr,n=16384")).warp_instructions == 1261568);
  CHECK(totals_of(*make("transpose_naive,n=1024")).warp_instructions == 327680);
  // 33 for four elements of a row, 35 others: 34 on silicon, 0.1 % of all.
  CHECK(totals_of(*make("sgemm_naive,n=256")).warp_instructions == 2048 * (33 * 64 + 35));
}

TEST_CASE("matrix_products_read_a_row_of_a_and_a_column_of_b") {
  const std::uint64_t n = 64;
  const std::uint64_t b = after(first_array, n * n * 4, n * n * 4);
  const std::uint64_t c = after(b, n * n * 4, n * n * 4);
  const std::uint64_t bx = 1, by = 0, tx = 4, ty = 6;
  const std::uint64_t row = 32 * by + ty, column = 32 * bx + tx;
  const auto thread = static_cast<std::uint32_t>(tx + ty * 32);
  std::vector<LaneAccess> tiled;
  for (std::uint64_t m = 0; m < n / 32; ++m) {
    tiled.push_back(ld(first_array + (row * n + 32 * m + tx) * 4));
    tiled.push_back(ld(b + ((32 * m + ty) * n + column) * 4));
  }
  tiled.push_back(st(c + (row * n + column) * 4));
  CHECK(global_accesses(*make("sgemm_tiled,n=64"), bx + by * 2, thread) == tiled);
  std::vector<LaneAccess> naive;
  for (std::uint64_t k = 0; k < n; ++k) {
    naive.push_back(ld(first_array + (row * n + k) * 4));
    naive.push_back(ld(b + (k * n + column) * 4));
  }
  naive.push_back(st(c + (row * n + column) * 4));
  CHECK(global_accesses(*make("sgemm_naive,n=64"), bx + by * 2, thread) == naive);
}

TEST_CASE("reduction_small_issues_what_the_profiler_counted") {
  const auto kernel = make("reduction,n=4194304");
  const Totals totals = totals_of(*kernel);
  CHECK(totals.warp_instructions == 1374624);
  CHECK(totals.global_loads == 131072);
  CHECK(totals.global_stores == 1056);
  CHECK(totals.shared_loads == 136224);
  CHECK(totals.shared_stores == 76032);
}

TEST_CASE("copy_passes_small_issues_what_the_profiler_counted") {
  const auto kernel = make("copy_passes,bytes=4MiB");
  const Totals totals = totals_of(*kernel);
  CHECK(totals.global_loads == 81920);
  CHECK(totals.global_stores == 81920);
  CHECK(totals.warp_instructions == 2280704);
}

TEST_CASE("copy_passes_thread_advances_by_the_threads_of_the_grid") {
  const auto kernel = make("copy_passes,bytes=64KiB,blocks=2,passes=2");
  const std::uint64_t to = after(first_array, 32768, 32768);
  std::vector<LaneAccess> expected;
  for (unsigned pass = 0; pass < 2; ++pass)
    for (std::uint64_t i = 256 + 7; i < 32768 / 16; i += 512) {
      expected.push_back(ld(first_array + i * 16, 16));
      expected.push_back(st(to + i * 16, 16));
    }
  CHECK(global_accesses(*kernel, 1, 7) == expected);
}
