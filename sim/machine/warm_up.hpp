// SPDX-License-Identifier: Apache-2.0
// How many accesses without time bring the caches of a machine to the state that a long run would leave.
#pragma once
#include <cstdint>

#include "machine/spec.hpp"
#include "trace/instruction.hpp"

namespace strata::machine {

/// Lines of a core's own cache for that space.
std::uint64_t first_level_lines(const MachineSpec& spec, trace::Space space);
inline constexpr std::uint64_t all_touches = ~std::uint64_t{0};
/// After so many touches nothing of what was there before is left; all_touches where a
/// replacement policy never forgets.
std::uint64_t warm_up_touches(const MachineSpec& spec);
/// As many where all cores together touch adjacent lines: fewer for each line of a cache where these fill all its sets
/// alike, but for the caches of every core and die.
std::uint64_t sweep_touches(const MachineSpec& spec);
/// Touches until what caches hold of a ring no longer changes, where its first
/// round does not settle that: victims drawn at random or by a tree of bits
/// take some rounds of what is about as large as the cache. 0: recency alone
/// decides everywhere.
std::uint64_t settling_touches(const MachineSpec& spec);
/// Whether recency alone decides what a cache holds, so that settling_touches() does not depend on its size.
bool recency_decides(const cache::CacheSpec& cache);

/// Whether accesses so many bytes apart that miss every cache of a space leave nothing in them that makes a difference to
/// others that miss as well: each has its own lines, recency alone decides, and nothing looks at what else is held.
bool misses_leave_nothing(const MachineSpec& spec, trace::Space space, std::uint64_t stride);
/// Touches past all caches, of addresses at random, until TLBs and rows of DRAM hold what any longer walk over so many
/// bytes leaves; all_touches where a TLB that is full keeps what it held long ago.
std::uint64_t touches_past_caches(const MachineSpec& spec, std::uint64_t bytes);

/// Whether every cache on the way of accesses of that space forgets what it held long ago. Those that do not keep pieces
/// of a ring, and miss others each round.
bool caches_forget(const MachineSpec& spec, trace::Space space);

}  // namespace strata::machine
