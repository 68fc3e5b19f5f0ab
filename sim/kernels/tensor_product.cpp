// SPDX-License-Identifier: Apache-2.0
// Products of matrices on tensor units: with accumulators in registers, and in Tensor Memory where cores have it
// (PTX ISA, tcgen05).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/invalid_request.hpp"
#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;
using trace::TensorWork;

constexpr std::uint64_t rows = 128;     ///< of a tile of C
constexpr unsigned first_copy = 30;     ///< register of the first copy of the first stage
constexpr std::uint64_t columns = 256;  ///< of it, and of Tensor Memory

/// A bulk copy of a part of a tile: the address of a lane's piece.
struct TileCopy {
  std::uint64_t first = 0;  ///< of the tile
  std::uint64_t at = 0;     ///< the piece of lane 0
  std::uint64_t row = 0, piece = 0, in_row = 1;
  std::uint64_t ranks = 0;  ///< of the cluster, that it is for as well

  std::uint64_t operator()(unsigned lane) const {
    return first + (at + lane) / in_row * row + (at + lane) % in_row * piece;
  }
};

struct TensorProduct {
  std::uint64_t n = 4096;
  std::uint64_t depth = 64;
  std::uint64_t stages = 4;
  std::uint64_t cluster = 1;
  std::array<std::uint64_t, 3> arrays{};

  /// Of a row of a tile, that one lane copies.
  std::uint64_t piece() const { return depth % 32 == 0 ? 64 : 32; }
  /// Rows of A that one block of a cluster brings for all of it.
  std::uint64_t rows_of_a() const { return rows / cluster; }
  std::uint64_t pieces_of_row() const { return depth * 2 / piece(); }
  /// Of so many rows.
  std::uint64_t copies(std::uint64_t tile_rows, std::uint64_t lanes) const {
    return (tile_rows * pieces_of_row() + lanes - 1) / lanes;
  }
  /// That a block makes for a step: of its rows of A, then of B.
  std::uint64_t copies(std::uint64_t lanes) const { return copies(rows_of_a(), lanes) + copies(columns, lanes); }
  TileCopy copy(const Warp& w, std::uint64_t step, std::uint64_t number) const;

