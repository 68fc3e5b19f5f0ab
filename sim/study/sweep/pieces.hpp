// SPDX-License-Identifier: Apache-2.0
// The argument of --vary taken apart: the texts between its commas, and where each begins.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strata::study {

/// A part of the argument and where it begins in it.
struct Piece {
  std::string_view text;
  std::size_t offset;
};

/// Throws InputError (`--vary:1:COLUMN`).
[[noreturn]] void refuse_variation(std::size_t offset, std::string message, std::string hint = {});

/// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);

/// The values of `PATH=a,b,c`; parameters: as in Present.
std::vector<Piece> values_of(std::string_view argument, bool parameters);

}  // namespace strata::study
