// SPDX-License-Identifier: Apache-2.0
// The parameters of a kernel file, and numbers of the file that are expressions of them.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "config/inherit.hpp"
#include "config/schema/reader.hpp"
#include "kernels/described/expression.hpp"

namespace strata::kernels {

struct BoundParameters {
  std::vector<std::pair<std::string, std::int64_t>> values;
  std::shared_ptr<const config::SchemaInfo> info;
  std::set<std::string> used;  ///< by values and ranges of others
};

/// The tree of a kernel file. Throws InputError, which suggests quotes where an expression
/// may have been read as YAML.
config::Value load_kernel_tree(const config::Source& source);

/// Binds `parameters` of the tree of a kernel file, with settings `name=value` laid over.
/// `reserved` knows the names that mean something else. Throws InputError with all that
/// is wrong.
BoundParameters bind_parameters(const config::Value& tree, const Scope& reserved,
                                const std::vector<std::string>& settings);

/// Replaces expressions in the place of numbers by their values, in a map that the schema
/// describes and in the maps of lists beneath, so that binding sees numbers only.
void evaluate_numbers(config::Value& map, const config::SchemaInfo& schema, const Scope& scope, config::Reader& reader);

/// Throws InputError where that text is no name, or is taken.
void check_name(const std::string& name, const config::Position& where, const char* what, const Scope& scope);

}  // namespace strata::kernels
