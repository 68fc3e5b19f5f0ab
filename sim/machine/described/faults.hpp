// SPDX-License-Identifier: Apache-2.0
// What is wrong with `graph:` in more than one of its parts.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "machine/described/block.hpp"

namespace strata::machine {

void unknown_node(const Description& description, const std::string& name, const config::Position& where,
                  std::vector<Diagnostic>& diagnostics);

/// What one file sets in both trees: by a section or a node, and by a node or an edge.
void refuse_twice(const config::Value& under, const config::Value& over, std::vector<Diagnostic>& diagnostics);

}  // namespace strata::machine
