// SPDX-License-Identifier: Apache-2.0
// Kernels over regular grids, x fastest: the seven-point stencil that was
// measured on silicon, a lattice-Boltzmann step as FluidX3D makes it, and the
// sum of a gravitational potential.
//
// The lattice-Boltzmann step is D3Q19 with one relaxation time, streaming in
// place (Lehmann: Esoteric Pull and Esoteric Push, Computation 10, 92, 2022;
// github.com/ProjectPhysX/FluidX3D). Distribution i of cell c lies at
// f[i x cells + c]. Neighbours j(i) wrap around; odd i and i + 1 are opposite.
// In an even step a cell reads i of itself at place i + 1 and i + 1 of its
// neighbour j(i) at place i, in an odd step the places are exchanged. Each distribution is
// written to the place where the opposite one was read, so one copy of the distributions is
// enough. Bytes per cell and step: 19 x 2 x size of a distribution, and 1 for the flags.
#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;

struct Stencil {
  std::uint64_t n = 128;
  std::array<std::uint64_t, 2> arrays{};

  static Schema<Stencil> schema() {
    return Schema<Stencil>("stencil7", "a cell and its six neighbours")
        .optional("n", &Stencil::n, "edge of the cube of 4 B cells, a multiple of 32", range(32, 1 << 13))
        .check("n", [](const Stencil& s) { return s.n % 32 == 0 ? "" : "must be a multiple of 32"; });
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    Stencil run = *this;
    Arrays memory;
    for (std::uint64_t& array : run.arrays) array = memory.allocate(n * n * n * word);
    const auto edge = static_cast<std::uint32_t>(n);
    trace::KernelInfo info{"stencil7", {edge / 32, edge / 8, edge}, {32, 8, 1}, 32, 0, target.warp_width};
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<Stencil>>(info, run, program);
  }

 private:
  // 15 instructions a warp up to the exit of the boundary and 48 after it, close
  // to what was measured (63.0 and 15.0).
  static Program program(Warp& w, const Stencil& p) {
    const std::uint64_t n = p.n;
    const std::uint64_t all = w.active;
    const Registers i = reg(1), from = reg(2, 2), sum = reg(4), to = reg(6, 2);
    const auto x = [&](unsigned lane) { return 32 * w.block.x + w.x(lane); };
    const auto y = [&](unsigned lane) { return 8 * w.block.y + w.y(lane); };
    const auto inside = [n](std::uint64_t at) { return at > 0 && at + 1 < n; };
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::constant, i);
    for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::system, i);
    for (unsigned k = 0; k < 8; ++k) co_yield w.op(OpClass::integer, i, i);
    const std::uint64_t within =
        w.lanes_where([&](unsigned lane) { return inside(x(lane)) && inside(y(lane)) && inside(w.block.z); });
    w.active = all & ~within;
    co_yield w.exit();
    w.active = within;
    if (within == 0) co_return;
    for (unsigned k = 0; k < 25; ++k) co_yield w.op(OpClass::integer, reg(20 + k % 4), i);
    for (unsigned k = 0; k < 6; ++k) co_yield w.op(OpClass::multiply, from, i);
    const std::uint64_t row = n * word;
    const std::uint64_t first =
        (w.block.z * n + std::uint64_t{8} * w.block.y) * row + std::uint64_t{32} * w.block.x * word;
    const std::array<std::uint64_t, 7> offsets{0, 0 - word, word, 0 - row, row, 0 - n * row, n * row};
    for (unsigned k = 0; k < offsets.size(); ++k)
      co_yield w.load(reg(8 + k), word, from).at(p.arrays[0] + first + offsets[k], word, row);
    co_yield w.op(OpClass::fp32, sum, reg(9), reg(10), {}, 1);
    for (unsigned k = 3; k < 7; ++k) co_yield w.op(OpClass::fp32, sum, sum, reg(8 + k), {}, 1);
    co_yield w.op(OpClass::fp32, reg(8), reg(8), {}, {}, 1);
    co_yield w.op(OpClass::fp32, sum, sum, reg(8), {}, 2);
    co_yield w.op(OpClass::multiply, to, i);
    co_yield w.store(sum, word, to).at(p.arrays[1] + first, word, row);
    co_yield w.exit();
  }
};

