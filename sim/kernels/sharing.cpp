// SPDX-License-Identifier: Apache-2.0
// Kernels in which threads of different blocks touch one line, or words of one line.
#include "kernels/arrays.hpp"
#include "kernels/kinds.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

namespace {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

struct FalseSharing {
  std::uint64_t blocks = 1024;
  Bytes stride{4};
  std::uint64_t updates = 256;
  bool atomic = false;
  std::uint64_t array = 0;

  static Schema<FalseSharing> schema() {
    return Schema<FalseSharing>("false_sharing", "a counter for each block of one thread")
        .optional("blocks", &FalseSharing::blocks, "blocks of one thread", range(1, 65536))
        .optional("stride", &FalseSharing::stride,
                  "from a counter of 4 B to the next: below the size of a line several share one",
                  range(4_B, Bytes{1U << 20U}), config::power_of_two())
        .optional("updates", &FalseSharing::updates, "additions of each block to its counter", range(1, 100000000))
        .optional("atomic", &FalseSharing::atomic,
                  "by atomics, each after the answer to the previous one; otherwise by loads and stores");
  }
  std::unique_ptr<trace::Kernel> build(const Target& target) const {
    FalseSharing run = *this;
    Arrays memory;
    run.array = memory.allocate(blocks * stride.value);
    trace::KernelInfo info{"false_sharing", {}, {1, 1, 1}, 16, 0, target.warp_width};
    info.grid.x = static_cast<std::uint32_t>(blocks);
    info.regions = memory.regions();
    return std::make_unique<ProgramKernel<FalseSharing>>(info, run, program);
  }

 private:
  static Program program(Warp& w, const FalseSharing& p) {
    const std::uint64_t counter = p.array + w.block.x * p.stride.value;
    for (std::uint64_t k = 0; k < p.updates; ++k) {
      if (p.atomic) {
        co_yield w.atomic(reg(1), reg(1), word, reg(2, 2)).at(counter, 0);
      } else {
        co_yield w.load(reg(1), word, reg(2, 2)).at(counter, 0);
      }
      co_yield w.op(OpClass::integer, reg(1), reg(1));
      if (!p.atomic) co_yield w.store(reg(1), word, reg(2, 2)).at(counter, 0);
      co_yield w.op(OpClass::control, {}, reg(1));
    }
    co_yield w.exit();
  }
};

constexpr std::array sharing_table{
    kind<FalseSharing>("false_sharing", "a counter for each block, several in one line",
                       "Block b updates the 4 B at `stride` b, `updates` times: a load and a store, or an atomic."),
};

}  // namespace

std::span<const KernelKind> sharing_kinds() { return sharing_table; }

}  // namespace strata::kernels
