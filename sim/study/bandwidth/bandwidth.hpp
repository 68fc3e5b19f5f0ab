// SPDX-License-Identifier: Apache-2.0
// The question "how many bytes a second does a machine move, given how much
// memory is in use?": warps on many cores stream through a footprint, warmed to
// steady state, and what they have read and written is counted while all of
// them are at work. The bottleneck follows from how long each resource
// was busy meanwhile. One point is one machine, so points are independent.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "engine/processes.hpp"
#include "machine/spec.hpp"
#include "stats/kernel_figures.hpp"
#include "trace/instruction.hpp"
#include "trace/streaming.hpp"

namespace strata::study {

/// How the footprint is shared out.
enum class Sharing : std::uint8_t {
  split,  ///< the warps of all cores sweep it together, each its part
  each,   ///< every core sweeps all of it
  turns,  ///< thread blocks take parts of it dynamically: a block that is done takes the next
};

/// Which lines a core reads: of one side, where the L2 has sides, or of the host's
/// memory, where there is a link to it.
enum class Home : std::uint8_t { any, near, far, host };

struct BandwidthQuestion {
  trace::StreamOperation operation = trace::StreamOperation::read;
  std::uint64_t cores = 0;          ///< 0: all, else those of a grid of so many blocks
  std::vector<std::uint32_t> dies;  ///< compute dies whose cores take part; empty: all
  std::string placement;            ///< empty: as the machine says
  trace::Space space = trace::Space::global;
  memory::CacheOperator cache_operator = memory::CacheOperator::ca;
  Sharing sharing = Sharing::split;
  std::uint64_t part_bytes = 512U << 10U;  ///< what a block takes in turn
  std::uint64_t block_warps = 32;          ///< of a block that takes turns
  Home home = Home::any;
  std::uint64_t warps = 0;  ///< on each core; 0: as many as it holds
  std::uint64_t lanes = 0;  ///< 0: as wide as a warp
  std::uint64_t bytes_per_lane = 16;
  std::uint64_t lane_stride = 0;  ///< bytes from lane to lane; 0: bytes_per_lane
  std::uint64_t unroll = 4;       ///< loads a warp has in flight
  bool batch = false;             ///< all of them answer before the next are issued
  Cycles work_per_access{0};      ///< arithmetic of a warp before each access, core clocks
  Cycles work_per_batch{0};       ///< and once more before each batch
  bool blocked = false;           ///< each warp a part of its own; else grid-stride
  /// One pass timed from its start to its last answer, as a kernel with a grid
  /// barrier would see it (where it stores, less the way of an unhindered access: a
  /// barrier waits for loads, its own messages follow the stores); else the steady state in the midst of a long sweep.
  bool lockstep = false;
  /// All passes timed from the start to the last answer, as a kernel is timed:
  /// cores that were served worse than others then set the end.
  bool whole = false;
  std::uint64_t timed_bytes = 0;  ///< 0: enough for a steady state
  std::uint64_t seed = 1;
  stats::Detail statistics = stats::Detail::none;
};

using ResourceUse = stats::ResourceUse;

/// Whether the window is long enough for a rate.
using Steadiness = stats::Steadiness;

/// No window grows past this: some loads never come to rest.
inline constexpr std::uint64_t most_timed_bytes = 512U << 20U;

struct BandwidthPoint {
  std::uint64_t footprint_bytes = 0;
  double bytes_per_second = 0;
  double bytes_per_clock_per_core = 0;  ///< of the core clock
  std::uint64_t cores = 0;
  std::uint64_t warps = 0;               ///< on each core
  double seconds = 0;                    ///< watched
  std::uint64_t bytes = 0;               ///< moved meanwhile
  std::uint64_t timed_bytes = 0;         ///< the same and what is left out at both ends
  std::optional<Steadiness> steadiness;  ///< none where start and end are timed as well
  /// What the slowest core moved of the mean; none where parts are taken in turn, where start and end are
  /// timed as well, and where the window is short or not steady.
  std::optional<double> slowest_core;
  double mean_latency_ns = 0;           ///< of an instruction
  double unhindered_latency_ns = 0;     ///< the same, if each took as long as the fastest of its level
  std::vector<stats::LevelUse> levels;  ///< from core to memory, in the same window
  std::vector<ResourceUse> resources;   ///< the busiest kind first
  std::vector<std::string> shortages;   ///< buffers that keep a link or slice from its width, in words
  double dram_row_hit_rate = 0;         ///< NaN where none was read
  double dram_bus_share = 0;
  std::vector<stats::Statistic> statistics;  ///< in the same window, where they were asked for
  std::uint64_t transactions = 0;            ///< over the whole run
  std::uint64_t fingerprint = 0;
};

/// One point, in the window that the question says. Throws std::invalid_argument where the question does not fit the
/// machine: a footprint too small for its warps or too large for its memory,
/// cores or dies that are not there. executor: of the
/// machine's processes, nullptr: one after the other. Changes no figure.
BandwidthPoint measure_bandwidth(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                                 std::uint64_t footprint_bytes, engine::Executor* executor = nullptr);

/// The same in a window that is doubled until it is steady, or as long as any may be.
BandwidthPoint measure_steady_bandwidth(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                                        std::uint64_t footprint_bytes, engine::Executor* executor = nullptr);

}  // namespace strata::study
