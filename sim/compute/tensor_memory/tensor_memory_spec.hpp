// SPDX-License-Identifier: Apache-2.0
// Tensor Memory of Blackwell: accumulators of matrix products, apart from the registers (PTX ISA, tcgen05; Chips and
// Cheese B200 article). Each scheduler of the core has a partition with as many rows as a warp has lanes.
#pragma once
#include <cstdint>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::compute {

struct TensorMemorySpec {
  static constexpr const char* name = "Tensor Memory";  ///< in statistics and messages
  static constexpr std::uint64_t word = 4;              ///< bytes of a row in a column

  std::uint64_t columns = 512;              ///< each with a word of every row
  std::uint64_t unit = 32;                  ///< columns that are allocated at least; more in powers of two
  BytesPerClock width{128};                 ///< of a partition's read port; it has a write port as wide
  Cycles latency;                           ///< of a load, from issue until its registers can be read, unloaded
  std::uint64_t products_per_clock = 1024;  ///< multiplications and additions of 16 bits, of a partition
  Cycles product_latency;                   ///< from the last of them until the product can be read

  static config::Schema<TensorMemorySpec> schema();
};

}  // namespace strata::compute
