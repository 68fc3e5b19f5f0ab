// SPDX-License-Identifier: Apache-2.0
#include "study/bandwidth/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "machine/machine.hpp"
#include "stats/baseline.hpp"
#include "study/bandwidth/level_use.hpp"
#include "study/bandwidth/resource_use.hpp"
#include "study/bandwidth/streaming_load.hpp"
#include "study/completions.hpp"
#include "study/latency/latency.hpp"
#include "study/watch.hpp"

namespace strata::study {

namespace {

// The state of the machine at an instant.
struct Instant {
  Time time{};    ///< of the last completion, to which rates refer
  Time looked{};  ///< when the rest was read: a divided machine pauses later
  std::uint64_t completed = 0;
  Duration latency{};
  std::vector<std::uint64_t> of_cores;  ///< completed
  std::vector<machine::LevelTraffic> levels;
  stats::Snapshot figures;
};

Instant look_at(machine::Machine& machine, const Completions& completions) {
  machine.meter().require_balance();
  const Completions::Sum sum = completions.sum();
  const Time now = machine.processes().now();
  return {sum.completed == 0 ? now : sum.last,
          now,
          sum.completed,
          sum.latency,
          completions.of_cores(),
          machine.meter().traffic(),
          machine.meter().snapshot()};
}

// Loads that need one event queue: blocks that take turns and accesses to host memory; and loads that do not leave the
// cores.
bool needs_one_process(const BandwidthQuestion& question) {
  return question.sharing == Sharing::turns || question.home == Home::host || trace::within_cores(question.space);
}

std::uint64_t bytes_of(const StreamingLoad& load, std::uint64_t instructions) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(instructions) * load.bytes_per_instruction()));
}

// What is watched, and the halves of it; instructions: of the window and of the quarters beside it.
struct Watched {
  std::uint64_t instructions = 0;
  Instant begin, middle, end;
  stats::Baseline before;                  ///< the figures at its begin
  std::optional<Steadiness> steadiness{};  ///< of a window in the midst
};

// The halves hold the same number of instructions, so their rates are inverse to their lengths.
Steadiness steadiness_of(const Watched& seen) {
  const auto rate = [](const Instant& from, const Instant& to) {
    return static_cast<double>(to.completed - from.completed) / static_cast<double>((to.time - from.time).ticks);
  };
  const double first = rate(seen.begin, seen.middle);
  const double second = rate(seen.middle, seen.end);
  // A half shorter than an access contains mostly accesses that were in flight when it began.
  const std::uint64_t completed = seen.end.completed - seen.begin.completed;
  const auto mean = static_cast<double>((seen.end.latency - seen.begin.latency).ticks) / static_cast<double>(completed);
  const bool long_enough = static_cast<double>((seen.end.time - seen.begin.time).ticks) >= 2 * mean;
  Steadiness steadiness;
  steadiness.halves_differ = 2 * std::abs(first - second) / (first + second);
  // While queues fill, a level in front of them moves more than the cores receive.
  steadiness.queues_grow = queues_grow(seen.end.figures, seen.before, seen.end.looked - seen.begin.looked);
  steadiness.steady = long_enough && std::max(steadiness.halves_differ, steadiness.queues_grow) <= Steadiness::within;
  return steadiness;
}

// In steady state the first and the last quarter are left out: pipelines fill in the first,
// and cores become idle in the last, which is not even simulated. A window that is not steady, but may double, continues
// to one of twice the instructions, which begins at its middle.
Watched watch_midst(machine::Machine& machine, const StreamingLoad& load, Completions& completions) {
  const auto look_after = [&](std::uint64_t completed) {
    completions.run_until(completed);
    return look_at(machine, completions);
  };
  Watched seen{load.instructions(), {}, {}, {}, {}};
  seen.begin = look_after(seen.instructions / 4);
  seen.before = std::exchange(seen.begin.figures, {});
  for (;;) {
    seen.middle = look_after(seen.instructions / 2);
    stats::Baseline at_middle = std::exchange(seen.middle.figures, {});
    seen.end = look_after(seen.instructions - seen.instructions / 4);
    const bool last = seen.instructions == load.most_instructions();
    seen.steadiness = steadiness_of(seen);
    if (last || seen.steadiness->steady) return seen;
    seen.instructions *= 2;
    seen.begin = std::move(seen.middle);
    seen.before = std::move(at_middle);
  }
}

