// SPDX-License-Identifier: Apache-2.0
// How names and numbers become text, the same in every writer. Names come from
// files that strangers wrote, so nothing passes through unchecked: bytes that
// are not UTF-8, control characters and marks of direction are escaped before
// they reach a page or a terminal (base/printable.hpp). Numbers never depend on
// a locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata::report {

// printable() text; tab and line ends become a space.
std::string clean(std::string_view text);

// Valid UTF-8, other bytes as U+FFFD; control characters are kept, for writers
// that quote them.
std::string valid_utf8(std::string_view text);

// Clean text for an element or a quoted attribute of SVG and HTML.
std::string escape_markup(std::string_view text);

// Columns that clean text takes on a terminal, one a code point.
std::size_t display_width(std::string_view text);

// The shortest decimal that reads back to the same double; "" for NaN and
// infinities.
std::string shortest(double value);

// For people: four or so significant digits, no exponent for ordinary sizes;
// "-" for NaN and infinities.
std::string readable(double value);

// With a fixed number of decimals; "-" for NaN and infinities.
std::string fixed(double value, int decimals);

// 0.0312 with one decimal is "3.1"; signed_percent writes "+3.1".
std::string percent(double fraction);
std::string signed_percent(double fraction);

// A size in binary units with up to four digits: "512 B", "192 KiB", "4 GiB".
std::string size_label(double bytes);

// A coordinate of a drawing: two decimals, trailing zeros dropped, so that a
// different last bit in a logarithm cannot change a drawing.
std::string coordinate(double value);

}  // namespace strata::report
