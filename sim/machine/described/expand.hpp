// SPDX-License-Identifier: Apache-2.0
// A machine given as a graph: `graph: {nodes: {...}, edges: [...]}` in a configuration becomes the named sections that
// it stands for, before they are bound. Nodes and edges add to those of the configuration that the file builds on.
#pragma once
#include <vector>

#include "base/diagnostic.hpp"
#include "config/value/value.hpp"

namespace strata::machine {

/// Does nothing to a tree without `graph`.
void expand_graph(config::Value& tree, std::vector<Diagnostic>& diagnostics);

}  // namespace strata::machine
