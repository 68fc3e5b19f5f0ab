// SPDX-License-Identifier: Apache-2.0
// The words of the text form that writer and reader share.
#pragma once
#include <array>
#include <string_view>

namespace strata::formats {

inline constexpr std::string_view first_line = "strata-trace 1";
/// By operation_number().
inline constexpr std::array<std::string_view, 4> operations{"load", "store", "atomic", "cas"};
/// By the number of a memory::CacheOperator.
inline constexpr std::array<std::string_view, 3> operators{"ca", "cg", "cv"};

}  // namespace strata::formats
