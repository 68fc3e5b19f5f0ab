// SPDX-License-Identifier: Apache-2.0
// How many blocks of a grid each core gets at a launch. A grid that does not fill the machine is
// spread: no core gets two more than another, and of those that get one more each group has as
// many as any other. Where cores come in units (the two SMs of a TPC), one of each unit comes
// first (first-hand on an H100, grids of 8 to 1024 blocks).
#pragma once
#include <cstdint>
#include <vector>

namespace strata::machine {

/// For each place, in the order of placement, how many of `blocks` it gets, `most` at most. groups: of each place the
/// group, places of a group in the order in which they are filled. unit: so many places that follow each other in a
/// group are one unit; 0: the first places get one more, whatever their groups.
std::vector<std::uint64_t> even_shares(const std::vector<std::uint32_t>& groups, std::uint64_t blocks,
                                       std::uint64_t most, std::uint64_t unit);

}  // namespace strata::machine
