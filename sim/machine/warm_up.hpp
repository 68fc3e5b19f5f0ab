// SPDX-License-Identifier: Apache-2.0
// How many accesses without time bring the caches, TLBs and DRAM rows of a machine to the state that a long run would
// leave, and where the caches do not matter.
#pragma once
#include <cstdint>

#include "machine/spec.hpp"
#include "trace/instruction.hpp"

namespace strata::machine {

/// Lines of a core's own cache for that space.
std::uint64_t first_level_lines(const MachineSpec& spec, trace::Space space);
inline constexpr std::uint64_t all_touches = ~std::uint64_t{0};
/// After so many touches nothing of what was there before is left; all_touches where a
/// replacement policy never forgets, or a level homes some addresses alone.
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

/// A cyclic walk over more lines than this misses every level: meanwhile every set has seen all its ways. An index that
/// does not fill evenly leaves one set of 16 ways in 1e18 that has not (Poisson).
std::uint64_t lines_that_always_miss(const MachineSpec& spec, trace::Space space);
/// Whether accesses at that stride (bytes) which miss every cache of a space miss it whatever the caches hold: each access
/// has lines of its own, every cache is lru and homes all addresses, and no prefetcher, compression or victim cache reads
/// what is held.
bool contents_do_not_matter(const MachineSpec& spec, trace::Space space, std::uint64_t stride);
/// Touches past all caches, of addresses at random, until TLBs and rows of DRAM hold what any longer walk over so many
/// bytes leaves; all_touches where a TLB that is full keeps what it held long ago.
std::uint64_t touches_past_caches(const MachineSpec& spec, std::uint64_t bytes);
/// Bytes of the smallest pages of which a TLB holds all that so many bytes have: each page must be touched; 0: none does.
std::uint64_t pages_that_stay(const MachineSpec& spec, std::uint64_t bytes);

/// Whether every cache on the way of accesses of that space forgets what it held long ago. Those that do not keep pieces
/// of a ring, and miss others each round.
bool caches_forget(const MachineSpec& spec, trace::Space space);

}  // namespace strata::machine
