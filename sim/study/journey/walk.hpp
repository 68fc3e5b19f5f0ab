// SPDX-License-Identifier: Apache-2.0
// A chase load by load, on a machine that was cold when it began: what one load meets, and what the
// caches, MSHRs, TLBs and row buffers on its way hold before it, while it waits, and after it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "machine/account/contents.hpp"
#include "machine/spec.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {

inline constexpr std::uint64_t most_walk_lines = 64;
inline constexpr std::uint64_t most_walk_loads = 512;
inline constexpr std::size_t most_walk_sets = 8;  ///< of one cache that a step shows

/// What one cache on the way of the load holds at one moment.
struct WalkedCache {
  std::string name;
  std::string instance;
  cache::HeldSet chosen;  ///< the set of this load, and the registers
  std::vector<cache::HeldSet>
      sets;  ///< of the latest loads of the ring that this cache serves, by number, the chosen one among them
};

struct WalkMoment {
  std::vector<WalkedCache> caches;  ///< from the core to memory
  std::vector<translation::HeldPages> tlbs;
  std::uint32_t channel = 0;  ///< over all dies
  std::optional<dram::HeldRow> row;
};

struct WalkStage {
  std::string stage;
  double cycles = 0;  ///< of the core clock
};

struct WalkStep {
  std::uint64_t address = 0;  ///< virtual, in bytes
  std::uint64_t physical = 0;
  std::uint64_t nodes = 0;  ///< of the ring
  std::string served_by;
  double cycles = 0;  ///< of the core clock
  std::vector<WalkStage> stages;
  WalkMoment before, waiting, after;  ///< waiting: when the most MSHRs on its way were first in use
};

/// The load of that number, from 0. Throws InvalidRequest where footprint or number is too large.
WalkStep walk_step(const machine::MachineSpec& spec, const LatencyQuestion& chase, std::uint64_t footprint_bytes,
                   std::uint64_t number);

}  // namespace strata::study
