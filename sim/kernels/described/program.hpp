// SPDX-License-Identifier: Apache-2.0
// A user's kernel with all names resolved: steps in one row, loops as pairs of begin and
// end, and what a warp knows while it executes them. A loop runs until no lane of the
// warp is left in it; lanes that have left are masked. After each iteration there is a
// branch, and one where no lane enters. So each turn of the simulator's wheel issues an
// instruction, and simulated time advances whatever the file says.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/described/described.hpp"
#include "kernels/described/expression.hpp"
#include "kernels/program.hpp"

namespace strata::kernels {

struct ResolvedStep {
  enum class Kind : std::uint8_t { operation, loop, end };
  Kind kind = Kind::operation;
  OpClass op_class = OpClass::access;
  memory::Operation operation = memory::Operation::load;
  bool shared = false, past_l1 = false;
  std::uint64_t base = 0, elements = 1;
  unsigned width = 4;
  Pattern pattern = Pattern::stream;
  std::uint64_t stride = 0, seed = 0, run = 1;
  std::uint64_t offset = 0;  ///< less than elements
  unsigned count = 1, flops = 0;
  trace::TensorWork product;
  Registers to;
  std::array<Registers, 3> from{};
  std::string name;         ///< of the array, or of a loop's counter
  Expression index;         ///< empty: the pattern says it
  Expression when;          ///< empty: all lanes
  std::size_t loop = 0;     ///< of a loop: its number among the loops that are open
  std::size_t partner = 0;  ///< the end of a loop, and its begin
  Expression first, last, step;
};

/// Slots of the variables that every kernel has; the counters of loops follow.
enum Slot : std::size_t { block, block_x, block_y, thread, thread_x, thread_y, lane, warp, iteration, counters };

struct ResolvedKernel {
  std::vector<ResolvedStep> steps;
  std::uint64_t loop = 1;
  std::uint64_t tensor_columns = 0;  ///< allocated by the first warp when a block begins, and freed when it ends
  std::size_t most_open = 0;         ///< loops within each other
  std::uint64_t code_bytes = 0;      ///< of a step; 0: where instructions lie is not known
};

/// Of all loops that are within each other, together.
inline constexpr std::uint64_t most_iterations = std::uint64_t{1} << 40U;

Program run_described(Warp& warp, const ResolvedKernel& kernel);

}  // namespace strata::kernels
