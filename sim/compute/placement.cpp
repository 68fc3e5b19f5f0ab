// SPDX-License-Identifier: Apache-2.0
#include "compute/placement.hpp"

#include <algorithm>
#include <array>

namespace strata::compute {

namespace {

std::vector<std::uint32_t> die_first(const CoreGrid& grid) {
  std::vector<std::uint32_t> order(grid.cores());
  for (std::uint32_t i = 0; i < grid.cores(); ++i) order[i] = i;
  return order;
}

std::vector<std::uint32_t> round_robin_dies(const CoreGrid& grid) {
  std::vector<std::uint32_t> order;
  order.reserve(grid.cores());
  for (std::uint32_t core = 0; core < grid.cores_per_die; ++core)
    for (std::uint32_t die = 0; die < grid.dies; ++die) order.push_back(die * grid.cores_per_die + core);
  return order;
}

std::vector<std::uint32_t> round_robin_groups(const CoreGrid& grid) {
  std::vector<std::uint32_t> order;
  order.reserve(grid.cores());
  for (std::uint32_t within = 0; within < grid.cores_per_group; ++within)
    for (std::uint32_t die = 0; die < grid.dies; ++die)
      for (std::uint32_t first = 0; first < grid.cores_per_die; first += grid.cores_per_group) {
        const std::uint32_t core = first + within;
        if (core < grid.cores_per_die) order.push_back(die * grid.cores_per_die + core);
      }
  return order;
}

// The order on an H200: first the cores outside the clusters of their group, then one group
// after the other (h200 block_placement).
std::vector<std::uint32_t> half_group_first(const CoreGrid& grid) {
  std::vector<std::uint32_t> order = die_first(grid);
  const std::uint32_t half = std::min(grid.cores_per_group / 2, grid.cores() - 1);
  std::rotate(order.begin(), order.begin() + half, order.end());
  return order;
}

// One line per policy.
constexpr std::array<PlacementPolicy, 4> placements{{
    {"die_first", "fills one die after the other, group by group", die_first},
    {"half_group_first", "as die_first, begun half way through the first group", half_group_first, true},
    {"round_robin_dies", "distributes blocks over the dies in turn", round_robin_dies},
    {"round_robin_groups", "distributes blocks over all groups of all dies in turn", round_robin_groups, true},
}};

}  // namespace

std::span<const PlacementPolicy> placement_policies() { return placements; }

const PlacementPolicy* find_placement(std::string_view name) {
  const auto found =
      std::find_if(placements.begin(), placements.end(), [name](const PlacementPolicy& p) { return p.name == name; });
  return found == placements.end() ? nullptr : &*found;
}

}  // namespace strata::compute
