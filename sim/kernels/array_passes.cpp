// SPDX-License-Identifier: Apache-2.0
// Kernels over arrays in order that were measured on silicon: vector addition, repeated copies and
// the sum of an array. Their numbers of instructions are those of the machine code that was measured.
#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

struct VectorAddition {
  std::uint64_t n = std::uint64_t{1} << 26U;
  std::array<std::uint64_t, 3> arrays{};

  static Schema<VectorAddition> schema() {
    return Schema<VectorAddition>("vecadd", "c[i] = a[i] + b[i]")
        .optional("n", &VectorAddition::n, "elements of each array, of 4 B",
                  range<std::uint64_t>(1, std::uint64_t{1} << 36U));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const;
};

// 20 instructions a warp, as measured.
Program vector_addition(Warp& w, const VectorAddition& p) {
  const std::uint64_t all = w.active;
  const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
  co_yield w.op(OpClass::constant, reg(1));
  co_yield w.op(OpClass::system, reg(2));
  co_yield w.op(OpClass::uniform);
  co_yield w.op(OpClass::constant, reg(3));
  co_yield w.op(OpClass::uniform);
  co_yield w.op(OpClass::multiply, reg(2), reg(2), reg(3));
  co_yield w.op(OpClass::integer, {}, reg(2));
  w.active = w.lanes_where([&](unsigned lane) { return first + lane >= p.n; });
  co_yield w.exit();
  w.active = all & ~w.active;
  if (w.active == 0) co_return;
  co_yield w.op(OpClass::constant, reg(4, 2));
  co_yield w.op(OpClass::uniform);
  co_yield w.op(OpClass::constant, reg(6, 2));
  co_yield w.op(OpClass::multiply, reg(4, 2), reg(2), reg(4, 2));
  co_yield w.load(reg(10), word, reg(4, 2)).at(p.arrays[0] + first * word, word);
  co_yield w.op(OpClass::multiply, reg(6, 2), reg(2), reg(6, 2));
  co_yield w.load(reg(11), word, reg(6, 2)).at(p.arrays[1] + first * word, word);
  co_yield w.op(OpClass::constant, reg(8, 2));
  co_yield w.op(OpClass::multiply, reg(8, 2), reg(2), reg(8, 2));
  co_yield w.op(OpClass::fp32, reg(10), reg(10), reg(11), {}, 1);
  co_yield w.store(reg(10), word, reg(8, 2)).at(p.arrays[2] + first * word, word);
  co_yield w.exit();
}

std::unique_ptr<trace::Kernel> VectorAddition::build(const Target& target) const {
  VectorAddition run = *this;
  Arrays memory;
  for (std::uint64_t& array : run.arrays) array = memory.allocate(n * word);
  trace::KernelInfo info{"vecadd", {}, {256, 1, 1}, 16, 0, target.warp_width};
  info.grid.x = static_cast<std::uint32_t>((n + 255) / 256);
  info.regions = memory.regions();
  return std::make_unique<ProgramKernel<VectorAddition>>(info, run, vector_addition);
}

struct RepeatedCopy {
  Bytes bytes = 40_MiB;
  std::uint64_t passes = 20;
  std::uint64_t blocks = 1056;
  std::array<std::uint64_t, 2> arrays{};

  static Schema<RepeatedCopy> schema() {
    return Schema<RepeatedCopy>("copy_passes", "an array copied repeatedly in one launch")
        .optional("bytes", &RepeatedCopy::bytes, "size of source and destination together", range(4_KiB, 1024 * 1_GiB))
        .optional("passes", &RepeatedCopy::passes, "times that it is copied", range(1, 1000000))
        .optional("blocks", &RepeatedCopy::blocks, "blocks of 256 threads", range(1, 0x7FFFFFFF));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const;
};

// 13 instructions per warp, 11 (8 if the warp has no work) per pass and 7 per element, as
// measured.
Program repeated_copy(Warp& w, const RepeatedCopy& p) {
  constexpr unsigned width = 16;
  const std::uint64_t elements = p.bytes.value / 2 / width;
  const std::uint64_t step = p.blocks * w.info.block.x;
  const std::uint64_t all = w.active;
  const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
  const Registers i = reg(1), from = reg(4, 2), to = reg(6, 2), value = reg(8, 4);
  for (unsigned k = 0; k < 4; ++k) co_yield w.op(OpClass::constant, reg(2));
  for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::system, i);
  for (unsigned k = 0; k < 6; ++k) co_yield w.op(OpClass::integer, i, i, reg(2));
  for (std::uint64_t pass = 0; pass < p.passes; ++pass) {
    const bool any = first < elements;
    for (unsigned k = 0; k < (any ? 10U : 7U); ++k) co_yield w.op(OpClass::integer, reg(3), i);
    co_yield w.op(OpClass::control);
    for (std::uint64_t e = first; e < elements; e += step) {
      w.active = all & trace::first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(elements - e, 64)));
      co_yield w.op(OpClass::multiply, from, reg(3));
      co_yield w.load(value, width, from).at(p.arrays[0] + e * width, width);
      co_yield w.op(OpClass::multiply, to, reg(3));
      co_yield w.op(OpClass::integer, reg(3), reg(3));
      co_yield w.op(OpClass::integer, {}, reg(3));
      co_yield w.store(value, width, to).at(p.arrays[1] + e * width, width);
      co_yield w.op(OpClass::control);
    }
    w.active = all;
  }
  co_yield w.exit();
}