// A core that gets little in one half and much in the other is not slower, and one that has ended is not slow.
std::optional<double> share_of_slowest(const Watched& seen, const StreamingLoad& load) {
  constexpr std::uint64_t many = 256;  // accesses of a core in a half
  const std::uint64_t half = (seen.end.completed - seen.begin.completed) / 2;
  if (half < many * load.cores()) return std::nullopt;
  const double mean = static_cast<double>(half) / static_cast<double>(load.cores());
  const double least_part =
      load.least_part() * static_cast<double>(load.most_instructions()) / static_cast<double>(load.cores());
  double slowest = 1;
  for (const std::uint32_t core : load.active_cores()) {
    const std::uint64_t done = seen.end.of_cores[core];
    if (static_cast<double>(done) >= 0.99 * least_part) continue;
    const std::uint64_t middle = seen.middle.of_cores[core];
    const std::uint64_t more = std::max(middle - seen.begin.of_cores[core], done - middle);
    slowest = std::min(slowest, static_cast<double>(more) / mean);
  }
  return slowest;
}

// From the first instruction to the last answer.
Watched watch_whole(machine::Machine& machine, const StreamingLoad& load, Completions& completions) {
  Watched seen{load.instructions(), look_at(machine, completions), {}, {}, {}};
  seen.before = std::exchange(seen.begin.figures, {});
  completions.run_until(seen.instructions);
  seen.end = look_at(machine, completions);
  seen.end.time = seen.end.looked = completions.sum().last;
  completions.finish();
  return seen;
}

BandwidthPoint measure(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                       std::uint64_t footprint_bytes, engine::Executor* executor, std::uint64_t doubles_to) {
  const bool with_ends = question.lockstep || question.whole;
  if (with_ends) doubles_to = 0;
  machine::Machine machine(spec, needs_one_process(question) ? machine::Division::whole : machine::Division::by_die);
  StreamingLoad load(machine, question, footprint_bytes, 0, doubles_to);
  load.warm();

  Completions completions(machine, executor);
  load.start(completions.listener());
  Watched seen = with_ends ? watch_whole(machine, load, completions) : watch_midst(machine, load, completions);
  const Instant& begin = seen.begin;
  const Instant& end = seen.end;
  // The time of a barrier is not counted, and a barrier does not wait for stores: its messages
  // follow them to the L2 and back. So the unloaded latency of a store is attributed to the
  // barrier.
  const bool stores = question.operation != trace::StreamOperation::read;
  const Duration barrier = question.lockstep && stores ? completions.sum().least : Duration{};

  BandwidthPoint point;
  point.footprint_bytes = load.footprint_bytes();
  point.cores = load.cores();
  point.warps = load.warps_per_core();
  const Duration watched = end.time - begin.time - barrier;
  point.seconds = machine.timebase().to_nanoseconds(watched) * 1e-9;
  point.timed_bytes = bytes_of(load, seen.instructions);
  const std::uint64_t completed = end.completed - begin.completed;
  point.bytes = bytes_of(load, completed);
  point.bytes_per_second = static_cast<double>(point.bytes) / point.seconds;
  point.bytes_per_clock_per_core =
      static_cast<double>(point.bytes) / machine.core_clock().count(watched) / static_cast<double>(point.cores);
  point.mean_latency_ns =
      machine.timebase().to_nanoseconds(end.latency - begin.latency) / static_cast<double>(completed);
  point.unhindered_latency_ns = machine.timebase().to_nanoseconds(completions.sum().unhindered());
  point.steadiness = seen.steadiness;
  if (point.steadiness && point.steadiness->steady && question.sharing != Sharing::turns)
    point.slowest_core = share_of_slowest(seen, load);
  const Duration moved_in = end.looked - begin.looked;
  point.levels = levels_between(begin.levels, end.levels, machine.timebase().to_nanoseconds(moved_in) * 1e-9);
  const stats::Snapshot between = std::move(seen.end.figures) - seen.before;
  point.resources = resource_use(between, moved_in);
  point.statistics = stats::statistics(between, question.statistics, window_of(machine, moved_in));
  point.shortages = machine.meter().shortages();
  const machine::LevelTraffic dram = end.levels.back() - begin.levels.back();
  point.dram_row_hit_rate = dram.hit_rate();
  point.dram_bus_share = point.levels.back().busy_fraction;
  point.transactions = machine.meter().transactions();
  point.fingerprint = machine.processes().fingerprint();
  return point;
}

}  // namespace

BandwidthPoint measure_bandwidth(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                                 std::uint64_t footprint_bytes, engine::Executor* executor) {
  return measure(spec, question, footprint_bytes, executor, 0);
}

BandwidthPoint measure_steady_bandwidth(const machine::MachineSpec& spec, const BandwidthQuestion& question,
                                        std::uint64_t footprint_bytes, engine::Executor* executor) {
  return measure(spec, question, footprint_bytes, executor, most_timed_bytes);
}

}  // namespace strata::study
