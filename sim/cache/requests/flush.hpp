// SPDX-License-Identifier: Apache-2.0
// How far writing back all that is dirty has come.
#pragma once
#include <cstdint>

#include "base/time.hpp"
#include "engine/event.hpp"

namespace strata::cache {

struct Flush {
  static constexpr std::uint64_t past_all = ~std::uint64_t{0};

  bool asked = false;
  std::uint64_t set = past_all;  ///< the set that it has reached
  Time reached{};                ///< when the last write-back was answered
  engine::Handler done{};        ///< called when it is over, if given
};

}  // namespace strata::cache
