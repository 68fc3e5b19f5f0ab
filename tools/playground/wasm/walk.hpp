// SPDX-License-Identifier: Apache-2.0
// A chase of a few lines, load by load, on a machine that was cold when it began: what a load meets,
// and which lines L1 and L2 hold before and after it. The contents are found by asking the model, not
// by looking into it: on a machine that has made the loads so far, a load of each line is served by L1
// if L1 holds it, and, once the L1 has been emptied, by L2 if L2 holds it.
#pragma once
#include <cstdint>
#include <string>

#include "machine/spec.hpp"
#include "study/latency.hpp"

namespace strata::playground {

inline constexpr std::uint64_t most_walk_lines = 64;
inline constexpr std::uint64_t most_walk_loads = 512;

/// The load of that number, from 0, as JSON. Throws InvalidRequest where footprint or number is too large.
std::string walk_step(const machine::MachineSpec& spec, const study::LatencyQuestion& chase,
                      std::uint64_t footprint_bytes, std::uint64_t number);

}  // namespace strata::playground