enum class Storage : std::uint8_t { fp32, fp16s };

struct Lattice {
  std::uint64_t n = 256;
  Storage storage = Storage::fp32;
  std::uint64_t step = 0;
  std::array<std::uint64_t, 2> arrays{};  ///< distributions, flags

  static Schema<Lattice> schema() {
    return Schema<Lattice>("lbm_d3q19", "a step of a lattice-Boltzmann fluid")
        .optional("n", &Lattice::n, "edge of the cube of cells", range(2, 4096))
        .optional("storage", &Lattice::storage, "of the distributions in memory",
                  config::choices<Storage>(
                      {{"fp32", Storage::fp32, "4 B each"}, {"fp16s", Storage::fp16s, "2 B each, converted"}}))
        .optional("step", &Lattice::step, "number of the step; even and odd ones differ", range(0, 1 << 30));
  }
  std::uint64_t cells() const { return n * n * n; }
  unsigned bytes() const { return storage == Storage::fp32 ? 4 : 2; }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    Lattice run = *this;
    Arrays memory;
    run.arrays = {memory.allocate(19 * cells() * bytes()), memory.allocate(cells())};
    trace::KernelInfo info{"lbm_d3q19", {}, {64, 1, 1}, 56, 0, target.warp_width};
    info.grid.x = static_cast<std::uint32_t>((cells() + 63) / 64);
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<Lattice>>(info, run, program);
  }

 private:
  struct Step {
    int x, y, z;
  };
  /// To the neighbour of odd i; that of i + 1 is opposite.
  static constexpr std::array<Step, 9> steps{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}}};

  std::uint64_t wrapped(std::uint64_t at, int by) const {
    if (by > 0) return at + 1 == n ? 0 : at + 1;
    return by < 0 ? (at == 0 ? n - 1 : at - 1) : at;
  }
  std::uint64_t neighbour(std::uint64_t cell, Step s) const {
    return wrapped(cell % n, s.x) + n * (wrapped(cell / n % n, s.y) + n * wrapped(cell / n / n, s.z));
  }
  std::uint64_t address(unsigned i, std::uint64_t cell) const { return arrays[0] + (i * cells() + cell) * bytes(); }

  static Program program(Warp& w, const Lattice& p) {
    const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
    const std::uint64_t x = first % p.n;
    const bool one_row = x + w.info.warp_width <= p.n;
    const unsigned bytes = p.bytes();
    const Registers i = reg(1), flags = reg(2), pointer = reg(4, 2);
    const auto f = [](unsigned number) { return reg(10 + number); };
    const bool odd = p.step % 2 == 1;
    // Whether the neighbours of the warp's cells are adjacent as its cells are.
    const auto side_by_side = [&](Step s) {
      return one_row && (s.x <= 0 || x + w.info.warp_width < p.n) && (s.x >= 0 || x > 0);
    };
    const bool half = p.storage == Storage::fp16s;
    // What nvcc 13 makes of the published formulae for sm_90: 362 instructions in fp32, 404 in
    // fp16s, of which 163 and 129 compute addresses or control flow. 261 floating-point
    // operations a cell.
    const unsigned before = half ? 44 : 60;
    const unsigned at_store = half ? 2 : 3;
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::system, i);
    co_yield w.ops(8, OpClass::integer, i, i);
    w.active = w.lanes_where([&](unsigned lane) { return first + lane < p.cells(); });
    if (w.active == 0) co_return;
    co_yield w.load(flags, 1, i).at(p.arrays[1] + first, 1);
    co_yield w.ops(before, OpClass::integer, pointer, i);
    co_yield w.op(OpClass::integer, {}, flags);
    co_yield w.op(OpClass::control);
    co_yield w.load(f(0), bytes, pointer).at(p.address(0, first), bytes);
    for (unsigned k = 0; k < steps.size(); ++k) {
      const unsigned here = 2 * k + (odd ? 1 : 2);
      const unsigned there = 2 * k + (odd ? 2 : 1);
      co_yield w.ops(4, OpClass::integer, pointer, i);
      co_yield w.load(f(2 * k + 1), bytes, pointer).at(p.address(here, first), bytes);
      if (side_by_side(steps[k]))
        co_yield w.load(f(2 * k + 2), bytes, pointer).at(p.address(there, p.neighbour(first, steps[k])), bytes);
      else
        co_yield w.load(f(2 * k + 2), bytes, pointer).at([&](unsigned lane) {
          return p.address(there, p.neighbour(first + lane, steps[k]));
        });
    }
    for (unsigned k = 0; half && k < 19; ++k) {
      co_yield w.op(OpClass::fp16, f(k), f(k));  // to 32 bits
      co_yield w.op(OpClass::fp32, f(k), f(k));  // to scale
    }
    // Density and velocity take every distribution; the rest of the collision is one batch.
    for (unsigned k = 0; k < 19; ++k) co_yield w.op(OpClass::fp32, reg(30), reg(30), f(k), {}, 1);
    co_yield w.ops(40, OpClass::fp32, reg(31), reg(30), {}, 1);
    co_yield w.ops(82, OpClass::fp32, reg(31), reg(30), {}, 2);
    for (unsigned k = 0; k < 19; ++k) co_yield w.op(OpClass::fp32, f(k), f(k), reg(31), {}, 2);
    const auto ready = [&](unsigned k) { return half ? reg(32 + k) : f(k); };
    for (unsigned k = 0; half && k < 19; ++k) {
      co_yield w.op(OpClass::fp32, f(k), f(k));
      co_yield w.op(OpClass::fp16, ready(k), f(k));  // to 16 bits
    }
    co_yield w.store(ready(0), bytes, pointer).at(p.address(0, first), bytes);
    for (unsigned k = 0; k < steps.size(); ++k) {
      const unsigned here = 2 * k + (odd ? 1 : 2);
      const unsigned there = 2 * k + (odd ? 2 : 1);
      co_yield w.ops(2 * at_store, OpClass::integer, pointer, i);
      if (side_by_side(steps[k]))
        co_yield w.store(ready(2 * k + 1), bytes, pointer).at(p.address(there, p.neighbour(first, steps[k])), bytes);
      else
        co_yield w.store(ready(2 * k + 1), bytes, pointer).at([&](unsigned lane) {
          return p.address(there, p.neighbour(first + lane, steps[k]));
        });
      co_yield w.store(ready(2 * k + 2), bytes, pointer).at(p.address(here, first), bytes);
    }
    co_yield w.exit();
  }
};

