// SPDX-License-Identifier: Apache-2.0
// The settings of a machine as shell completion offers them.
#pragma once
#include <string>

namespace strata::cli {

/// A line for each setting: its path, with [] for an index, then the values that it takes where those are words.
/// A map has the word `map` before them. No line end after the last: "l2.bypass true false", "l2.cache map", "memory_side_cache map none".
std::string completed_settings();

}  // namespace strata::cli
