// SPDX-License-Identifier: Apache-2.0
// The question "what does a load cost while the machine is busy?": one core chases
// pointers, one load at a time, through the memory that all others stream through at a
// given rate. The rate is asked for, instruction by instruction at instants drawn
// from even intervals; what the machine cannot deliver stays behind, so the
// curve of latency against achieved rate bends up at saturation (Dally and
// Towles: Principles and Practices of Interconnection Networks, 2004, chapter 23).
// With nothing injected the answer is that of measure_latency().
#pragma once
#include <cstdint>
#include <vector>

#include "study/bandwidth/bandwidth.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {

struct LoadedPoint {
  double injected_bytes_per_second = 0;  ///< asked for; infinite: the greatest rate that the machine sustains
  double bytes_per_second = 0;           ///< achieved by the others
  double latency_ns = 0;                 ///< of a chaser's load, mean
  double latency_cycles = 0;             ///< of the core clock
  std::uint64_t loads = 0;               ///< of the chasers, counted
  std::vector<LevelShare> served_by;     ///< of these loads, by level
  std::uint64_t fingerprint = 0;
  std::vector<stats::Statistic> statistics;  ///< while the loads were counted, where they were asked for
};

/// So many chains at most, and no more than a core has warps.
inline constexpr std::uint64_t most_chains = 64;

/// One point. The chasers have the first of the question's cores for themselves.
/// injected: >= 0 or infinite; 0: only the chasers run. chains: of dependent
/// loads, in parallel on that core; they wait for each other as well as for the load. Throws
/// std::invalid_argument as measure_bandwidth() does, and where the question
/// leaves no core to the others or asks for a space that cores do not share.
LoadedPoint measure_loaded(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                           std::uint64_t footprint_bytes, double injected_bytes_per_second, std::uint64_t chains = 1);

}  // namespace strata::study