struct Gravity {
  std::uint64_t width = 2360;
  std::uint64_t height = 2250;
  std::uint64_t sources = 256;
  std::array<std::uint64_t, 2> arrays{};  ///< column density, potential

  static Schema<Gravity> schema() {
    return Schema<Gravity>("gravity", "the potential of a map of masses, FP64")
        .optional("width", &Gravity::width, "of the map, in points of 8 B", range(1, 1 << 16))
        .optional("height", &Gravity::height, "of the map", range(1, 1 << 16))
        .optional("sources", &Gravity::sources,
                  "masses that each point sums over, from the first point of its block on; the "
                  "whole map is width x height",
                  range<std::uint64_t>(4, std::uint64_t{1} << 32U));
  }
  std::uint64_t points() const { return width * height; }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    Gravity run = *this;
    Arrays memory;
    for (std::uint64_t& array : run.arrays) array = memory.allocate(points() * 8);
    trace::KernelInfo info{"gravity", {}, {256, 1, 1}, 48, 0, target.warp_width};
    info.grid.x = static_cast<std::uint32_t>((points() + 255) / 256);
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<Gravity>>(info, run, program);
  }

 private:
  // For each mass: two differences, the square of the distance, its inverse root
  // by an estimate and two Newton steps, and the sum: ten FP64 instructions of 20
  // operations, and one on the special-function unit. Four masses at a time.
  static Program program(Warp& w, const Gravity& p) {
    const std::uint64_t block = std::uint64_t{w.block.x} * w.info.block.x;
    const std::uint64_t first = block + w.first_thread;
    const Registers pointer = reg(2, 2), sum = reg(4, 2);
    for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::system, reg(1));
    co_yield w.op(OpClass::multiply, reg(1), reg(1));
    w.active = w.lanes_where([&](unsigned lane) { return first + lane < p.points(); });
    if (w.active == 0) co_return;
    for (std::uint64_t k = 0; k < p.sources; k += 4) {
      for (unsigned u = 0; u < 4; ++u)
        co_yield w.load(reg(10 + 2 * u, 2), 8, pointer).at(p.arrays[0] + (block + k + u) % p.points() * 8, 0);
      co_yield w.ops(16, OpClass::fp64, reg(20, 2), reg(1), {}, 2);
      co_yield w.ops(4, OpClass::special, reg(22, 2), reg(20, 2));
      co_yield w.ops(20, OpClass::fp64, reg(22, 2), reg(22, 2), {}, 2);
      for (unsigned u = 0; u < 4; ++u) co_yield w.op(OpClass::fp64, sum, sum, reg(10 + 2 * u, 2), reg(22, 2), 2);
      co_yield w.op(OpClass::integer, reg(1), reg(1));
      co_yield w.op(OpClass::control);
    }
    co_yield w.op(OpClass::multiply, pointer, reg(1));
    co_yield w.store(sum, 8, pointer).at(p.arrays[1] + first * 8, 8);
    co_yield w.exit();
  }
};

