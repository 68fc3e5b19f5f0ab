// SPDX-License-Identifier: Apache-2.0
// Text of files, which strangers wrote, as a line that is safe on a terminal, in
// a table and in a message. Control characters, marks that change the direction
// of text and bytes that are not UTF-8 are written as escapes, so that no name
// sends a control sequence, begins a line or hides a part of itself.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace strata {

/// Length of the well-formed UTF-8 sequence at `at`; 0: there is none. Table 3-7
/// of the Unicode standard: no overlong forms, no surrogates.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// The code point of a well-formed sequence.
unsigned long utf8_value(std::string_view sequence);

/// Whether a code point, in UTF-8, is a control character (C0, DEL, C1), a line
/// or paragraph separator, a mark of direction (Unicode Standard Annex 9, table
/// 4), without width, or not a character.
bool is_unprintable(std::string_view code_point);

/// `\n` and `\t` as such, other bytes of what is unprintable or no UTF-8 as `\x1b`.
std::string printable(std::string_view text);
/// The same of text of several lines.
std::string printable_lines(std::string_view text);

}  // namespace strata
