// SPDX-License-Identifier: Apache-2.0
// Kernels whose addresses come from data: the pointer chase, gather and scatter
// through an array of indices, and the product of a sparse matrix and a vector
// (Bell, Garland: Implementing Sparse Matrix-Vector Multiplication on
// Throughput-Oriented Processors, SC 2009: a warp for each row). Indices are a
// hash of the seed and the place, so they cost no memory.
#include "base/random.hpp"
#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"
#include "trace/pointer_chase.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

constexpr std::uint64_t most_elements = std::uint64_t{1} << 36U;

struct Chase {
  Bytes bytes = 1_MiB;
  Bytes stride = 128_B;
  std::uint64_t loads = 4096;
  std::uint64_t seed = 1;
  trace::ChaseRing ring;

  static Schema<Chase> schema() {
    return Schema<Chase>("pointer_chase", "dependent loads of one lane")
        .optional("bytes", &Chase::bytes, "size of the ring", range(128_B, 1024 * 1_GiB))
        .optional("stride", &Chase::stride, "between its nodes", range(8_B, 1_GiB))
        .optional("loads", &Chase::loads, "loads made", range<std::uint64_t>(1, most_elements))
        .optional("seed", &Chase::seed, "of the order of the nodes", range<std::uint64_t>(0, most_elements));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    Chase run = *this;
    Arrays memory;
    run.ring = {memory.allocate(bytes.value), std::max<std::uint64_t>(bytes.value / stride.value, 1), stride.value,
                trace::ChaseOrder::random, seed};
    trace::KernelInfo info{"pointer_chase", {}, {1, 1, 1}, 16, 0, target.warp_width};
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<Chase>>(info, run, chase);
  }

 private:
  static Program chase(Warp& w, const Chase& p) {
    const trace::ChasePath path(p.ring);
    const Registers node = reg(2, 2);
    co_yield w.op(OpClass::constant, node);
    for (std::uint64_t step = 0; step < p.loads; ++step) co_yield w.load(node, 8, node).at(path.address(step), 0);
    co_yield w.exit();
  }
};

struct Indexed {
  std::uint64_t n = std::uint64_t{1} << 22U;
  Bytes table = 64_MiB;
  std::uint64_t seed = 1;
  std::array<std::uint64_t, 3> arrays{};  ///< indices, table, values
  bool scatters = false;

  static Schema<Indexed> fields(const char* name) {
    return Schema<Indexed>(name, "through an array of indices")
        .optional("n", &Indexed::n, "elements, one a thread", range<std::uint64_t>(1, most_elements))
        .optional("table", &Indexed::table, "size of what the indices point into", range(128_B, 1024 * 1_GiB))
        .optional("seed", &Indexed::seed, "of the indices", range<std::uint64_t>(0, most_elements));
  }
  std::uint64_t target_of(std::uint64_t i) const {
    return arrays[1] + scale_to(mix(seed, i), table.value / word) * word;
  }
  std::unique_ptr<trace::Kernel> build_as(const char* name, bool scatter, const Target& target) const {
    Indexed run = *this;
    run.scatters = scatter;
    Arrays memory;
    run.arrays = {memory.allocate(n * word), memory.allocate(table.value), memory.allocate(n * word)};
    trace::KernelInfo info{name, {}, {256, 1, 1}, 16, 0, target.warp_width};
    info.grid.x = static_cast<std::uint32_t>((n + 255) / 256);
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<Indexed>>(info, run, program);
  }

 private:
  // 18 instructions per warp, as nvcc 13 compiles the formula for sm_90.
  static Program program(Warp& w, const Indexed& p) {
    const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
    const Registers i = reg(1), index = reg(2), value = reg(3), pointer = reg(4, 2);
    for (unsigned k = 0; k < 2; ++k) {
      co_yield w.op(OpClass::constant, reg(7));
      co_yield w.op(OpClass::system, i);
    }
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::integer, i, i);
    co_yield w.op(OpClass::control, {}, i);
    w.active = w.lanes_where([&](unsigned lane) { return first + lane < p.n; });
    if (w.active == 0) co_return;
    for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::constant, pointer);
    co_yield w.op(OpClass::multiply, pointer, i, pointer);
    co_yield w.load(index, word, pointer).at(p.arrays[0] + first * word, word);
    const auto chosen = [&](unsigned lane) { return p.target_of(first + lane); };
    const std::uint64_t own = p.arrays[2] + first * word;
    if (p.scatters) {
      co_yield w.op(OpClass::multiply, pointer, i);
      co_yield w.load(value, word, pointer).at(own, word);
      co_yield w.op(OpClass::multiply, pointer, index);
      co_yield w.store(value, word, pointer).at(chosen);
    } else {
      co_yield w.op(OpClass::multiply, pointer, index);
      co_yield w.load(value, word, pointer).at(chosen);
      co_yield w.op(OpClass::multiply, pointer, i);
      co_yield w.store(value, word, pointer).at(own, word);
    }
    co_yield w.exit();
  }
};
struct Gather : Indexed {
  static Schema<Indexed> schema() { return fields("gather"); }
};
struct Scatter : Indexed {
  static Schema<Indexed> schema() { return fields("scatter"); }
};

