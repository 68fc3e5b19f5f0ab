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

/// Which part of an instruction a word gives: "pc" of "pc=0x40", "d" of "d5:4". Each but "s" comes once.
inline std::string_view part_of(std::string_view word) {
  const bool single = word.front() == '@' || (word.size() > 1 && word[1] >= '0' && word[1] <= '9');
  return word.substr(0, single ? 1 : word.find('='));
}

}  // namespace strata::formats
