// SPDX-License-Identifier: Apache-2.0
// The nodes of `graph:`: blocks that a description gains, changes or loses.
#pragma once
#include <vector>

#include "base/diagnostic.hpp"
#include "machine/described/block.hpp"

namespace strata::machine {

/// nodes: a map of nodes by name, each a map of settings or `none`; it is used up.
void change_nodes(Description& description, config::Value& nodes, std::vector<Diagnostic>& diagnostics);

}  // namespace strata::machine
