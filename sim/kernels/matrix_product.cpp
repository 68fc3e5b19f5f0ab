// SPDX-License-Identifier: Apache-2.0
// Products of matrices: naive, and by tiles in shared memory (CUDA C++ Best Practices Guide). The tiled one was
// measured on silicon; its number of instructions is that of the machine code.
#include "kernels/matrices.hpp"

namespace strata::kernels {

namespace {

// Threads 32 x 32, one element each: a row of A by a column of B from the caches. 33
// instructions for each four elements and 35 others, as compiled by nvcc 13 for sm_90.
Program sgemm_naive(Warp& w, const Matrices& p) {
  const Registers i = reg(1), a = reg(2, 2), b = reg(4, 2), sum = reg(6);
  for (unsigned k = 0; k < 6; ++k) co_yield w.op(OpClass::constant, reg(7));
  for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::system, i);
  for (unsigned k = 0; k < 18; ++k) co_yield w.op(OpClass::integer, i, i);
  const std::uint64_t row = p.n * word;
  const std::uint64_t first_row = tile * w.block.y * row;
  const std::uint64_t first_column = tile * w.block.x * word;
  // B's four rows have one address each, computed from the previous one; A's four elements have
  // one address.
  const auto row_of_b = [](unsigned u) { return reg(20 + 2 * u, 2); };
  for (std::uint64_t k = 0; k < p.n; k += 4) {
    const auto load_b = [&](unsigned u) {
      return w.load(reg(12 + u), word, row_of_b(u)).at(p.arrays[1] + (k + u) * row + first_column, word, 0);
    };
    const auto load_a = [&](unsigned u) {
      return w.load(reg(8 + u), word, a).at(p.arrays[0] + first_row + (k + u) * word, 0, row);
    };
    for (unsigned c = 0; c < 4; ++c) co_yield w.op(OpClass::integer, reg(7));
    co_yield w.op(OpClass::multiply, b, i);
    co_yield w.op(OpClass::integer, reg(7), b);
    co_yield w.op(OpClass::integer, row_of_b(0), b);
    co_yield w.op(OpClass::multiply, a, i);
    co_yield w.op(OpClass::integer, row_of_b(0), reg(7));
    co_yield w.op(OpClass::integer, row_of_b(1), row_of_b(0));
    co_yield w.op(OpClass::integer, a, a);
    co_yield w.op(OpClass::integer, row_of_b(1), row_of_b(0));
    co_yield w.op(OpClass::integer, a, a);
    for (unsigned u = 0; u < 4; ++u) {
      co_yield load_a(u);
      co_yield load_b(u);
      if (u < 2)
        for (unsigned c = 0; c < 2; ++c) co_yield w.op(OpClass::integer, row_of_b(u + 2), row_of_b(u + 1));
    }
    co_yield w.op(OpClass::integer, i, i);
    co_yield w.op(OpClass::integer, reg(7), i);
    co_yield w.op(OpClass::integer, reg(30));
    for (unsigned u = 0; u < 4; ++u) co_yield w.op(OpClass::fp32, sum, reg(8 + u), reg(12 + u), sum, 2);
    co_yield w.op(OpClass::control, {}, reg(7));
  }
  co_yield w.op(OpClass::constant, a);
  co_yield w.op(OpClass::multiply, a, i);
  for (unsigned c = 0; c < 3; ++c) co_yield w.op(OpClass::integer, a, a);
  co_yield w.store(sum, word, a).at(p.arrays[2] + first_row + first_column, word, row);
  co_yield w.exit();
}

// 41 instructions a warp and 86 a tile, as measured: the row of A is loaded four elements at a
// time, those of B one by one.
Program sgemm_tiled(Warp& w, const Matrices& p) {
  constexpr std::uint64_t shared_b = tile * tile * word;
  const Registers i = reg(1), a = reg(2, 2), b = reg(4, 2), sum = reg(6), from_a = reg(7), from_b = reg(8);
  constexpr std::uint64_t row_of_tile = tile * word;
  const std::uint64_t row = p.n * word;
  const std::uint64_t first_row = tile * w.block.y * row;
  const std::uint64_t first_column = tile * w.block.x * word;
  for (unsigned k = 0; k < 6; ++k) co_yield w.op(OpClass::constant, i);
  for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::system, i);
  for (unsigned k = 0; k < 28; ++k) co_yield w.op(OpClass::integer, i, i);
  for (std::uint64_t m = 0; m < p.n / tile; ++m) {
    co_yield w.load(from_a, word, a).at(p.arrays[0] + first_row + m * row_of_tile, word, row);
    co_yield w.load(from_b, word, b).at(p.arrays[1] + tile * m * row + first_column, word, row);
    for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::integer, i, i);
    co_yield w.store(from_a, word).in(Space::shared).at(0, word, row_of_tile);
    co_yield w.store(from_b, word).in(Space::shared).at(shared_b, word, row_of_tile);
    co_yield w.barrier();
    // Four products after the loads, as a compiler schedules them.
    for (unsigned k = 0; k <= tile; k += 4) {
      const auto group = [](unsigned at, unsigned u) { return 10 + (at / 4 % 2) * 8 + u; };
      if (k < tile) {
        co_yield w.load(reg(group(k, 0), 4), 4 * word).in(Space::shared).at(k * word, 0, row_of_tile);
        for (unsigned u = 0; u < 4; ++u)
          co_yield w.load(reg(group(k, 4 + u)), word).in(Space::shared).at(shared_b + (k + u) * row_of_tile, word, 0);
      }
      if (k == 0) continue;
      for (unsigned u = 0; u < 4; ++u)
        co_yield w.op(OpClass::fp32, sum, reg(group(k - 4, u)), reg(group(k - 4, 4 + u)), sum, 2);
    }
    co_yield w.barrier();
    co_yield w.op(OpClass::multiply, a, i);
    co_yield w.op(OpClass::multiply, b, i);
    co_yield w.op(OpClass::integer, {}, i);
    co_yield w.op(OpClass::control);
  }
  co_yield w.op(OpClass::multiply, a, i);
  co_yield w.store(sum, word, a).at(p.arrays[2] + first_row + first_column, word, row);
  co_yield w.exit();
}

constexpr MatrixKernel naive_sgemm{"sgemm_naive", 3, {32, 32, 1}, 0, sgemm_naive};
constexpr MatrixKernel tiled_sgemm{"sgemm_tiled", 3, {32, 32, 1}, 2 * 32 * 32 * word, sgemm_tiled};

constexpr std::array product_table{
    matrix_kind<naive_sgemm>(
        "C = A B, operands from the caches",
        "c = 32 bx + tx, r = 32 by + ty, blocks of 32 x 32: for k < n: load A[r n + k], load B[k n "
        "+ c]; four k are loaded before they are multiplied; store C[r n + c]. 4 B each."),
    matrix_kind<tiled_sgemm>(
        "C = A B, by tiles of 32 x 32 in shared memory",
        "As sgemm_naive, but for m < n / 32: load A[r n + 32 m + tx], load B[(32 m + ty) n + c]; "
        "store both to word 32 ty + tx of their tile; barrier; for k = 0, 4 .. 28: load words k .. "
        "k + 3 of row ty of the tile of A at once, words tx of rows k .. k + 3 of that of B; "
        "barrier. Store C[r n + c]. 41 instructions a warp, 86 a tile."),
};

}  // namespace

std::span<const KernelKind> product_kinds() { return product_table; }

}  // namespace strata::kernels
