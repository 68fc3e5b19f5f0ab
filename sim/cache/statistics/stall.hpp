// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace strata::cache {

/// Why a request stops the input.
enum Stall : std::uint8_t { mshr_full, ways_pending, merges_full, writeback_full, being_completed, stall_kinds };

}  // namespace strata::cache
