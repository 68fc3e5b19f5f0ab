// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "machine/levels.hpp"

namespace strata::machine {

// Wires of groups that are sources are called those of a source: a group may have wires of its own
// (group_response_width) beside them.
fabric::CrossbarShape crossbar_shape(const MachineSpec& spec) {
  const DiesSpec& dies = spec.dies;
  const auto slices = static_cast<std::uint32_t>(spec.l2.slices_per_die);
  if (groups_have_levels(spec)) return {groups_of_die(dies), 1, slices, {}, 0, 0, {}, "source"};
  return {static_cast<std::uint32_t>(dies.cores_per_die),
          static_cast<std::uint32_t>(dies.cores_per_group),
          slices,
          dies.group_sizes,
          static_cast<std::uint32_t>(dies.cores_per_cluster),
          static_cast<std::uint32_t>(dies.cluster_run)};
}

translation::TranslatorShape translator_shape(const MachineSpec& spec) {
  return {static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die),
          static_cast<std::uint32_t>(spec.dies.cores_per_group), static_cast<std::uint32_t>(spec.dies.cores_per_die)};
}

std::uint32_t first_level_depth(const MachineSpec& spec, const cache::CacheSpec& first) {
  // Addresses on their way through the address path have left the load/store
  // unit and cannot be stopped: the buffer must hold them as well.
  const compute::LoadStoreSpec& unit = spec.core.load_store;
  const double passes = std::ceil(static_cast<double>(spec.core.warp_width) / static_cast<double>(unit.lanes_per_pass));
  const double longest =
      std::max(unit.scalar_address.value, unit.vector_address.value + unit.per_extra_pass.value * (passes - 1));
  const double underway = std::ceil(longest / std::max(unit.per_line.value, 0.125));
  return static_cast<std::uint32_t>(first.input_depth) + static_cast<std::uint32_t>(underway);
}

}  // namespace strata::machine
