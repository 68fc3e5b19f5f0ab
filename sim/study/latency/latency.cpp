// SPDX-License-Identifier: Apache-2.0
#include "study/latency/latency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>

#include "base/invalid_request.hpp"
#include "machine/core_order.hpp"
#include "machine/levels.hpp"
#include "machine/machine.hpp"
#include "machine/warm_up.hpp"
#include "memory/journey_sampler.hpp"
#include "study/journey/stage_times.hpp"
#include "study/latency/chase_paths.hpp"
#include "study/watch.hpp"

namespace strata::study {

namespace {

// Adds up the completions of the timed loads.
struct Tally {
  Duration total{};
  std::uint64_t loads = 0;
  std::array<std::uint64_t, 16> served{};
  ChasePaths* paths = nullptr;

  static void on_completion(void* self, std::uint32_t core, Duration latency, unsigned served_by) {
    auto& tally = *static_cast<Tally*>(self);
    tally.total += latency;
    ++tally.loads;
    ++tally.served[served_by];
    if (tally.paths != nullptr) tally.paths->completed(core, latency, served_by);
  }
};

// A chasing thread: its ring, the core it sits on, where it begins.
struct Thread {
  trace::ChaseRing ring;
  std::uint32_t core = 0;
  std::uint64_t start = 0;
};

std::vector<Thread> place(machine::Machine& machine, const LatencyQuestion& question, std::uint64_t nodes) {
  const std::vector<std::uint32_t> order = machine::core_order(machine.spec(), question.placement);
  std::vector<Thread> threads(question.threads);
  for (std::uint64_t i = 0; i < question.threads; ++i) {
    Thread& thread = threads[i];
    const std::uint64_t first = question.segmented ? nodes * i / question.threads : 0;
    const std::uint64_t end = question.segmented ? nodes * (i + 1) / question.threads : nodes;
    thread.ring = {first * question.stride.value, end - first, question.stride.value, question.order,
                   mix(question.seed, question.segmented ? i : 0)};
    thread.core = order[i % order.size()];
    thread.start = question.segmented ? 0 : nodes * i / question.threads;
    keep_home(machine, question.home, thread.core, thread.ring);
  }
  return threads;
}

bool one_a_core(const std::vector<Thread>& threads) {
  std::set<std::uint32_t> cores;
  for (const Thread& thread : threads)
    if (!cores.insert(thread.core).second) return false;
  return true;
}

// One thread finds its steady state in one traversal where recency alone
// decides what stays. Several that share a partitioned L2 crowd each other out at
// first and settle over laps, the more the fuller it is: an H200 with 132 of
// them takes two at 40 MiB, five at 44 and ten at 48 (docs/design/warm-up.md).
constexpr std::uint64_t laps_to_settle = 12;

// No ring takes more rounds than this to settle, whatever chooses the victims.
constexpr std::uint64_t most_rounds = 16;

// Traversals of the whole footprint, and how many touches of them are made:
// only what is touched last can still be in a cache, so what lies further back
// than a machine-given number of touches is left out.
std::uint64_t touches_of(const machine::Machine& machine, const LatencyQuestion& question,
                         const std::vector<Thread>& threads) {
  std::uint64_t nodes = 0;
  for (const Thread& thread : threads) nodes = question.segmented ? nodes + thread.ring.nodes : thread.ring.nodes;
  const std::uint64_t budget = machine::warm_up_touches(machine.spec());
  // What does not fit in the caches settles at once; the budget is at least twice them.
  const bool settles = threads.size() > 1 && nodes <= budget / 2;
  const std::uint64_t laps = question.warm_laps > 0 ? question.warm_laps : settles ? laps_to_settle : 1;
  std::uint64_t touches = laps * nodes;
  if (question.warm_laps == 0)
    touches = std::max(touches, std::min(most_rounds * nodes, machine::settling_touches(machine.spec())));
  return question.whole_warm_up || settles ? touches : std::min(touches, budget);
}

// Brings caches, TLBs and row buffers to steady state without timing. Threads
// take turns at random, as those of a real grid drift apart: in lockstep they
// would evict each other for ever. Each thread's start moves on to where its
// warm-up ended.
void warm(machine::Machine& machine, const LatencyQuestion& question, std::vector<Thread>& threads) {
  std::vector<trace::ChasePath> paths;
  for (const Thread& thread : threads) paths.emplace_back(thread.ring);
  const std::uint64_t touches = touches_of(machine, question, threads);
  if (threads.size() == 1) {
    // Ends where the timed walk begins, so a short ring is timed from its start.
    Thread& only = threads.front();
    only.start = (only.start + only.ring.nodes - touches % only.ring.nodes) % only.ring.nodes;
  }
  // A ring far longer than the first-level cache never finds itself there, so
  // that cache is walked past until the touches that may remain in it.
  const std::uint64_t remembered = 8 * machine::first_level_lines(machine.spec(), question.space);
  const bool far_longer = threads.size() == 1 && threads.front().ring.nodes > remembered;
  const std::uint64_t past_the_first_level = far_longer && touches > remembered ? touches - remembered : 0;
  // Addresses are drawn a few touches ahead, so that the host can fetch the tags.
  struct Due {
    std::uint32_t core;
    std::uint64_t address;
  };
  std::array<Due, 8> ahead{};
  RandomSequence turns{mix(question.seed, threads.size())};
  for (std::uint64_t i = 0; i < touches + ahead.size(); ++i) {
    Due& due = ahead[i % ahead.size()];
    if (i >= ahead.size()) {
      const bool all = i - ahead.size() >= past_the_first_level;
      machine.touch(due.core, due.address, question.bytes_per_lane, question.space, question.cache_operator,
                    all ? machine::Reach::every_level : machine::Reach::past_first_level);
    }
    if (i >= touches) continue;
    const std::size_t turn = threads.size() == 1 ? 0 : turns.below(threads.size());
    Thread& thread = threads[turn];
    due = {thread.core, paths[turn].address(thread.start)};
    machine.expect(due.core, due.address);
    if (++thread.start == thread.ring.nodes) thread.start = 0;
  }
}

// The widest load of a lane.
constexpr std::uint64_t most_bytes_per_lane = 16;

/// What a footprint must fit in.
struct Room {
  std::uint64_t bytes;
  const char* name;
  const char* setting;
};

Room room_for(const machine::MachineSpec& spec, const LatencyQuestion& question) {
  if (question.space == trace::Space::shared)
    return {spec.core.shared_memory.size.value, "shared memory", "core.shared_memory.size"};
  if (question.home == ChaseHome::host && spec.host) return {spec.host->size.value, "the host's memory", "host.size"};
  return {spec.memory.size.value, "memory", "memory.size"};
}

void check(const machine::MachineSpec& spec, const LatencyQuestion& question, std::uint64_t footprint,
           std::uint64_t nodes) {
  const Room room = room_for(spec, question);
  if (footprint > room.bytes)
    throw InvalidRequest(
        fmt::format("a footprint of {} bytes does not fit in {} bytes of {}", footprint, room.bytes, room.name),
        {room.setting});
  if (question.threads == 0) throw InvalidRequest("no thread to chase");
  if (question.lanes == 0 || question.lanes > trace::most_lanes)
    throw InvalidRequest(fmt::format("a warp has 1 to {} lanes, not {}", trace::most_lanes, question.lanes));
  if (question.lanes > spec.core.warp_width)
    throw InvalidRequest(
        fmt::format("{} has warps of {} lanes, not {}", spec.name, spec.core.warp_width, question.lanes),
        {"core.warp_width"});
  if (question.bytes_per_lane == 0 || question.bytes_per_lane > most_bytes_per_lane)
    throw InvalidRequest(
        fmt::format("a lane reads 1 to {} bytes, not {}", most_bytes_per_lane, question.bytes_per_lane));
  const std::uint64_t resident = spec.dies.compute * spec.dies.cores_per_die * spec.core.warps;
  if (question.threads > resident)
    throw InvalidRequest(fmt::format("{} blocks do not fit at once: {} holds {} warps on all its cores",
                                     question.threads, spec.name, resident),
                         {"core.warps", "dies.cores_per_die", "dies.compute"});
  if (nodes < (question.segmented ? question.threads : 1))
    throw InvalidRequest(fmt::format("a footprint of {} bytes has {} nodes {} bytes apart; {} are needed", footprint,
                                     nodes, question.stride.value, question.segmented ? question.threads : 1));
  if (question.space == trace::Space::shared && question.threads > 1)
    throw InvalidRequest("shared memory belongs to one block: chase it with one thread");
  if ((question.home == ChaseHome::near || question.home == ChaseHome::far) && question.threads > 1)
    throw InvalidRequest("near and far are as one core sees them: chase with one thread");
  if (question.home != ChaseHome::any && question.space == trace::Space::shared)
    throw InvalidRequest("shared memory is the core's own: none of it is near or far");
  check_space(spec, question.space);
}

}  // namespace

trace::ChaseRing chase_ring(const LatencyQuestion& question, std::uint64_t first, std::uint64_t footprint_bytes) {
  return {first, footprint_bytes / question.stride.value, question.stride.value, question.order, mix(question.seed, 0)};
}

std::uint64_t warm_chase(machine::Machine& machine, const LatencyQuestion& question, std::uint32_t core,
                         const trace::ChaseRing& ring) {
  std::vector<Thread> threads{{ring, core, 0}};
  warm(machine, question, threads);
  return threads.front().start;
}

void check_space(const machine::MachineSpec& spec, trace::Space space) {
  if ((space == trace::Space::scalar && !spec.scalar_cache) || (space == trace::Space::texture && !spec.texture_cache))
    throw InvalidRequest(fmt::format("{} has no {} cache in its configuration", spec.name,
                                     space == trace::Space::scalar ? "scalar" : "texture"),
                         {space == trace::Space::scalar ? "scalar_cache" : "texture_cache"});
}

std::vector<std::uint64_t> footprints(Bytes from, Bytes to, double points_per_octave, Bytes stride) {
  std::vector<std::uint64_t> all;
  for (int i = 0;; ++i) {
    const double exact = static_cast<double>(from.value) * std::exp2(i / points_per_octave);
    // A small margin, so that rounding of exp2 cannot lose the last point.
    if (exact > static_cast<double>(to.value) * (1 + 1e-9)) break;
    const std::uint64_t footprint = whole_strides(static_cast<std::uint64_t>(exact + 0.5), stride);
    if (all.empty() || all.back() != footprint) all.push_back(footprint);
  }
  const std::uint64_t last = whole_strides(to.value, stride);
  if (all.empty() || all.back() < last) all.push_back(last);
  return all;
}

std::uint64_t whole_strides(std::uint64_t footprint_bytes, Bytes stride) {
  return std::max<std::uint64_t>((footprint_bytes + stride.value / 2) / stride.value, 1) * stride.value;
}

void keep_what_fits(std::vector<std::uint64_t>& footprints, const machine::MachineSpec& spec,
                    const LatencyQuestion& question) {
  const std::uint64_t room = room_for(spec, question).bytes;
  std::erase_if(footprints, [room](std::uint64_t footprint) { return footprint > room; });
}

LatencyPoint measure_latency(const machine::MachineSpec& spec, const LatencyQuestion& question,
                             std::uint64_t footprint_bytes) {
  if (question.stride.value == 0) throw InvalidRequest("a stride of 0 bytes leads nowhere");
  const std::uint64_t nodes = footprint_bytes / question.stride.value;
  check(spec, question, footprint_bytes, nodes);

  machine::Machine machine(spec);
  std::vector<Thread> threads = place(machine, question, nodes);
  if (question.space != trace::Space::shared) warm(machine, question, threads);

  const Watch watch(machine, question.statistics);
  memory::JourneySampler sampler(1);
  Tally tally;
  ChasePaths paths(machine);
  if (question.paths && one_a_core(threads)) {
    paths.listen(sampler);
    tally.paths = &paths;
  }
  if (question.stages || tally.paths != nullptr) machine.sample({&sampler, 1});
  trace::Instruction pattern;
  pattern.space = question.space;
  pattern.cache_operator = question.cache_operator;
  pattern.lanes = static_cast<std::uint8_t>(question.lanes);
  pattern.bytes_per_lane = static_cast<std::uint8_t>(question.bytes_per_lane);
  // Enough loads that refresh and row conflicts are met in proportion, also
  // where the ring is short.
  const std::uint64_t each = std::max<std::uint64_t>(question.timed_loads / threads.size(), 64);
  std::vector<std::unique_ptr<trace::PointerChase>> chases;
  for (const Thread& thread : threads) {
    chases.push_back(std::make_unique<trace::PointerChase>(thread.ring, pattern, thread.start, each));
    machine.start(thread.core, *chases.back(), {&Tally::on_completion, &tally});
  }
  machine.run();

  LatencyPoint point;
  point.footprint_bytes = nodes * question.stride.value;
  point.loads = tally.loads;
  point.statistics = watch.rows();
  if (question.stages) point.stages = stage_times(sampler, machine);
  const Duration total = tally.total;
  const auto loads = static_cast<double>(tally.loads);
  point.latency_ns = machine.timebase().to_nanoseconds(total) / loads;
  point.latency_cycles = machine.core_clock().count(total) / loads;
  const std::vector<std::string> levels = machine::level_names(machine.spec(), question.space);
  for (std::size_t i = 0; i < levels.size(); ++i)
    point.served_by.push_back({levels[i], static_cast<double>(tally.served[i]) / loads});
  point.paths = paths.most_common(levels);
  point.fingerprint = machine.simulation().fingerprint();
  return point;
}

}  // namespace strata::study
