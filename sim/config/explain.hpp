// SPDX-License-Identifier: Apache-2.0
// The meaning of one setting, its value, and its origin; for `explain --path`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/effective.hpp"
#include "config/schema/info.hpp"

namespace strata::config {

struct Explanation {
  std::string path;
  /// Label and text, in order: meaning, kind, unit, range, choices, default,
  /// value, set by, provenance. Those that say nothing are left out.
  std::vector<std::pair<std::string, std::string>> lines;
  /// `path`, then one `label: text` a line, indented.
  std::string text() const;
};

/// The path with each entry of a list by its index: `levels[1].size` for `levels.L2.size`. As it is
/// where there is no such value.
std::string indexed_path(const Effective& root, std::string_view path);

/// Throws InputError (file `--path`) with the nearest path where there is none such.
Explanation explain_path(const SchemaInfo& schema, const Effective& root, std::string_view path);

}  // namespace strata::config
