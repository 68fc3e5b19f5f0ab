// SPDX-License-Identifier: Apache-2.0
// Reads the `VALUE | ORIGIN NOTE` that a scalar may carry.
#pragma once

#include <string_view>
#include <vector>

#include "config/value/value.hpp"

namespace strata::config {

/// Splits `scalar.text` at its first ` | ` into value and provenance, trimmed.
/// Adds a diagnostic where the origin is not a known one or its note is missing.
void split_provenance(Value& scalar, std::vector<Diagnostic>& diagnostics);

/// Gives every scalar of `tree` that says nothing the provenance of the nearest
/// enclosing `provenance:` key, and takes those keys out of the tree.
void spread_provenance(Value& tree, std::vector<Diagnostic>& diagnostics);

/// The text with blanks at both ends taken off.
std::string_view trimmed(std::string_view text);

}  // namespace strata::config
