// SPDX-License-Identifier: Apache-2.0
// The prefetchers, one line each. To add one: its file, its line here, its test.
#pragma once
#include <string_view>

#include "base/policy_table.hpp"
#include "cache/prefetch/best_offset.hpp"
#include "cache/prefetch/next_line.hpp"
#include "cache/prefetch/stride.hpp"

namespace strata::cache {

template <Prefetcher... Policy>
struct Prefetchers : PolicyTable<Policy...> {
  /// Whether a prefetcher reads prefetch_degree; false where none has that name.
  static bool reads_degree(std::string_view policy) {
    return ((policy == Policy::name && Policy::reads_degree) || ...);
  }
};

using PrefetcherTable = Prefetchers<  //
    NextLine,                         //
    Stride,                           //
    BestOffset>;

inline constexpr std::string_view no_prefetcher = "none";

}  // namespace strata::cache
