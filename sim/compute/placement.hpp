// SPDX-License-Identifier: Apache-2.0
// The order in which the block scheduler fills cores, as a policy: which core
// gets the n-th block of a grid while all are free. Vendors differ: large grids
// on NVIDIA fill one group of cores and one die after the other, AMD deals
// blocks out to the XCDs in turn.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace strata::compute {

/// How the cores of a machine are grouped; core numbers run die by die, within
/// a die group by group.
struct CoreGrid {
  std::uint32_t dies = 1;
  std::uint32_t cores_per_die = 1;
  std::uint32_t cores_per_group = 1;
  std::uint32_t cores() const { return dies * cores_per_die; }
};

struct PlacementPolicy {
  std::string_view name;
  std::string_view meaning;
  /// Cores in the order in which they are filled; a permutation of all.
  std::vector<std::uint32_t> (*order)(const CoreGrid& grid);
  bool by_group = false;  ///< the order depends on CoreGrid::cores_per_group
};

/// Every policy, by name.
std::span<const PlacementPolicy> placement_policies();
/// nullptr when there is none of that name.
const PlacementPolicy* find_placement(std::string_view name);

}  // namespace strata::compute
