// SPDX-License-Identifier: Apache-2.0
// The unit of a core that copies tiles from memory into shared memory (the Tensor Memory Accelerator of Hopper and
// later, cp.async.bulk: PTX ISA): one instruction, no registers, past the first-level caches.
#pragma once
#include <cstdint>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::compute {

struct BulkCopySpec {
  static constexpr const char* name =
      "bulk copy unit";  ///< of the block, in statistics, levels, the graph and messages

  Cycles setup;                ///< from a copy's turn until its first line request leaves, and its barrier at the end
  Cycles per_line;             ///< from one line request to the next
  std::uint64_t queue = 16;    ///< copies that wait for their turn
  std::uint64_t lines = 2048;  ///< requests under way at most

  static config::Schema<BulkCopySpec> schema();
};

}  // namespace strata::compute
