// SPDX-License-Identifier: Apache-2.0
// How far writing back all that is dirty has come.
#pragma once
#include <cstdint>

#include "base/time.hpp"

namespace strata::cache {

struct Flush {
  static constexpr std::uint64_t done = ~std::uint64_t{0};

  bool asked = false;
  std::uint64_t set = done;  ///< the set that it has reached
  Time reached{};            ///< when the last write-back was answered
};

}  // namespace strata::cache
