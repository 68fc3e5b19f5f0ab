// SPDX-License-Identifier: Apache-2.0
// What text must be before a parser sees it: not too large, UTF-8, and free of
// control characters other than tab and line ends; and what yaml-cpp lets pass
// that must not: a quote that is never closed.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "config/value/value.hpp"

namespace strata::config {

/// Adds one diagnostic for the first thing wrong; `start` is the place of the text's first character.
void check_text(std::string_view text, const Position& start, std::size_t most_bytes,
                std::vector<Diagnostic>& diagnostics);

/// Lines that begin with % before a document are directives, which yaml-cpp skips: adds one diagnostic for the first
/// that is not %YAML 1.x.
void check_directives(std::string_view text, const Position& start, std::vector<Diagnostic>& diagnostics);

/// Finds lines of a text and turns bytes of a line into characters: yaml-cpp
/// counts columns in bytes, people in characters. Lines and bytes from 0.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  /// The text from a byte of a line on; empty past the end.
  std::string_view from(std::size_t line, std::size_t byte) const;
  /// How many characters begin in the bytes [first, last) of a line.
  std::size_t characters(std::size_t line, std::size_t first, std::size_t last) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// Whether the quoted scalar that opens `text` is closed somewhere in it.
bool quote_is_closed(std::string_view text);

}  // namespace strata::config