struct Sparse {
  std::uint64_t n = std::uint64_t{1} << 18U;
  std::uint64_t nonzeros = 32;
  std::uint64_t seed = 1;
  std::array<std::uint64_t, 5> arrays{};  ///< row starts, columns, values, x, y

  static Schema<Sparse> schema() {
    return Schema<Sparse>("spmv_csr", "y = A x, A sparse, a warp for each row")
        .optional("n", &Sparse::n, "rows and columns", range<std::uint64_t>(1, most_elements))
        .optional("nonzeros", &Sparse::nonzeros, "entries of each row", range(1, 65536))
        .optional("seed", &Sparse::seed, "of the columns", range<std::uint64_t>(0, most_elements));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    Sparse run = *this;
    Arrays memory;
    const std::uint64_t entries = n * nonzeros * word;
    run.arrays = {memory.allocate((n + 1) * word), memory.allocate(entries), memory.allocate(entries),
                  memory.allocate(n * word), memory.allocate(n * word)};
    trace::KernelInfo info{"spmv_csr", {}, {256, 1, 1}, 32, 0, target.warp_width};
    const std::uint64_t rows_per_block = 256 / target.warp_width;
    info.grid.x = static_cast<std::uint32_t>((n + rows_per_block - 1) / rows_per_block);
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<Sparse>>(info, run, program);
  }

