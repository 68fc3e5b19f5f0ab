// SPDX-License-Identifier: Apache-2.0
#include "study/journey/journey.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/invalid_request.hpp"
#include "machine/layout/numa.hpp"
#include "machine/levels.hpp"
#include "machine/machine.hpp"
#include "study/journey/served_load.hpp"
#include "study/watch.hpp"

namespace strata::study {

namespace {

void warm(machine::Machine& machine, const JourneyQuestion& question) {
  const LatencyQuestion& load = question.load;
  const std::uint64_t nodes = question.after_footprint / load.stride.value;
  if (nodes == 0) return;
  const trace::ChasePath path({0, nodes, load.stride.value, load.order, mix(load.seed, 0)});
  for (std::uint64_t step = 0; step < nodes; ++step)
    machine.touch(question.core, path.address(step), load.bytes_per_lane, load.space, load.cache_operator);
}

std::vector<std::string> describe(const machine::Machine& machine, const JourneyQuestion& question) {
  const machine::MachineSpec& spec = machine.spec();
  const auto at = machine.atlas().whereabouts(question.core, question.address);
  const std::uint64_t page = spec.pages.page.value;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("virtual 0x{:x} is physical 0x{:x}: page {} lies in frame {} of {} KiB", question.address,
                              at.physical, question.address / page, at.physical / page, page / 1024));
  const std::uint64_t die = question.core / spec.dies.cores_per_die;
  lines.push_back(spec.l2.bypass
                      ? fmt::format("core {} is on compute die {}; there is no L2", question.core, die)
                      : fmt::format("core {} is on compute die {}; its request goes to {} slice {} there, set {}",
                                    question.core, die, spec.l2.cache.name, at.slice, at.set));
  if (spec.dies.memory > 1)
    lines.push_back(
        fmt::format("the block's home is memory die {}{}", at.home_die,
                    spec.l2.partitioned ? (at.home_die == die ? ", the core's own" : ", across the link") : ""));
  if (const auto& side = spec.memory_side_cache; side)
    lines.push_back(
        at.memory_slice
            ? fmt::format("there {} slice {} is in front of its channel", side->cache.name, *at.memory_slice)
            : fmt::format("requests for it bypass {}: memory_side_cache.addresses excludes it", side->cache.name));
  lines.push_back(fmt::format("DRAM channel {} of {}", at.channel, spec.memory.channels_per_die * spec.dies.memory));
  return lines;
}

}  // namespace

std::string stage_note(const memory::StageName& stage, const memory::StageName* next) {
  using memory::StageKind;
  switch (stage.kind) {
    case StageKind::tags: {
      // Tags that found the sectors are followed by the data array of the same cache.
      const bool hit = next != nullptr && next->kind == StageKind::data && next->block == stage.block;
      return hit ? fmt::format("hit: {} holds these sectors", stage.block)
                 : fmt::format("miss: {} does not hold these sectors", stage.block);
    }
    case StageKind::fill:
      return fmt::format("{} stores the line and forwards the response", stage.block);
    case StageKind::translation_miss:
      return fmt::format("miss: {} does not hold the translation", stage.block);
    case StageKind::data:
    case StageKind::other:
      break;
  }
  return {};
}

JourneyAnswer follow(const machine::MachineSpec& spec, const JourneyQuestion& question) {
  if (trace::within_cores(question.load.space) && question.address >= spec.core.shared_memory.size.value)
    throw InvalidRequest(fmt::format("shared memory has only {} bytes", spec.core.shared_memory.size.value),
                         {"core.shared_memory.size"});
  if (question.address >= machine::address_space(spec).value)
    throw InvalidRequest(fmt::format("the addresses of the memory end at 0x{:x}", machine::address_space(spec).value),
                         {"memory.size"});
  if (const std::uint64_t domain = machine::domain_bytes(spec); domain > 0) {
    const std::uint64_t bytes = machine::memory_of_die(spec).value;
    if (question.address % domain >= bytes)
      throw InvalidRequest(
          fmt::format(
              "there is no memory at 0x{:x}: memory.interleave = per_die gives each memory die {} B of addresses, "
              "from a multiple of {} B on",
              question.address, bytes, domain),
          {"memory.interleave", "memory.size", "dies.memory"});
  }
  if (question.after_footprint > spec.memory.size.value)
    throw InvalidRequest("the chase before the load does not fit in memory", {"memory.size"});
  if (question.core >= spec.dies.compute * spec.dies.cores_per_die)
    throw InvalidRequest(fmt::format("there are only {} cores", spec.dies.compute * spec.dies.cores_per_die),
                         {"dies.cores_per_die", "dies.compute"});
  check_space(spec, question.load.space);
  if (question.load.lanes == 0 || question.load.lanes > spec.core.warp_width)
    throw InvalidRequest(
        fmt::format("{} has warps of {} lanes, not {}", spec.name, spec.core.warp_width, question.load.lanes),
        {"core.warp_width"});
  // One journey is one request.
  if (question.address % memory::block_bytes + question.load.bytes_per_lane > memory::block_bytes)
    throw InvalidRequest(fmt::format("a load of {} bytes at {} straddles two lines; choose an address that does not",
                                     question.load.bytes_per_lane, question.address));

  machine::Machine machine(spec);
  if (!trace::within_cores(question.load.space)) warm(machine, question);

  trace::Instruction pattern;
  pattern.space = question.load.space;
  pattern.cache_operator = question.load.cache_operator;
  pattern.lanes = static_cast<std::uint8_t>(question.load.lanes);
  pattern.bytes_per_lane = static_cast<std::uint8_t>(question.load.bytes_per_lane);
  trace::PointerChase load({question.address, 1, 128, trace::ChaseOrder::ascending, 1}, pattern, 0, 1);
  const Watch watch(machine, question.load.statistics);
  ServedLoad outcome;
  memory::Journey journey;
  machine.start(question.core, load, outcome.listener(), &journey);
  machine.run();

  JourneyAnswer answer;
  const std::vector<std::string> levels = machine::level_names(machine.spec(), question.load.space);
  Duration sum{};
  const std::vector<memory::Milestone>& milestones = journey.milestones();
  for (std::size_t i = 0; i < milestones.size(); ++i) {
    const memory::Milestone& milestone = milestones[i];
    const memory::StageName* const next =
        i + 1 < milestones.size() ? &machine.stages().described(milestones[i + 1].stage) : nullptr;
    const Duration span = milestone.until - milestone.from;
    sum += span;
    const memory::StageName& stage = machine.stages().described(milestone.stage);
    answer.stages.push_back({stage.name, machine.core_clock().count(span), machine.timebase().to_nanoseconds(span),
                             stage_note(stage, next)});
  }
  if (sum != outcome.latency)
    throw std::logic_error(
        fmt::format("the stages add up to {} ticks, the load took {}", sum.ticks, outcome.latency.ticks));
  answer.total_cycles = machine.core_clock().count(outcome.latency);
  answer.total_ns = machine.timebase().to_nanoseconds(outcome.latency);
  answer.served_by = levels[outcome.served_by];
  if (!trace::within_cores(question.load.space)) answer.whereabouts = describe(machine, question);
  answer.fingerprint = machine.simulation().fingerprint();
  answer.statistics = watch.rows();
  return answer;
}

}  // namespace strata::study
