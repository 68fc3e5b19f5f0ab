// SPDX-License-Identifier: Apache-2.0
// A machine from lines of text: `row PATH=VALUE` for each value of the configuration that the native
// program has read and printed, `set PATH=VALUE` for each that the page changes, by the rules of --set.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "config/load.hpp"
#include "machine/spec.hpp"

namespace strata::playground {

/// Adds a row to the tree, which has all previous rows. Throws InputError if it has no '='.
void add_row(config::Value& tree, std::string_view row);

/// Throws InputError with everything that is wrong.
config::Loaded<machine::MachineSpec> bound(config::Value tree, const std::vector<std::string>& sets);

}  // namespace strata::playground
