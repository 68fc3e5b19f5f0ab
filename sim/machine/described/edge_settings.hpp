// SPDX-License-Identifier: Apache-2.0
// What an edge of `graph:` may set, and which setting of a block each is: latencies, widths, buffers and address maps
// belong to the block at one end of the edge.
#pragma once
#include <string_view>
#include <vector>

#include "machine/described/block.hpp"

namespace strata::machine {

struct EdgeSetting {
  std::string_view name;  ///< on the edge
  bool of_from = false;   ///< of the block that the edge leaves; else of the one that it reaches
  std::string_view path;  ///< among the settings of that block
};

/// Those of an edge between blocks of these kinds.
std::vector<EdgeSetting> edge_settings(BlockKind from, BlockKind to);

/// Whether requests, or look-ups of pages, may go from one kind to the other.
bool may_lead(BlockKind from, BlockKind to);

/// Blocks that a load from global memory visits.
bool on_path(BlockKind kind);
/// Blocks that translate addresses.
bool translates(BlockKind kind);

}  // namespace strata::machine