  static Schema<TensorProduct> schema() {
    return Schema<TensorProduct>("tmem_mma", "C = A B on tensor units, 16-bit inputs, tiles of 128 x 256")
        .optional("n", &TensorProduct::n, "rows and columns, a multiple of 256", range(256, 1 << 18))
        .optional("depth", &TensorProduct::depth, "of a tile along the sum, a multiple of 16", range(16, 128))
        .optional("stages", &TensorProduct::stages, "tiles of A and B in shared memory, with Tensor Memory",
                  range(2, 16))
        .optional("cluster", &TensorProduct::cluster,
                  "blocks of a cluster, which share the tile of A, with Tensor Memory", range(1, 8),
                  config::power_of_two())
        .check("cluster",
               [](const TensorProduct& m) {
                 return m.n / columns % m.cluster == 0 ? "" : "must divide the n / 256 tiles of a row of C";
               })
        .check("stages",
               [](const TensorProduct& m) {
                 return m.cluster == 1 || m.stages > 2 ? "" : "must be more than 2 with clusters";
               })
        .check("n", [](const TensorProduct& m) { return m.n % 256 == 0 ? "" : "must be a multiple of 256"; })
        .check("depth", [](const TensorProduct& m) {
          return m.depth % 16 == 0 && m.n % m.depth == 0 ? "" : "must be a multiple of 16 that divides n";
        });
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const;
};

TileCopy TensorProduct::copy(const Warp& w, std::uint64_t step, std::uint64_t number) const {
  const std::uint64_t of_a = copies(rows_of_a(), w.info.warp_width);
  const bool a = number < of_a;
  const std::uint64_t first_row = a ? w.block.y * rows + w.block.x % cluster * rows_of_a() : w.block.x * columns;
  return {.first = arrays[a ? 0 : 1] + first_row * n * 2 + step * depth * 2,
          .at = (a ? number : number - of_a) * w.info.warp_width,
          .row = n * 2,
          .piece = piece(),
          .in_row = pieces_of_row(),
          .ranks = a && cluster > 1 ? trace::first_lanes(static_cast<unsigned>(cluster)) : 0};
}

// A block of 128 threads has one tile of 128 x 256 of C in its accumulators. Each step loads
// 128 x depth of A and depth x 256 of B, 16 B per lane, into shared memory; then the tensor
// units compute a product of 128 x 256 x 16 for each 16 of depth. Each warp has an equal share,
// in operations of 16 x 8 x 16, as each scheduler has a tensor unit. B is held column by
// column, as tensor units require.
Program product_in_registers(Warp& w, const TensorProduct& p) {
  const std::uint64_t row_bytes = p.n * 2;
  const std::uint64_t lanes_per_row = p.depth * 2 / 16;
  const std::uint64_t threads = w.info.block.x;
  const std::uint64_t all = w.active;
  const Registers pointer = reg(2, 2), value = reg(4, 4), sum = reg(8, 64);
  for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::system, reg(1));
  for (std::uint64_t k = 0; k < p.n; k += p.depth) {
    for (unsigned matrix = 0; matrix < 2; ++matrix) {
      const std::uint64_t rows = matrix == 0 ? 128 : 256;
      const std::uint64_t first = matrix == 0 ? std::uint64_t{w.block.y} * 128 : std::uint64_t{w.block.x} * 256;
      for (std::uint64_t at = 0; at < rows * lanes_per_row; at += threads) {
        const auto address = [&](unsigned lane) {
          const std::uint64_t part = at + w.thread(lane);
          return p.arrays[matrix] + (first + part / lanes_per_row) * row_bytes + k * 2 + part % lanes_per_row * 16;
        };
        co_yield w.load(value, 16, pointer).at(address);
        co_yield w.store(value, 16)
            .in(Space::shared)
            .at((std::uint64_t{matrix} * 128 * lanes_per_row + at + w.first_thread) * 16, 16);
      }
    }
    co_yield w.barrier();
    for (std::uint64_t d = 0; d < p.depth; d += 16) {
      w.op(OpClass::tensor16, sum, {}, {}, sum, 2 * 16 * 8 * 16 / w.info.warp_width);
      co_yield w.times(128 / 16 * (256 / 8) / w.info.warps_per_block());
    }
    co_yield w.barrier();
    co_yield w.op(OpClass::integer, reg(1), reg(1));
    co_yield w.op(OpClass::control);
  }
  // 128 rows of 256 accumulators of 4 B, 16 B a lane.
  for (std::uint64_t at = 0; at < 128 * 64; at += threads)
    co_yield w.store(value, 16, pointer).at([&](unsigned lane) {
      const std::uint64_t part = at + w.thread(lane);
      return p.arrays[2] +
             ((std::uint64_t{w.block.y} * 128 + part / 64) * p.n + std::uint64_t{w.block.x} * 256) * word +
             part % 64 * 16;
    });
  w.active = all;
  co_yield w.exit();
}

