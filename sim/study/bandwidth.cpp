// SPDX-License-Identifier: Apache-2.0
#include "study/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "machine/machine.hpp"
#include "study/latency.hpp"
#include "study/level_traffic.hpp"
#include "study/resource_use.hpp"
#include "study/streaming_load.hpp"

namespace strata::study {

namespace {

// Instructions that have completed; stops the run where it is to be looked at.
struct Progress {
  engine::Simulation* simulation = nullptr;
  std::uint64_t completed = 0;
  std::uint64_t stop_at = std::numeric_limits<std::uint64_t>::max();
  Duration latency{};
  Time last{};
  Duration least{std::numeric_limits<std::int64_t>::max()};  ///< latency

  static void on_completion(void* self, std::uint32_t, Duration latency, unsigned) {
    auto& progress = *static_cast<Progress*>(self);
    progress.latency += latency;
    progress.least = std::min(progress.least, latency);
    progress.last = progress.simulation->now();
    if (++progress.completed == progress.stop_at) progress.simulation->stop();
  }
};

// All that is known of the machine at an instant.
struct Instant {
  Time time{};
  std::uint64_t completed = 0;
  Duration latency{};
  std::vector<machine::LevelTraffic> levels;
  stats::Snapshot snapshot;
};

Instant look_at(machine::Machine& machine, const Progress& progress) {
  return {machine.simulation().now(), progress.completed, progress.latency, machine.traffic(),
          machine.snapshot()};
}

}  // namespace

BandwidthPoint measure_bandwidth(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                                 std::uint64_t footprint_bytes) {
  machine::Machine machine(spec);
  StreamingLoad load(machine, question, footprint_bytes);
  load.warm();

  Progress progress{&machine.simulation()};
  load.start({&Progress::on_completion, &progress});
  const std::uint64_t all = load.instructions();
  // In steady state the first and the last quarter are left out: caches fill
  // their pipes in one, and cores that are done fall silent in the other.
  Instant begin;
  Instant end;
  if (question.lockstep || question.whole) {
    begin = look_at(machine, progress);
    machine.run();
    end = look_at(machine, progress);
    end.time = progress.last;
    // What a barrier costs is not counted, and it does not wait for stores: its own
    // messages follow them to the L2 and back. So the way of one that meets nothing
    // is the barrier's.
    const bool stores = question.operation != trace::StreamOperation::read;
    if (question.lockstep && stores) end.time = end.time + Duration{-progress.least.ticks};
  } else {
    progress.stop_at = all / 4;
    machine.run();
    begin = look_at(machine, progress);
    progress.stop_at = all - all / 4;
    machine.run();
    end = look_at(machine, progress);
    progress.stop_at = std::numeric_limits<std::uint64_t>::max();
    machine.run();
  }

  BandwidthPoint point;
  point.footprint_bytes = load.footprint_bytes();
  point.cores = load.cores();
  point.warps = load.warps_per_core();
  const Duration watched = end.time - begin.time;
  point.seconds = machine.timebase().to_nanoseconds(watched) * 1e-9;
  const std::uint64_t completed = end.completed - begin.completed;
  point.bytes = static_cast<std::uint64_t>(std::llround(static_cast<double>(completed) * load.bytes_per_instruction()));
  point.bytes_per_second = static_cast<double>(point.bytes) / point.seconds;
  point.bytes_per_clock_per_core = static_cast<double>(point.bytes) /
                                   machine.core_clock().count(watched) / static_cast<double>(point.cores);
  point.mean_latency_ns = machine.timebase().to_nanoseconds(end.latency - begin.latency) / static_cast<double>(completed);
  point.levels = levels_between(begin.levels, end.levels, point.seconds);
  point.resources = resource_use(end.snapshot - begin.snapshot, watched);
  point.shortages = machine.shortages();
  const machine::LevelTraffic dram = end.levels.back().since(begin.levels.back());
  point.dram_row_hit_rate = static_cast<double>(dram.row_hits) / static_cast<double>(dram.row_accesses);
  point.dram_bus_share = point.levels.back().busy_fraction;
  point.transactions = machine.transactions();
  point.fingerprint = machine.simulation().fingerprint();
  return point;
}

}  // namespace strata::study