std::unique_ptr<trace::Kernel> RepeatedCopy::build(const Target& target) const {
  RepeatedCopy run = *this;
  Arrays memory;
  for (std::uint64_t& array : run.arrays) array = memory.allocate(bytes.value / 2);
  trace::KernelInfo info{"copy_passes", {}, {256, 1, 1}, 32, 0, target.warp_width};
  info.grid.x = static_cast<std::uint32_t>(blocks);
  info.regions = memory.regions();
  return std::make_unique<ProgramKernel<RepeatedCopy>>(info, run, repeated_copy);
}

struct Reduction {
  std::uint64_t n = std::uint64_t{1} << 28U;
  std::uint64_t blocks = 1056;
  std::array<std::uint64_t, 2> arrays{};

  static Schema<Reduction> schema() {
    return Schema<Reduction>("reduction", "the sum of an array, one partial sum a block")
        .optional("n", &Reduction::n, "elements, of 4 B", range<std::uint64_t>(1, std::uint64_t{1} << 36U))
        .optional("blocks", &Reduction::blocks, "blocks of 256 threads", range(1, 0x7FFFFFFF));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const;
};

// 69 instructions a warp, 5 more in the first of a block and 6 an element, as
// measured. The tree halves the number of adding threads eight times; warps without such
// threads issue the same instructions with every lane masked.
Program reduction(Warp& w, const Reduction& p) {
  const std::uint64_t step = p.blocks * w.info.block.x;
  const std::uint64_t all = w.active;
  const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
  const Registers i = reg(1), sum = reg(2), value = reg(3), pointer = reg(4, 2), other = reg(6);
  for (unsigned k = 0; k < 3; ++k) co_yield w.op(OpClass::constant, pointer);
  for (unsigned k = 0; k < 2; ++k) co_yield w.op(OpClass::system, i);
  for (unsigned k = 0; k < 13; ++k) co_yield w.op(OpClass::integer, i, i);
  for (std::uint64_t e = first; e < p.n; e += step) {
    w.active = all & trace::first_lanes(static_cast<unsigned>(std::min<std::uint64_t>(p.n - e, 64)));
    co_yield w.op(OpClass::multiply, pointer, i);
    co_yield w.load(value, word, pointer).at(p.arrays[0] + e * word, word);
    co_yield w.op(OpClass::integer, i, i);
    co_yield w.op(OpClass::integer, {}, i);
    co_yield w.op(OpClass::fp32, sum, value, sum, {}, 1);
    co_yield w.op(OpClass::control);
  }
  w.active = all;
  const std::uint64_t mine = std::uint64_t{w.first_thread} * word;
  co_yield w.store(sum, word).in(Space::shared).at(mine, word);
  co_yield w.barrier();
  for (std::uint32_t half = w.info.block.x / 2; half > 0; half /= 2) {
    co_yield w.op(OpClass::integer, {}, i);
    w.active = w.lanes_where([&](unsigned lane) { return w.thread(lane) < half; });
    co_yield w.load(value, word).in(Space::shared).at(mine, word);
    co_yield w.load(other, word).in(Space::shared).at(mine + half * word, word);
    co_yield w.op(OpClass::fp32, value, value, other, {}, 1);
    co_yield w.store(value, word).in(Space::shared).at(mine, word);
    w.active = all;
    co_yield w.barrier();
  }
  if (w.number == 0) {
    w.active = 1;
    co_yield w.op(OpClass::constant, pointer);
    co_yield w.load(value, word).in(Space::shared).at(0, word);
    co_yield w.op(OpClass::integer, pointer, pointer);
    co_yield w.op(OpClass::integer, pointer, pointer);
    co_yield w.store(value, word, pointer).at(p.arrays[1] + w.block.x * word, word);
    w.active = all;
  }
  co_yield w.exit();
}

std::unique_ptr<trace::Kernel> Reduction::build(const Target& target) const {
  Reduction run = *this;
  Arrays memory;
  run.arrays = {memory.allocate(n * word), memory.allocate(blocks * word)};
  trace::KernelInfo info{"reduction", {}, {256, 1, 1}, 32, 256 * word, target.warp_width};
  info.grid.x = static_cast<std::uint32_t>(blocks);
  info.regions = memory.regions();
  return std::make_unique<ProgramKernel<Reduction>>(info, run, reduction);
}

constexpr std::array array_pass_table{
    kind<VectorAddition>("vecadd", "c[i] = a[i] + b[i], one element a thread",
                         "i = 256 bx + tx: load a[i], load b[i], store c[i]; 4 B each. 20 instructions a warp."),
    kind<RepeatedCopy>("copy_passes", "an array copied repeatedly in one launch",
                       "In each pass, for i = 256 bx + tx, in steps of 256 G, below bytes / 32: load s[i], store "
                       "d[i]; 16 B each. No barrier between passes. 13 instructions a warp, 11 a pass (8 where i "
                       "is too large from the start), 7 an element."),
    kind<Reduction>("reduction", "the sum of an array, one partial sum a block",
                    "For i = 256 bx + tx, in steps of 256 G, below n: load a[i], 4 B. Then a tree "
                    "in shared memory: word tx is stored; for h = 128, 64 .. 1 and tx < h, words "
                    "tx and tx + h are loaded and word tx is stored, with a barrier each; thread 0 "
                    "stores part[bx]. 69 instructions a warp, 6 an element, 5 more in warp 0."),
};

}  // namespace

std::span<const KernelKind> array_pass_kinds() { return array_pass_table; }

}  // namespace strata::kernels
