// SPDX-License-Identifier: Apache-2.0
// What a machine did while it was watched, as plain figures: its levels, its resources
// and, of a kernel, where the time went. Studies fill them in and reports show them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stats/collector.hpp"
#include "stats/level_counts.hpp"

namespace strata::stats {

/// What one level did while it was watched.
struct LevelUse : LevelCounts {
  std::string name;
  bool shared_memory = false;        ///< the core's memory without tags, not a level of caches
  double bytes_per_second = 0;       ///< both ways
  double peak_bytes_per_second = 0;  ///< of its data ports; 0 where it has none to speak of
  double busy_fraction = 0;

  double share_of_peak() const;  ///< NaN without a peak
};

/// A kind of resource: all its instances that took part.
struct ResourceUse {
  std::string family;        ///< "die */L2 slice */data"
  std::string busiest;       ///< "die 0/L2 slice 12/data"
  double busy_fraction = 0;  ///< of the time watched, mean over the instances
  double busiest_busy_fraction = 0;
  std::uint64_t instances = 0;
  std::uint64_t bytes = 0;  ///< moved over all instances, headers included; 0 where none are counted
  Origin origin{};
};

/// Whether a window is long enough for a rate: it is in steady state if its two halves
/// agree, each lasts longer than an access takes, and no queues fill meanwhile.
struct Steadiness {
  static constexpr double within = 0.02;  ///< neither figure of a steady window is above this

  bool steady = false;
  double halves_differ = 0;  ///< of the mean of the two
  double queues_grow = 0;    ///< reserved time of the kind of resource with the most growth, of the window
};

struct NamedShare {
  std::string name;
  double share = 0;      ///< of 1
  double mean_ns = 0;    ///< of a stage: over all sampled requests
  std::string meaning;   ///< of a stall
  double begins_ns = 0;  ///< of a stage: after issue, mean over its visits
};

/// A pipe of the cores, as it bounds a kernel with this mix of instructions.
struct PipeRoof {
  std::string name;
  double busy_fraction = 0;     ///< of the time of the cores that had blocks
  double flops_per_second = 0;  ///< of the kernel, if the pipe never paused
  bool issues = false;          ///< a scheduler's port for instructions of any pipe

  std::string in_words() const { return issues ? name : name + " pipe"; }
};

/// How a kernel was run in part, where that was asked for.
struct Sampling {
  std::string whole_because;     ///< not empty: it was run whole, nothing is estimated
  std::uint64_t blocks_run = 0;  ///< the first ones
  double seconds_run = 0;        ///< launch, these blocks, and their end
  double window_seconds = 0;     ///< what stands for each part that was left out
  double halves_differ = 0;      ///< rates of the window's halves, of their mean
  double blocks_differ = 0;      ///< instructions of a block: standard deviation, of their mean
  double spread = 0;             ///< of the whole time, to either side, 0.01 for 1 %
};

/// Where a kernel was run in part, all figures but latencies and shares of stages, which are of
/// the part, are estimates for the whole.
struct KernelFigures {
  std::string name;
  std::optional<Sampling> sampling;
  double seconds = 0;
  double watched_seconds = 0;  ///< until all that it set going had come to rest
  double cycles = 0;           ///< of the core clock
  std::uint64_t blocks = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t accesses = 0;  ///< warp instructions that are accesses
  std::uint64_t flops = 0;
  std::uint64_t cores = 0;             ///< that had blocks
  std::vector<PipeRoof> pipes;         ///< that did any work, the busiest first
  std::uint64_t transactions = 0;      ///< line requests
  std::uint64_t sectors = 0;           ///< asked for by them
  std::string occupancy;               ///< in a sentence
  double occupancy_share = 0;          ///< of a core's warps, while the kernel ran, mean over cores in use
  std::vector<LevelUse> levels;        ///< from core to memory
  std::vector<ResourceUse> resources;  ///< the busiest kind first
  std::vector<std::string> shortages;  ///< buffers that keep a link or slice from its width, in words
  double dram_row_hit_rate = 0;        ///< NaN where none was read
  double dram_bus_share = 0;
  double latency_mean_ns = 0;  ///< of accesses, issue to answer
  double latency_p50_ns = 0;
  double latency_p99_ns = 0;
  std::vector<NamedShare> stages;     ///< of sampled requests' latency, the longest first
  std::vector<NamedShare> stalls;     ///< of the time of resident warps, the longest first
  std::vector<Statistic> statistics;  ///< of the time watched, where they were asked for
};

}  // namespace strata::stats
