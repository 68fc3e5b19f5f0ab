// SPDX-License-Identifier: Apache-2.0
// The compression policies, one line each. To add one: its file, its line here, its test.
#pragma once
#include <string_view>

#include "base/policy_table.hpp"
#include "cache/compression/bdi_like.hpp"
#include "cache/compression/ratio.hpp"

namespace strata::cache {

template <CompressionPolicy... Policy>
struct CompressionPolicies : PolicyTable<Policy...> {
  /// Whether a policy reads these settings; false where none has that name.
  static bool reads_sectors(std::string_view policy) {
    return ((policy == Policy::name && Policy::reads_sectors) || ...);
  }
  static bool reads_seed(std::string_view policy) { return ((policy == Policy::name && Policy::reads_seed) || ...); }
};

using CompressionTable = CompressionPolicies<  //
    FixedRatio,                                //
    BdiLike>;

inline constexpr std::string_view no_compression = "none";

}  // namespace strata::cache
