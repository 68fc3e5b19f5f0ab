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
#include "machine/blocks/shares.hpp"
#include "machine/core_order.hpp"
#include "machine/layout/numa.hpp"
#include "machine/levels.hpp"
#include "machine/machine.hpp"
#include "memory/journey_sampler.hpp"
#include "study/journey/stage_times.hpp"
#include "study/latency/chase_paths.hpp"
#include "study/latency/chase_warm_up.hpp"
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

std::vector<ChaseThread> place(machine::Machine& machine, const LatencyQuestion& question, std::uint64_t nodes) {
  const std::vector<std::uint32_t> order = machine::core_order(machine.spec(), question.placement);
  const std::uint64_t full = question.threads / order.size() * order.size();
  const std::vector<std::uint32_t> last =
      machine::cores_of_grid(machine.spec(), question.placement, question.threads - full);
  std::vector<ChaseThread> threads(question.threads);
  for (std::uint64_t i = 0; i < question.threads; ++i) {
    ChaseThread& thread = threads[i];
    const std::uint64_t first = question.segmented ? nodes * i / question.threads : 0;
    const std::uint64_t end = question.segmented ? nodes * (i + 1) / question.threads : nodes;
    thread.ring = {first * question.stride.value, end - first, question.stride.value, question.order,
                   mix(question.seed, question.segmented ? i : 0)};
    thread.core = i < full ? order[i % order.size()] : last[i - full];
    thread.start = question.segmented ? 0 : nodes * i / question.threads;
    keep_home(machine, question.home, thread.core, thread.ring);
  }
  return threads;
}

bool one_a_core(const std::vector<ChaseThread>& threads) {
  std::set<std::uint32_t> cores;
  for (const ChaseThread& thread : threads)
    if (!cores.insert(thread.core).second) return false;
  return true;
}

/// What a footprint must fit in.
struct Room {
  std::uint64_t bytes;
  const char* name;
  const char* setting;
};

Room room_for(const machine::MachineSpec& spec, const LatencyQuestion& question) {
  if (trace::within_cores(question.space))
    return {spec.core.shared_memory.size.value, "shared memory", "core.shared_memory.size"};
  if (question.home == ChaseHome::host && spec.host) return {spec.host->size.value, "the host's memory", "host.size"};
  // A chase from address 0 lies in the memory of the first die.
  if (question.home == ChaseHome::any && machine::has_domains(spec))
    return {machine::memory_of_die(spec).value, "one memory die with memory.interleave = per_die", "memory.size"};
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
  if (question.bytes_per_lane == 0 || question.bytes_per_lane > most_bytes_of_load)
    throw InvalidRequest(
        fmt::format("a lane reads 1 to {} bytes, not {}", most_bytes_of_load, question.bytes_per_lane));
  const std::uint64_t resident = spec.dies.compute * spec.dies.cores_per_die * spec.core.warps;
  if (question.threads > resident)
    throw InvalidRequest(fmt::format("{} blocks do not fit at once: {} holds {} warps on all its cores",
                                     question.threads, spec.name, resident),
                         {"core.warps", "dies.cores_per_die", "dies.compute"});
  if (nodes < (question.segmented ? question.threads : 1))
    throw InvalidRequest(fmt::format("a footprint of {} bytes has {} nodes {} bytes apart; {} are needed", footprint,
                                     nodes, question.stride.value, question.segmented ? question.threads : 1));
  if (trace::within_cores(question.space) && question.threads > 1)
    throw InvalidRequest("shared memory belongs to one block: chase it with one thread");
  if ((question.home == ChaseHome::near || question.home == ChaseHome::far) && question.threads > 1)
    throw InvalidRequest("near and far refer to one core: chase with one thread");
  if (question.home != ChaseHome::any && trace::within_cores(question.space))
    throw InvalidRequest("shared memory is private to the core: it has no near or far part");
  check_space(spec, question.space);
}

}  // namespace

trace::ChaseRing chase_ring(const LatencyQuestion& question, std::uint64_t first, std::uint64_t footprint_bytes) {
  return {first, footprint_bytes / question.stride.value, question.stride.value, question.order, mix(question.seed, 0)};
}

std::uint64_t warm_chase(machine::Machine& machine, const LatencyQuestion& question, std::uint32_t core,
                         const trace::ChaseRing& ring) {
  std::vector<ChaseThread> threads{{ring, core, 0}};
  warm(machine, question, threads);
  return threads.front().start;
}

void check_space(const machine::MachineSpec& spec, trace::Space space) {
  if (space == trace::Space::cluster && !spec.core.cluster)
    throw InvalidRequest(fmt::format("{} has no network from core to core: core.cluster is none", spec.name),
                         {"core.cluster"},
                         "give core.cluster in a file on this base, as configs/parts/hopper-sm.yaml does");
  for (std::uint32_t core = 0; space == trace::Space::cluster && core < spec.dies.cores_per_die; ++core)
    if (machine::next_in_group(spec.dies, core) == core)
      throw InvalidRequest(fmt::format("core {} is alone in its group, so there is no other core to read", core),
                           {"dies.group_sizes", "dies.cores_per_group", "dies.cores_per_die"},
                           "give each group two cores or more");
  if (space == trace::Space::bulk && !spec.core.bulk_copy)
    throw InvalidRequest(fmt::format("{} has no {}: core.bulk_copy is none", spec.name, compute::BulkCopySpec::name),
                         {"core.bulk_copy"},
                         "give core.bulk_copy in a file on this base, as configs/parts/hopper-sm.yaml does");
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
  if (question.stride.value == 0) throw InvalidRequest("a stride of 0 bytes is not allowed: it must be 1 or more");
  const std::uint64_t nodes = footprint_bytes / question.stride.value;
  check(spec, question, footprint_bytes, nodes);

  machine::Machine machine(spec);
  std::vector<ChaseThread> threads = place(machine, question, nodes);
  if (!trace::within_cores(question.space)) {
    if (misses_all_caches(machine, question, threads))
      warm_past_caches(machine, question, threads.front());
    else
      warm(machine, question, threads);
  }

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
  const std::uint64_t enough = std::max<std::uint64_t>(question.timed_loads / threads.size(), 64);
  const auto [each, pieces] = timed_part(spec, question, threads, enough);
  std::vector<std::unique_ptr<trace::PointerChase>> chases;
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    if (piece > 0) walk_on(machine, question, threads.front(), (threads.front().ring.nodes - each) / pieces);
    for (ChaseThread& thread : threads) {
      chases.push_back(std::make_unique<trace::PointerChase>(thread.ring, pattern, thread.start, each / pieces));
      machine.start(thread.core, *chases.back(), {&Tally::on_completion, &tally});
      thread.start = (thread.start + each / pieces) % thread.ring.nodes;
    }
    machine.run();
  }

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
