// SPDX-License-Identifier: Apache-2.0
// The question "how long does a load take, given how much memory is in use?":
// a pointer chase over a footprint, warmed to steady state, then timed. One
// point is one machine, so points are independent and can be measured side by
// side with the same answers.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "machine/spec.hpp"
#include "stats/collector.hpp"
#include "stats/kernel_figures.hpp"
#include "study/latency/chase_home.hpp"
#include "study/latency/level_path.hpp"
#include "trace/instruction.hpp"
#include "trace/pointer_chase.hpp"

namespace strata::machine {
class Machine;
}

namespace strata::study {

/// Bytes of a lane's widest load; a bulk copy may have more.
inline constexpr std::uint64_t most_bytes_of_load = 16;

struct LatencyQuestion {
  Bytes stride{128};
  std::uint64_t threads = 1;  ///< one-lane blocks, placed by the block scheduler
  bool segmented = false;     ///< the array cut into a segment a thread
  std::uint64_t lanes = 1;    ///< active lanes of the chasing warp
  std::uint64_t bytes_per_lane = 8;
  trace::Space space = trace::Space::global;
  memory::CacheOperator cache_operator = memory::CacheOperator::ca;
  trace::ChaseOrder order = trace::ChaseOrder::random;
  ChaseHome home = ChaseHome::any;  ///< as the core of the one thread sees it
  std::string placement;            ///< empty: as the machine says
  std::uint64_t seed = 1;
  std::uint64_t timed_loads = 16384;  ///< at most, over all threads
  /// Touch every line in warm-up, however large the footprint.
  bool whole_warm_up = false;
  /// Traversals before timing where several threads share a cache that could
  /// hold it all; 0: as many as steady state took on silicon.
  std::uint64_t warm_laps = 0;
  stats::Detail statistics = stats::Detail::none;
  bool stages = false;  ///< records the stages of the timed loads
  bool paths = false;   ///< records them in order, by level; at most one thread a core
};

struct LevelShare {
  std::string level;
  double share = 0;  ///< of the timed loads
};

struct LatencyPoint {
  std::uint64_t footprint_bytes = 0;
  double latency_ns = 0;
  double latency_cycles = 0;  ///< of the core clock
  std::vector<LevelShare> served_by;
  std::uint64_t loads = 0;                   ///< timed
  std::vector<stats::NamedShare> stages;     ///< of these loads, of their line requests, where they were asked for
  std::vector<LevelPath> paths;              ///< of these loads, where they were asked for
  std::vector<stats::Statistic> statistics;  ///< of these loads, where they were asked for
  std::uint64_t fingerprint = 0;
};

/// Footprints from `from` to `to`, both included, so many an octave, each a
/// whole number of strides.
std::vector<std::uint64_t> footprints(Bytes from, Bytes to, double points_per_octave, Bytes stride);

/// A footprint rounded to the nearest whole number of strides, at least one.
std::uint64_t whole_strides(std::uint64_t footprint_bytes, Bytes stride);

/// The ring that one thread of the question walks from `first` on.
trace::ChaseRing chase_ring(const LatencyQuestion& question, std::uint64_t first, std::uint64_t footprint_bytes);

/// Brings caches, TLBs and row buffers to where an endless walk of one thread on that core
/// would have them. Returns the step of the ring at which it continues.
std::uint64_t warm_chase(machine::Machine& machine, const LatencyQuestion& question, std::uint32_t core,
                         const trace::ChaseRing& ring);

/// Throws std::invalid_argument where the machine has no such space.
void check_space(const machine::MachineSpec& spec, trace::Space space);

/// Drops the footprints that exceed the capacity of the address space.
void keep_what_fits(std::vector<std::uint64_t>& footprints, const machine::MachineSpec& spec,
                    const LatencyQuestion& question);

/// One point of the curve. footprint is at least one stride a thread; what is
/// beyond the last whole stride is left out. Throws std::invalid_argument where
/// the question does not fit the machine: a footprint larger than its memory or,
/// in shared space, than its shared memory; more threads than nodes; a space
/// the machine does not have.
LatencyPoint measure_latency(const machine::MachineSpec& spec, const LatencyQuestion& question,
                             std::uint64_t footprint_bytes);

}  // namespace strata::study
