// SPDX-License-Identifier: Apache-2.0
// Which address maps a machine has: one for the slices of its L2, one for its
// memory, with the slices of the memory-side cache where there is one. On a die
// with both L2 and memory the two are the same map, so that each channel serves
// slices of its own.
#pragma once
#include "fabric/address_map.hpp"
#include "machine/levels.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

/// The L2's own map does not serve the channels: there is a memory-side cache,
/// or memory lies on other dies and its channels are no divisor of the L2's slices.
bool channels_are_apart(const MachineSpec& spec);

/// A private L2 is spread by its own map and knows no home; otherwise the L2's map is the memory's.
fabric::AddressMapSpec l2_map_of(const MachineSpec& spec);
fabric::AddressMapSpec memory_map_of(const MachineSpec& spec);
/// The settings of the second.
const char* memory_index_path(const MachineSpec& spec);

/// By which blocks find slice and set of a level other than the L2.
fabric::AddressMapSpec level_map_of(const MachineSpec& spec, const Level& level);

}  // namespace strata::machine
