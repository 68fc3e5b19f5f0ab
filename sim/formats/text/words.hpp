// SPDX-License-Identifier: Apache-2.0
// The words of the text form that writer and reader share.
#pragma once
#include <array>
#include <string_view>

namespace strata::formats {

inline constexpr std::string_view first_line = "strata-trace 1";
/// By the number of a memory::Operation and of a memory::CacheOperator.
inline constexpr std::array<std::string_view, 3> operations{"load", "store", "atomic"};
inline constexpr std::array<std::string_view, 3> operators{"ca", "cg", "cv"};

}  // namespace strata::formats