 private:
  // 77 instructions per row of 32 entries, as nvcc 13 compiles the formula for sm_90; its loop
  // is unrolled four times, then twice, then once.
  static Program program(Warp& w, const Sparse& p) {
    const std::uint64_t width = w.info.warp_width;
    const std::uint64_t row = std::uint64_t{w.block.x} * w.info.warps_per_block() + w.number;
    const std::uint64_t all = w.active;
    const Registers begin = reg(1), end = reg(2), sum = reg(3), pointer = reg(4, 2);
    const auto column = [](std::uint64_t u) { return reg(static_cast<unsigned>(8 + u)); };
    const auto value = [](std::uint64_t u) { return reg(static_cast<unsigned>(12 + u)); };
    const auto x = [](std::uint64_t u) { return reg(static_cast<unsigned>(16 + u)); };
    for (unsigned k = 0; k < 2; ++k) {
      co_yield w.op(OpClass::constant, reg(6));
      co_yield w.op(OpClass::system, begin);
    }
    for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::integer, begin, begin);
    co_yield w.op(OpClass::control, {}, begin);
    if (row >= p.n) {
      co_yield w.exit();
      co_return;
    }
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::constant, pointer);
    co_yield w.op(OpClass::integer, reg(7), begin);
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::multiply, pointer, begin, pointer);
    co_yield w.load(begin, word, pointer).at(p.arrays[0] + row * word, 0);
    co_yield w.load(end, word, pointer).at(p.arrays[0] + (row + 1) * word, 0);
    // Instructions that compute the number of iterations, and a first iteration with all lanes
    // masked.
    for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::integer, reg(6));
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::integer, begin, begin, end);
    co_yield w.op(OpClass::control, {}, begin);
    for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::constant, reg(6));
    for (unsigned k = 0; k < 14; ++k) co_yield w.op(OpClass::integer, reg(7), begin);
    co_yield w.op(OpClass::control, {}, reg(7));
    std::uint64_t left = (p.nonzeros + width - 1) / width;
    for (std::uint64_t k = 0; left > 0;) {
      const std::uint64_t at_once = left >= 4 ? 4 : left >= 2 ? 2 : 1;
      if (at_once < 4)
        for (unsigned c = 0; c < 5; ++c) co_yield w.op(OpClass::integer, reg(7), begin, end);
      for (unsigned c = 0; c < 3; ++c) co_yield w.op(OpClass::constant, reg(6));
      const auto lanes = [&](std::uint64_t u) {
        const std::uint64_t from = (k + u) * width;
        return all & trace::first_lanes(static_cast<unsigned>(std::min(p.nonzeros - from, width)));
      };
      const auto entry = [&](std::uint64_t u) { return row * p.nonzeros + (k + u) * width; };
      for (const bool values : {false, true})
        for (std::uint64_t u = 0; u < at_once; ++u) {
          w.active = lanes(u);
          co_yield w.op(OpClass::multiply, pointer, begin);
          co_yield w.load(values ? value(u) : column(u), word, pointer)
              .at(p.arrays[values ? 2 : 1] + entry(u) * word, word);
        }
      for (std::uint64_t u = 0; u < at_once; ++u) {
        w.active = lanes(u);
        co_yield w.op(OpClass::multiply, reg(20, 2), column(u));
        co_yield w.load(x(u), word, reg(20, 2)).at([&](unsigned lane) {
          return p.arrays[3] + scale_to(mix(p.seed, entry(u) + lane), p.n) * word;
        });
      }
      for (std::uint64_t u = 0; u < at_once; ++u) {
        w.active = lanes(u);
        co_yield w.op(OpClass::fp32, sum, value(u), x(u), sum, 2);
      }
      w.active = all;
      co_yield w.op(OpClass::integer, begin, begin);
      co_yield w.op(OpClass::integer, reg(7), begin, end);
      co_yield w.op(OpClass::control, {}, reg(7));
      k += at_once;
      left -= at_once;
    }
    for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::control);
    for (std::uint64_t half = width / 2; half > 0; half /= 2) {
      co_yield w.op(OpClass::shuffle, x(0), sum);
      co_yield w.op(OpClass::fp32, sum, sum, x(0), {}, 1);
    }
    co_yield w.op(OpClass::integer, reg(7));
    co_yield w.op(OpClass::control, {}, reg(7));
    w.active = 1;
    co_yield w.op(OpClass::constant, pointer);
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::integer, pointer, pointer);
    co_yield w.store(sum, word, pointer).at(p.arrays[4] + row * word, word);
    w.active = all;
    co_yield w.exit();
  }
};

template <class Own>
constexpr KernelKind indexed_kind(std::string_view meaning, std::string_view streams) {
  constexpr bool scatter = std::is_same_v<Own, Scatter>;
  constexpr const char* name = scatter ? "scatter" : "gather";
  return {name, meaning, streams, [] { return Own::schema().info(); },
          [](const std::vector<std::string>& settings, const Target& target) {
            return read_parameters(settings, Own::schema()).build_as(name, scatter, target);
          }};
}

constexpr std::array irregular_table{
    kind<Chase>("pointer_chase", "dependent loads of one lane through a ring in random order",
                "One thread. Load k reads 8 B of node p(k modulo nodes), nodes being `stride` apart; p is "
                "a permutation of the nodes, drawn by `seed`. Each load gives the address of the next."),
    indexed_kind<Gather>("v[i] = table[index[i]]",
                         "i = 256 bx + tx < n: load index[i], load table[index[i]], store v[i]; 4 B each. index[i] "
                         "is a hash of `seed` and i, scaled to the table (sim/base/random.hpp)."),
    indexed_kind<Scatter>("table[index[i]] = v[i]",
                          "i = 256 bx + tx < n: load index[i], load v[i], store table[index[i]]; 4 "
                          "B each. Indices as in gather."),
    kind<Sparse>("spmv_csr", "y = A x, A sparse in compressed rows, a warp for each row",
                 "Row r = (256 / W) bx + warp, W lanes a warp. All lanes load start[r] and start[r "
                 "+ 1]; for k = lane, in steps of W, below `nonzeros`: load column[e], value[e], "
                 "then x[column[e]], e = r nonzeros + k; four steps at once, then two, then one: "
                 "their columns, their values, their x. The column is a hash of `seed` and e, "
                 "scaled to n. The sum goes through shuffles; lane 0 stores y[r]. 4 B each."),
};

}  // namespace

std::span<const KernelKind> irregular_kinds() { return irregular_table; }

}  // namespace strata::kernels