constexpr std::array grid_table{
    kind<Stencil>("stencil7", "a cell and its six neighbours in a cube",
                  "x = 32 bx + tx, y = 8 by + ty, z = bz; threads of the boundary leave. i = (z n + y) n + "
                  "x: load in[i], in[i - 1], in[i + 1], in[i - n], in[i + n], in[i - n n], in[i + n n], "
                  "store out[i]; 4 B each. 15 instructions up to the exit of the boundary, 48 after it."),
    kind<Lattice>("lbm_d3q19", "a step of a lattice-Boltzmann fluid, D3Q19, streaming in place",
                  "Cell c = 64 bx + tx, x fastest. Load flags[c], 1 B. Distribution i of cell d is f[i n n n "
                  "+ d]. Load f 0 of c; for i = 1, 3 .. 17: load place a of c, place b of the neighbour "
                  "j(i); then store f 0 of c; for i = 1, 3 .. 17: store place b of j(i), place a of c; a = i "
                  "+ 1, b = i in even steps, a = i, b = i + 1 in odd ones. Neighbours of i = 1, 3 ..: +x, "
                  "+y, +z, +x+y, +x+z, +y+z, +x-y, +x-z, +y-z, wrapping around. 261 floating-point operations "
                  "a cell; 362 instructions in fp32, 404 in fp16s with 38 conversions and as many scalings."),
    kind<Gravity>("gravity", "the gravitational potential of a map of masses, FP64",
                  "i = 256 bx + tx: for k < sources all lanes load mass (256 bx + k) modulo the "
                  "points, four at a time; store potential i; 8 B each. For a mass ten FP64 "
                  "instructions and one special."),
};

}  // namespace

std::span<const KernelKind> grid_kinds() { return grid_table; }

}  // namespace strata::kernels
