// SPDX-License-Identifier: Apache-2.0
// Kernels with almost no memory accesses: blocks that end at once, which measure the cost of
// launch and dispatch, and a chain of dependent multiply-adds.
#include <algorithm>

#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

constexpr std::uint64_t most_blocks = 2147483647;

struct Empty {
  std::uint64_t blocks = 1;
  std::uint64_t threads = 256;

  static Schema<Empty> schema() {
    return Schema<Empty>("empty", "blocks that end at once")
        .optional("blocks", &Empty::blocks, "blocks of the grid", range<std::uint64_t>(1, most_blocks))
        .optional("threads", &Empty::threads, "threads of a block", range<std::uint64_t>(1, 1024));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    const trace::KernelInfo info{
        "empty",          {static_cast<std::uint32_t>(blocks), 1, 1}, {static_cast<std::uint32_t>(threads), 1, 1}, 8, 0,
        target.warp_width};
    return std::make_unique<ProgramKernel<Empty>>(info, *this, program);
  }

 private:
  static Program program(Warp& w, const Empty&) { co_yield w.exit(); }
};

struct FmaChain {
  std::uint64_t n = 1024;
  std::uint64_t blocks = 1;
  std::uint64_t threads = 1;
  std::uint64_t array = 0;

  static Schema<FmaChain> schema() {
    return Schema<FmaChain>("fma_chain", "dependent multiply-adds")
        .optional("n", &FmaChain::n, "multiply-adds of a thread", range<std::uint64_t>(1, std::uint64_t{1} << 36U))
        .optional("blocks", &FmaChain::blocks, "blocks of the grid", range<std::uint64_t>(1, most_blocks))
        .optional("threads", &FmaChain::threads, "threads of a block", range<std::uint64_t>(1, 1024));
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    FmaChain run = *this;
    Arrays memory;
    run.array = memory.allocate(blocks * threads * word);
    trace::KernelInfo info{"fma_chain",
                           {static_cast<std::uint32_t>(blocks), 1, 1},
                           {static_cast<std::uint32_t>(threads), 1, 1},
                           16,
                           0,
                           target.warp_width};
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<FmaChain>>(info, run, program);
  }

 private:
  static Program program(Warp& w, const FmaChain& p) {
    const std::uint64_t first = std::uint64_t{w.block.x} * w.info.block.x + w.first_thread;
    co_yield w.ops(2, OpClass::constant, reg(4));
    co_yield w.op(OpClass::system, reg(1));
    constexpr std::uint64_t unrolled = 16;
    for (std::uint64_t k = 0; k < p.n; k += unrolled) {
      for (std::uint64_t u = k; u < std::min(k + unrolled, p.n); ++u)
        co_yield w.op(OpClass::fp32, reg(8), reg(8), reg(4), reg(5), 2);
      co_yield w.op(OpClass::integer, reg(1), reg(1));
      co_yield w.op(OpClass::control, {}, reg(1));
    }
    co_yield w.store(reg(8), word, reg(2, 2)).at(p.array + first * word, word);
    co_yield w.exit();
  }
};

}  // namespace

std::span<const KernelKind> arithmetic_kinds() {
  static constexpr KernelKind kinds[] = {
      kind<Empty>("empty", "blocks that end at once",
                  "G = `blocks`, B = `threads`; no access to memory: the cost of launch and dispatch"),
      kind<FmaChain>(
          "fma_chain", "multiply-adds that wait for each other, and one store",
          "G = `blocks`, B = `threads`; thread i of all makes n dependent multiply-adds, sixteen in a pass of a loop, "
          "and writes r[i] once"),
  };
  return kinds;
}

}  // namespace strata::kernels
