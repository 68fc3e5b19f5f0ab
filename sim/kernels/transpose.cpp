// SPDX-License-Identifier: Apache-2.0
// A matrix transposed, naive and by tiles in shared memory (CUDA C++ Best Practices Guide). The
// tiled one was measured on silicon; its number of instructions is that of the machine code.
#include "kernels/matrices.hpp"

namespace strata::kernels {

namespace {

// Threads 32 x 8, four rows each: out[x][y] = in[y][x], the stores a column each. 40
// instructions per warp, as compiled by nvcc 13 for sm_90: since the arrays may overlap, a load
// is not moved before the preceding store.
Program transpose_naive(Warp& w, const Matrices& p) {
  const Registers i = reg(1), from = reg(2, 2), to = reg(4, 2), value = reg(6);
  for (unsigned k = 0; k < 5; ++k) co_yield w.op(OpClass::constant, reg(7));
  for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::system, i);
  for (unsigned k = 0; k < 8; ++k) co_yield w.op(OpClass::integer, i, i);
  const std::uint64_t row = p.n * word;
  const std::uint64_t x = tile * w.block.x, y = tile * w.block.y;
  for (unsigned j = 0; j < tile; j += 8) {
    co_yield w.op(OpClass::multiply, from, i);
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::integer, from, from);
    co_yield w.load(value, word, from).at(p.arrays[0] + (y + j) * row + x * word, word, row);
    if (j == 0) {
      co_yield w.op(OpClass::multiply, to, i);
      co_yield w.op(OpClass::integer, to, to);
    }
    co_yield w.store(value, word, to).at(p.arrays[1] + x * row + (y + j) * word, row, word);
  }
  co_yield w.exit();
}

// 52 instructions a warp, as measured. The pitch of 33 words keeps the column
// reads of shared memory free of bank conflicts.
Program transpose_tiled(Warp& w, const Matrices& p) {
  constexpr std::uint64_t pitch = 33 * word;
  constexpr std::uint64_t rows_apart = 8;  // of the elements of a thread
  const std::uint64_t row = p.n * word;
  const std::uint64_t x = tile * w.block.x, y = tile * w.block.y;
  const Registers i = reg(1), at = reg(2), from = reg(4, 2), to = reg(6, 2);
  for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::constant, i);
  for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::system, i);
  for (unsigned k = 0; k < 9; ++k) co_yield w.op(OpClass::integer, i, i);
  for (unsigned j = 0; j < 4; ++j) {
    co_yield w.op(OpClass::multiply, from, i);
    co_yield w.load(reg(8 + j), word, from).at(p.arrays[0] + (y + rows_apart * j) * row + x * word, word, row);
  }
  for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::integer, at, i);
  for (unsigned j = 0; j < 4; ++j)
    co_yield w.store(reg(8 + j), word, at).in(Space::shared).at(rows_apart * j * pitch, word, pitch);
  co_yield w.barrier();
  for (unsigned k = 0; k < 7; ++k) co_yield w.op(OpClass::integer, at, i);
  for (unsigned j = 0; j < 4; ++j)
    co_yield w.load(reg(12 + j), word, at).in(Space::shared).at(rows_apart * j * word, pitch, word);
  for (unsigned j = 0; j < 4; ++j) {
    co_yield w.op(OpClass::multiply, to, i);
    co_yield w.store(reg(12 + j), word, to).at(p.arrays[1] + (x + rows_apart * j) * row + y * word, word, row);
  }
  co_yield w.exit();
}

constexpr MatrixKernel naive_transpose{"transpose_naive", 2, {32, 8, 1}, 0, transpose_naive};
constexpr MatrixKernel tiled_transpose{"transpose_tiled", 2, {32, 8, 1}, 32 * 33 * word, transpose_tiled};

constexpr std::array transpose_table{
    matrix_kind<naive_transpose>("out = in transposed, stores by columns",
                                 "x = 32 bx + tx, y = 32 by + ty, blocks of 32 x 8: for j = 0, 8, 16, 24: load "
                                 "in[(y + j) n + x], store out[x n + y + j]; 4 B each."),
    matrix_kind<tiled_transpose>(
        "out = in transposed, through tiles in shared memory",
        "As transpose_naive, but: the four loads in[(y + j) n + x]; the four stores to shared word "
        "(ty + j) 33 + tx; barrier; with x = 32 by + tx, y = 32 bx + ty the four loads of shared "
        "word 33 tx + ty + j; the four stores to out[(y + j) n + x]. 52 instructions a warp."),
};

}  // namespace

std::span<const KernelKind> transpose_kinds() { return transpose_table; }

}  // namespace strata::kernels
