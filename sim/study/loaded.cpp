// SPDX-License-Identifier: Apache-2.0
#include "study/loaded.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "base/invalid_request.hpp"
#include "machine/machine.hpp"
#include "study/streaming_load.hpp"
#include "trace/pointer_chase.hpp"

namespace strata::study {

namespace {

// One chain of loads would have to run for as long as all it counts; some chains
// side by side on one core, hardly a load themselves, count as many sooner.
constexpr std::uint64_t chains = 32;
// The first loads find queues that are still filling.
constexpr std::uint64_t settling_loads = 6 * chains;
constexpr std::uint64_t counted_loads = 14 * chains;

struct Others {
  std::uint64_t completed = 0;

  static void on_completion(void* self, std::uint32_t, Duration, unsigned) {
    ++static_cast<Others*>(self)->completed;
  }
};

// Counts from the end of the settling loads to that of the last one.
struct Chaser {
  engine::Simulation& simulation;
  const Others& others;
  std::uint64_t loads = 0;
  Duration latency{};
  Time begun{};
  std::uint64_t others_begun = 0;

  static void on_completion(void* self, std::uint32_t, Duration latency, unsigned) {
    auto& chaser = *static_cast<Chaser*>(self);
    ++chaser.loads;
    if (chaser.loads == settling_loads) {
      chaser.begun = chaser.simulation.now();
      chaser.others_begun = chaser.others.completed;
    }
    if (chaser.loads > settling_loads) chaser.latency += latency;
    if (chaser.loads == settling_loads + counted_loads) chaser.simulation.stop();
  }
};

}  // namespace

LoadedPoint measure_loaded(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                           std::uint64_t footprint_bytes, double injected_bytes_per_second) {
  if (question.space == trace::Space::shared)
    throw InvalidRequest("shared memory is a core's own: the others put no load on it");
  if (question.sharing == Sharing::turns)
    throw InvalidRequest("cores that share in turns go as fast as they can: a rate needs another sharing");
  if (question.home == Home::near || question.home == Home::far)
    throw InvalidRequest("the chaser meets near and far lines alike: leave out the home of the others'");
  machine::Machine machine(spec);
  BandwidthQuestion endless = question;
  endless.timed_bytes = std::uint64_t{1} << 50U;  // for as long as the chaser runs
  StreamingLoad load(machine, endless, footprint_bytes, 1);
  load.warm();

  Others others;
  Chaser chaser{machine.simulation(), others};
  trace::ChaseRing ring;
  ring.nodes = footprint_bytes / ring.stride;
  ring.first = load.spare_memory();
  ring.seed = mix(question.seed, footprint_bytes);
  trace::Instruction pattern;
  pattern.space = question.space;
  pattern.cache_operator = question.cache_operator;
  pattern.lanes = 1;
  pattern.bytes_per_lane = 8;
  const std::uint64_t side_by_side = std::min({chains, spec.core.warps, ring.nodes});
  std::deque<trace::PointerChase> chases;
  for (std::uint64_t c = 0; c < side_by_side; ++c) {
    chases.emplace_back(ring, pattern, ring.nodes * c / side_by_side,
                        settling_loads + counted_loads);
    machine.start(load.spare_core(), chases.back(), {&Chaser::on_completion, &chaser});
  }
  if (injected_bytes_per_second > 0)
    load.start({&Others::on_completion, &others}, injected_bytes_per_second);
  machine.run();

  LoadedPoint point;
  point.injected_bytes_per_second = injected_bytes_per_second;
  const double seconds =
      machine.timebase().to_nanoseconds(machine.simulation().now() - chaser.begun) * 1e-9;
  point.bytes_per_second = static_cast<double>(others.completed - chaser.others_begun) *
                           load.bytes_per_instruction() / seconds;
  point.loads = chaser.loads - settling_loads;
  point.latency_ns =
      machine.timebase().to_nanoseconds(chaser.latency) / static_cast<double>(point.loads);
  point.fingerprint = machine.simulation().fingerprint();
  return point;
}

}  // namespace strata::study