// The first warp does all but the end: it lets the copy unit bring tiles of A and B, `stages` of them under way or in
// use, and issues the products, which a block has once. Then each warp takes its rows of C out of Tensor Memory. Each
// block of a cluster brings a share of the rows of A to all of them; their first warps meet once a step, when the tile
// of the next one is there and that of the one before is multiplied, which lets copies take its place.
Program product_in_tensor_memory(Warp& w, const TensorProduct& p) {
  const auto steps = static_cast<std::int64_t>(p.n / p.depth);
  const auto stages = static_cast<std::int64_t>(p.stages);
  // A register for each copy under way and for the products of each step, where hardware has barriers in shared memory.
  const auto copies = static_cast<std::int64_t>(p.copies(w.info.warp_width));
  const auto full = [&](std::int64_t step, std::int64_t copy, unsigned count) {
    return reg(static_cast<unsigned>(first_copy + step % stages * copies + copy), count);
  };
  const auto multiplied = [&](std::int64_t step) { return reg(static_cast<unsigned>(2 + step % stages)); };
  for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::system, reg(1));
  if (w.number == 0) {
    co_yield w.columns(OpClass::tensor_allocate, columns);
    for (std::int64_t step = 1 - stages; step < steps; ++step) {
      const bool meets = p.cluster > 1 && step >= 0 && step + 1 < steps;
      if (p.cluster > 1 && step == 0) {
        co_yield w.wait(full(0, 0, static_cast<unsigned>(copies)));
        co_yield w.cluster_barrier(p.cluster);
      }
      if (meets) {
        co_yield w.wait(full(step + 1, 0, static_cast<unsigned>(copies)));
        if (step > 0) co_yield w.wait(multiplied(step - 1));
        co_yield w.cluster_barrier(p.cluster, trace::BarrierPart::arrive);
      }
      if (step >= 0) {
        if (p.cluster == 1) co_yield w.wait(full(step, 0, static_cast<unsigned>(copies)));
        for (std::uint64_t d = 0; d < p.depth; d += 16)
          co_yield w.product(multiplied(step), {.m = rows, .n = columns, .k = 16});
      }
      if (meets) co_yield w.cluster_barrier(p.cluster, trace::BarrierPart::wait);
      const std::int64_t next = step + stages - 1;
      if (next >= steps) continue;
      // Its tile takes the place of the one that was multiplied before this.
      if (step > 0) co_yield w.wait(multiplied(step - 1));
      for (std::int64_t copy = 0; copy < copies; ++copy) {
        const TileCopy tile = p.copy(w, static_cast<std::uint64_t>(next), static_cast<std::uint64_t>(copy));
        co_yield w.load(full(next, copy, 1), static_cast<unsigned>(p.piece()))
            .in(Space::bulk)
            .multicast(tile.ranks)
            .at(tile);
      }
    }
    co_yield w.wait(multiplied(steps - 1));
  }
  co_yield w.barrier();
  // A lane has a row; 16 columns at a time, stored 16 B at a time.
  const Registers pointer = reg(2, 2);
  const std::uint64_t first_row = std::uint64_t{w.number} * w.info.warp_width;
  const std::uint64_t c = p.arrays[2] + ((w.block.y * rows + first_row) * p.n + w.block.x * columns) * word;
  for (std::uint64_t column = 0; column < columns; column += 16) {
    co_yield w.load(reg(8, 16), 16 * word).in(Space::tensor).at(first_row * TensorWork::row + column, TensorWork::row);
    for (unsigned q = 0; q < 16; q += 4)
      co_yield w.store(reg(8 + q, 4), 4 * word, pointer)
          .at(c + (column + q) * word, static_cast<std::uint32_t>(p.n * word));
  }
  co_yield w.barrier();
  if (w.number == 0) co_yield w.columns(OpClass::tensor_free, columns);
  co_yield w.exit();
}

std::unique_ptr<trace::Kernel> TensorProduct::build(const Target& target) const {
  TensorProduct run = *this;
  Arrays memory;
  run.arrays = {memory.allocate(n * n * 2), memory.allocate(n * n * 2), memory.allocate(n * n * word)};
  trace::KernelInfo info{"tmem_mma",
                         {static_cast<std::uint32_t>(n / columns), static_cast<std::uint32_t>(n / rows), 1},
                         {rows, 1, 1},
                         96,
                         static_cast<std::uint32_t>((rows + columns) * depth * 2),
                         target.warp_width};
  info.regions = memory.regions();
  if (!target.tensor_memory && cluster > 1)
    throw InvalidRequest("tmem_mma: clusters share tiles where cores have Tensor Memory", {}, "leave cluster out");
  if (!target.tensor_memory) return std::make_unique<ProgramKernel<TensorProduct>>(info, run, product_in_registers);
  info.shared_bytes *= static_cast<std::uint32_t>(stages);
  info.cluster = static_cast<std::uint32_t>(cluster);
  if (first_copy + stages * copies(target.warp_width) > 256)
    throw InvalidRequest(
        fmt::format("tmem_mma: {} stages of {} copies each are under way at once", stages, copies(target.warp_width)),
        {}, "choose fewer stages or a smaller depth");
  return std::make_unique<ProgramKernel<TensorProduct>>(info, run, product_in_tensor_memory);
}

