// SPDX-License-Identifier: Apache-2.0
// Where blocks stand: the path of a load from the core to memory and that of a look-up of a page, along connections, and
// the section that each position is.
#pragma once
#include <vector>

#include "base/diagnostic.hpp"
#include "machine/described/sections.hpp"

namespace strata::machine {

/// Every block of a description with its section. apart: memory dies are nodes of the network. where: of the graph, for
/// what is wrong with all of it.
std::vector<Placed> placed_blocks(Description& description, bool apart, const config::Position& where,
                                  std::vector<Diagnostic>& diagnostics);

}  // namespace strata::machine
