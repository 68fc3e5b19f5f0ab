// SPDX-License-Identifier: Apache-2.0
// `--set PATH=VALUE`: changes a value tree before it is bound. Paths are checked
// against the schema, not the tree, so a setting that no file mentions can be
// set as well. Values are read by the same parser as files, and what is wrong
// with them is reported in the same form, at `--set:1:COLUMN` of the argument.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema/info.hpp"
#include "config/value/value.hpp"

namespace strata::config {

/// Applies one override. A number that says nothing itself becomes `chosen --set`.
/// What is wrong goes to `diagnostics`, and the tree is then as it was. noun: what
/// messages call that which a path names.
void apply_override(Value& root, const SchemaInfo& schema, std::string_view argument,
                    std::vector<Diagnostic>& diagnostics, std::string_view noun = "setting");

/// If an override is involved in the error of a value of a file, that override is named first and the place of the
/// value follows in the hint. wrong_with: the errors with only these overrides.
void name_overrides(const std::vector<std::string>& overrides,
                    const std::function<std::vector<Diagnostic>(const std::vector<std::string>&)>& wrong_with,
                    std::vector<Diagnostic>& diagnostics);

}  // namespace strata::config
