// SPDX-License-Identifier: Apache-2.0
// How many blocks of a grid each core gets at a launch. A grid that does not fill the machine is
// spread: no core gets two more than another, and of those that get one more each group has as
// many as any other. Where cores come in units (the two SMs of a TPC), one of each unit comes
// first (first-hand on an H100, grids of 8 to 1024 blocks).
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/spec.hpp"

namespace strata::machine {

/// For each place, in the order of placement, how many of `blocks` it gets, `most` at most. groups: of each place the
/// group, places of a group in the order in which they are filled. unit: so many places that follow each other in a
/// group are one unit; 0: the first places get one more, whatever their groups.
std::vector<std::uint64_t> even_shares(const std::vector<std::uint32_t>& groups, std::uint64_t blocks,
                                       std::uint64_t most, std::uint64_t unit);

/// Of each core, given in the order in which blocks meet them, the group that counts when a grid is spread: each of the
/// first `apart` is a group by itself.
std::vector<std::uint32_t> spread_groups(const DiesSpec& dies, const std::vector<std::uint32_t>& order,
                                         std::uint64_t apart);

/// The cores that a grid of so many blocks gets, one block on each, in the order in which it fills them; all there are
/// if the blocks are more. dies: compute dies whose cores take part; empty: all. policy: as of core_order(); one that
/// is named is followed from its first core on, the machine's own is spread as its launches are.
std::vector<std::uint32_t> cores_of_grid(const MachineSpec& spec, std::string_view policy, std::uint64_t blocks,
                                         const std::vector<std::uint32_t>& dies = {});

}  // namespace strata::machine