struct TensorRate {
  std::uint64_t count = 1000;
  std::uint64_t m = 128, n = 256, k = 16, bits = 16;
  std::uint64_t blocks = 1;

  static Schema<TensorRate> schema() {
    return Schema<TensorRate>("tensor_products", "products of a block, one after the other")
        .optional("count", &TensorRate::count, "products of a block", range(1, 1 << 24))
        .optional("m", &TensorRate::m, "rows", range(1, 65535))
        .optional("n", &TensorRate::n, "columns", range(1, 32768))
        .optional("k", &TensorRate::k, "depth", range(1, 65535))
        .optional("bits", &TensorRate::bits, "of an element of the operands", range(1, 64))
        .optional("blocks", &TensorRate::blocks, "blocks of 128 threads", range(1, 0x7FFFFFFF));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    return std::make_unique<ProgramKernel<TensorRate>>(
        trace::KernelInfo{
            "tensor_products", {static_cast<std::uint32_t>(blocks), 1, 1}, {128, 1, 1}, 32, 0, target.warp_width},
        *this, products_only);
  }

 private:
  static Program products_only(Warp& w, const TensorRate& p) {
    const std::uint64_t held = std::max<std::uint64_t>(std::bit_ceil(p.n), 32);
    const Registers done = reg(2);
    if (w.number == 0) {
      co_yield w.columns(OpClass::tensor_allocate, held);
      for (std::uint64_t i = 0; i < p.count; ++i)
        co_yield w.product(done, {.m = static_cast<std::uint16_t>(p.m),
                                  .n = static_cast<std::uint16_t>(p.n),
                                  .k = static_cast<std::uint16_t>(p.k),
                                  .bits = static_cast<std::uint8_t>(p.bits)});
      co_yield w.wait(done);
      co_yield w.columns(OpClass::tensor_free, held);
    }
    co_yield w.exit();
  }
};

constexpr std::array tensor_table{
    kind<TensorProduct>("tmem_mma", "C = A B on tensor units, 16-bit inputs, tiles of 128 x 256",
                        "Blocks of 128 threads, tile row by, tile column bx. For each `depth` of the sum, parts of "
                        "16 B: part q of A is row 128 by + q / p, byte 16 (q modulo p) of the step, p = depth / 8 "
                        "parts a row, B alike with 256 rows (it is held by columns); thread tx loads q = tx, tx + "
                        "128, .. and stores each to shared memory; barrier; depth / 16 products of 128 x 256 x "
                        "16, each in 256 operations of 16 x 8 x 16 that the warps share evenly; barrier. At the end 16 "
                        "B of C at a time. Where cores have Tensor Memory, the first warp of a block allocates 256 "
                        "columns; bulk copies bring the same rows, 64 B (32 B if depth is no multiple of 32) a lane, "
                        "`stages` steps ahead; it issues the products for the block. Then warp w loads 16 columns of "
                        "rows 32 w + lane at a time and stores them to C, 16 B at a time; the first frees the columns. "
                        "With `cluster`, blocks of consecutive bx share A: each copies rows / cluster of its tile to "
                        "all of them, and their first warps meet once a step."),
    kind<TensorRate>("tensor_products", "products on tensor units, one after the other, without global memory",
                     "Blocks of 128 threads; the first warp allocates as many columns of Tensor Memory as n, rounded "
                     "up to a power of two and to 32, issues `count` products of m x n x k, waits for the last and "
                     "frees the columns. Operands come from shared memory."),
};

}  // namespace

std::span<const KernelKind> tensor_kinds() { return tensor_table; }

}  // namespace strata::kernels
