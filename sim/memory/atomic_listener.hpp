// SPDX-License-Identifier: Apache-2.0
// Receives atomics in the order in which their units perform them: the order that
// decides which of two compare-and-swaps finds the value it expects.
#pragma once
#include <cstdint>

#include "base/time.hpp"

namespace strata::memory {

struct AtomicListener {
  /// The warp of that core whose atomic is performed at t (not before now).
  using Function = void (*)(void* self, std::uint32_t core, std::uint32_t warp, Time t);
  Function function = nullptr;
  void* self = nullptr;
};

}  // namespace strata::memory
