// SPDX-License-Identifier: Apache-2.0
// The probe filter of a memory-side cache: which lines of which L2s it can follow.
#pragma once
#include <cstdint>

#include "base/quantity.hpp"
#include "config/schema/schema.hpp"

namespace strata::cache {

struct ProbeFilterSpec {
  Bytes capacity;           ///< of the lines that all slices together can follow
  std::uint64_t ways = 16;  ///< entries of a set
  Cycles latency{0};        ///< of a look-up, in cycles of the memory-side cache

  static config::Schema<ProbeFilterSpec> schema();
};

}  // namespace strata::cache
