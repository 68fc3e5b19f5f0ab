// SPDX-License-Identifier: Apache-2.0
// The named sections of a configuration as blocks, and blocks as sections.
#pragma once
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "machine/described/block.hpp"

namespace strata::machine {

/// Whether memory dies are nodes of their own in the network between dies, as `dies` of a tree has it.
bool memory_is_apart(const config::Value& tree);

/// Takes the sections of blocks out of a tree. Connections are implied where they describe a whole machine.
Description take_blocks(config::Value& tree);

/// A block and the section that its position makes it: `l1`, `levels`, `translation.levels`, ...
struct Placed {
  Block* block = nullptr;
  std::string_view section;
};

/// Writes blocks as sections; those of a list in their order.
void put_blocks(config::Value& tree, const std::vector<Placed>& blocks, std::vector<Diagnostic>& diagnostics);

}  // namespace strata::machine
