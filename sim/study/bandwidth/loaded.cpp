// SPDX-License-Identifier: Apache-2.0
#include "study/bandwidth/loaded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>

#include "base/invalid_request.hpp"
#include "machine/levels.hpp"
#include "machine/machine.hpp"
#include "study/bandwidth/streaming_load.hpp"
#include "study/latency/latency.hpp"
#include "study/watch.hpp"
#include "trace/pointer_chase.hpp"

namespace strata::study {

namespace {

// Number of loads of all chains that are skipped while queues fill, and of those that are then
// counted. On an idle machine they are those of measure_latency(); under load the simulation of
// each includes all traffic of the other cores in that time.
struct Loads {
  std::uint64_t settling = 0;
  std::uint64_t counted = 0;

  Loads(std::uint64_t chains, bool idle)
      : settling(idle ? 0 : std::max<std::uint64_t>(12, 6 * chains)),
        counted(idle ? LatencyQuestion{}.timed_loads : std::max<std::uint64_t>(160, 14 * chains)) {}
  std::uint64_t all() const { return settling + counted; }
};

struct Others {
  std::uint64_t completed = 0;

  static void on_completion(void* self, std::uint32_t, Duration, unsigned) { ++static_cast<Others*>(self)->completed; }
};

// Counts from the end of the settling loads to that of the last one.
struct Chaser {
  engine::Simulation& simulation;
  const Others& others;
  Loads wanted;
  Watch& watch;
  std::uint64_t loads = 0;
  Duration latency{};
  Time begun{};
  std::uint64_t others_begun = 0;
  std::array<std::uint64_t, 16> served{};  // counted loads, by level

  static void on_completion(void* self, std::uint32_t, Duration latency, unsigned served_by) {
    auto& chaser = *static_cast<Chaser*>(self);
    ++chaser.loads;
    if (chaser.loads == chaser.wanted.settling) {
      chaser.begun = chaser.simulation.now();
      chaser.others_begun = chaser.others.completed;
      chaser.watch.restart();
    }
    if (chaser.loads > chaser.wanted.settling && chaser.loads <= chaser.wanted.all()) {
      chaser.latency += latency;
      ++chaser.served[served_by];
    }
    if (chaser.loads == chaser.wanted.all()) chaser.simulation.stop();
  }
};

}  // namespace

LoadedPoint measure_loaded(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                           std::uint64_t footprint_bytes, double injected_bytes_per_second, std::uint64_t chains) {
  if (trace::within_cores(question.space))
    throw InvalidRequest(question.space == trace::Space::shared
                             ? "shared memory is private to a core: the others put no load on it"
                             : "the chain of loads under load reads memory: remove the cluster space");
  if (question.sharing == Sharing::turns)
    throw InvalidRequest("cores that share in turns run at the maximum rate: an injected rate needs another sharing");
  if (question.home == Home::near || question.home == Home::far)
    throw InvalidRequest("the chain loads near and far lines: remove the home of the streams");
  machine::Machine machine(spec);
  BandwidthQuestion endless = question;
  endless.timed_bytes = std::uint64_t{1} << 50U;  // for as long as the chaser runs
  const bool idle = !(injected_bytes_per_second > 0);
  // If nothing is injected, the data need not suffice for all cores.
  if (idle && (question.cores == 0 || question.cores > 2)) endless.cores = 2;
  StreamingLoad load(machine, endless, footprint_bytes, 1);
  LatencyQuestion chase;
  chase.space = question.space;
  chase.cache_operator = question.cache_operator;
  chase.seed = question.seed;
  const trace::ChaseRing ring = chase_ring(chase, load.spare_memory(), footprint_bytes);
  if (ring.nodes == 0)
    throw InvalidRequest(fmt::format("a footprint of {} bytes has no node: a chase takes one every {} bytes",
                                     footprint_bytes, chase.stride.value));
  const std::uint64_t start = warm_chase(machine, chase, load.spare_core(), ring);
  if (!idle) load.warm();

  const std::uint64_t side_by_side = std::min({chains, spec.core.warps, ring.nodes});
  Others others;
  Watch watch(machine, question.statistics);
  Chaser chaser{machine.simulation(), others, Loads(side_by_side, idle), watch};
  trace::Instruction pattern;
  pattern.space = question.space;
  pattern.cache_operator = question.cache_operator;
  pattern.lanes = 1;
  pattern.bytes_per_lane = 8;
  std::deque<trace::PointerChase> chases;
  for (std::uint64_t c = 0; c < side_by_side; ++c) {
    chases.emplace_back(ring, pattern, start + ring.nodes * c / side_by_side, chaser.wanted.all());
    machine.start(load.spare_core(), chases.back(), {&Chaser::on_completion, &chaser});
  }
  if (!idle) load.start({&Others::on_completion, &others}, injected_bytes_per_second);
  machine.run();
  machine.meter().require_balance();
  const Time ended = machine.simulation().now();
  const std::uint64_t others_ended = others.completed;
  LoadedPoint point;
  point.statistics = watch.rows();
  // Accesses in flight complete, so that lines and bytes can be balanced.
  load.stop();
  for (trace::PointerChase& one : chases) one.stop();
  while (!machine.run()) {
  }

  point.injected_bytes_per_second = injected_bytes_per_second;
  const double seconds = machine.timebase().to_nanoseconds(ended - chaser.begun) * 1e-9;
  point.bytes_per_second =
      static_cast<double>(others_ended - chaser.others_begun) * load.bytes_per_instruction() / seconds;
  point.loads = chaser.wanted.counted;
  point.latency_ns = machine.timebase().to_nanoseconds(chaser.latency) / static_cast<double>(point.loads);
  point.latency_cycles = machine.core_clock().count(chaser.latency) / static_cast<double>(point.loads);
  const std::vector<std::string> levels = machine::level_names(spec, question.space);
  for (std::size_t i = 0; i < levels.size(); ++i)
    point.served_by.push_back({levels[i], static_cast<double>(chaser.served[i]) / static_cast<double>(point.loads)});
  point.fingerprint = machine.simulation().fingerprint();
  return point;
}

}  // namespace strata::study
