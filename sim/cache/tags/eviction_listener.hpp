// SPDX-License-Identifier: Apache-2.0
// Receives the block and the valid sectors of each line that a cache evicts.
#pragma once
#include <cstdint>

#include "memory/transaction.hpp"

namespace strata::cache {

struct EvictionListener {
  using Function = void (*)(void* self, std::uint64_t block, memory::SectorMask valid);
  Function function = nullptr;  ///< null: evictions are not reported
  void* self = nullptr;

  bool listens() const { return function != nullptr; }
  void operator()(std::uint64_t block, memory::SectorMask valid) const { function(self, block, valid); }
};

}  // namespace strata::cache
