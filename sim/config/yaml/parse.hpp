// SPDX-License-Identifier: Apache-2.0
// YAML text to a value tree; the only door through which yaml-cpp is reached.
// The parser's events are read, not its node tree, so that everything a reader
// could trip over is seen and refused with its place and a remedy: duplicate
// keys, anchors, aliases, tags, merge keys, several documents, missing values,
// NUL bytes, text that is not UTF-8. Size, nesting and number of values are
// bounded, and the bounds are checked before memory is spent.
//
// A scalar may say where it comes from, after a bar:
//   hit_latency: 32 clk | fitted h200/latency_footprint plateau
// The word after the bar is sourced, derived, estimated, fitted or chosen; the
// note after it must not be empty. A key `provenance: sourced DOCUMENT` in a map
// says it for every scalar beneath that says nothing itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/value/value.hpp"

namespace strata::config {

struct ParseLimits {
  std::size_t bytes = std::size_t{1} << 20U;
  std::size_t depth = 64;
  std::size_t values = 100'000;
};

/// Reads one YAML document whose root is a map. `file` is the name shown in
/// messages. Throws InputError with all that is wrong; after an error of syntax
/// nothing further can be read, so that one is the last.
Value parse(std::string_view text, const std::string& file, const ParseLimits& limits = {});

/// Reads the right side of `--set PATH=VALUE` by the same rules: text that opens
/// with `[` or `{` as YAML, anything else as one scalar. `where` is the place of
/// its first character. Throws InputError.
Value parse_fragment(std::string_view text, const Position& where);

}  // namespace strata::config
