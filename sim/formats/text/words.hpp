// SPDX-License-Identifier: Apache-2.0
// The words of the text form that writer and reader share.
#pragma once
#include <array>
#include <string_view>

namespace strata::formats {

inline constexpr std::string_view first_line = "strata-trace 1";
/// By the number of a memory::Operation, and behind them the atomic that compares.
inline constexpr std::array<std::string_view, 4> operations{"load", "store", "atomic", "cas"};
inline constexpr unsigned compare_and_swap = 3;
/// By the number of a memory::CacheOperator.
inline constexpr std::array<std::string_view, 3> operators{"ca", "cg", "cv"};

}  // namespace strata::formats
