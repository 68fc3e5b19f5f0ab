// SPDX-License-Identifier: Apache-2.0
// Transaction::core of what a cache asks for on its own account.
#pragma once
#include <cstdint>

namespace strata::memory {

inline constexpr std::uint16_t no_core = 0xFFFF;

}  // namespace strata::memory
