// SPDX-License-Identifier: Apache-2.0
// Ports and pipes, repeated instructions, and blocks, whose warps meet at barriers.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "compute/core.hpp"

#include "base/invalid_request.hpp"

namespace strata::compute {

// The ports of the spec, and one for the classes that no port names.
void Core::build_ports(const CoreSpec& spec) {
  const std::vector<IssuePortSpec>& ports = spec.execution.issue_ports;
  port_of_class_.fill(static_cast<std::uint8_t>(ports.size()));
  port_of_space_.fill(static_cast<std::uint8_t>(ports.size()));
  for (const IssuePortSpec& port : ports) {
    const auto number = static_cast<std::uint8_t>(port_names_.size());
    std::istringstream words(port.classes);
    for (std::string word; words >> word;)
      if (const auto space = trace::space_of(word))
        port_of_space_[static_cast<std::size_t>(*space)] = number;
      else if (const auto op_class = trace::op_class_of(word))
        port_of_class_[static_cast<std::size_t>(*op_class)] = number;
    port_names_.push_back(port.name);
  }
  const std::uint8_t shared = port_of_space_[static_cast<std::size_t>(trace::Space::shared)];
  port_of_space_[static_cast<std::size_t>(trace::Space::cluster)] = shared;
  port_names_.emplace_back("other");
  for (Scheduler& scheduler : schedulers_) {
    scheduler.ports.resize(port_names_.size());
    for (std::size_t p = 0; p < scheduler.ports.size(); ++p) {
      scheduler.ports[p].lanes.resize(p < ports.size() ? ports[p].width : 1);
      scheduler.ports[p].ready.reserve(spec.warps / spec.schedulers + 1);
    }
  }
}

void Core::connect(const CoreOutlets& outlets) {
  unit_.connect(outlets);
  find_spaces();
}

void Core::join(ClusterNetwork& network) {
  unit_.join(network);
  find_spaces();
}

void Core::find_spaces() {
  for (std::size_t space = 0; space < reached_.size(); ++space)
    reached_[space] = unit_.reaches(static_cast<trace::Space>(space));
  reached_[static_cast<std::size_t>(trace::Space::tensor)] = tensor_.has_value();
}

void Core::refuse_space(trace::Space space) const {
  // What a core that has it is given, by the number of the space.
  constexpr std::array<std::string_view, trace::spaces.size()> setting{
      "", "", "scalar_cache", "texture_cache", "core.cluster", "core.bulk_copy", "core.tensor_memory"};
  const auto number = static_cast<std::size_t>(space);
  throw InvalidRequest(fmt::format("a warp accesses the {} space, which {} does not have: {} is none",
                                   trace::spaces[number], name_, setting[number]),
                       {std::string(setting[number])}, "run it on a GPU that has it");
}

void Core::build_pipes(const CoreSpec& spec, const engine::Clock& clock) {
  pipes_.fill({Duration{}, latency_, 0, false});
  for (const PipeSpec& pipe : spec.execution.pipes) {
    const double a_clock = static_cast<double>(pipe.lanes_per_clock) / static_cast<double>(spec.schedulers);
    const Pipe built{clock.cycles(static_cast<double>(spec.warp_width) / a_clock), clock.cycles(pipe.latency.value),
                     static_cast<std::uint8_t>(pipe_names_.size()), false};
    std::istringstream words(pipe.classes);
    for (std::string word; words >> word;)
      if (const auto op_class = trace::op_class_of(word)) {
        const auto index = static_cast<std::size_t>(*op_class);
        pipes_[index] = built;
        const auto width = static_cast<std::int64_t>(schedulers_.front().ports[port_of_class_[index]].lanes.size());
        pipes_[index].booked = built.occupancy * width > issue_interval_;
      }
    pipe_names_.push_back(pipe.name);
  }
  for (Scheduler& scheduler : schedulers_) scheduler.pipes.resize(pipe_names_.size());
}

void Core::start_block(std::unique_ptr<trace::BlockStreams> streams, std::uint32_t warps, Time t, Time origin,
                       const BlockListener& listener) {
  if (running_ + warps > most_warps_)
    throw InvalidRequest(
        fmt::format("{} {} holds {} of the {} warps that core.warps allows: a block of {} does not fit", name_, index_,
                    running_, most_warps_, warps));
  if (free_blocks_.empty()) {
    blocks_.push_back(std::make_unique<ResidentBlock>());
    free_blocks_.push_back(blocks_.back().get());
  }
  ResidentBlock& block = *free_blocks_.back();
  free_blocks_.pop_back();
  block.streams = std::move(streams);
  block.listener = listener;
  block.running = block.resident = warps;
  block.barriers.fill({});
  block.tensor_until = {};
  for (std::uint32_t i = 0; i < warps; ++i) {
    Warp& warp = take_slot();
    warp.stream = &block.streams->warp(i);
    warp.block = &block;
    warp.number = i;
    unit_.belongs_to(warp.slot, block.listener.cluster.get());
    warp.origin = origin;
    simulation_.at(t, engine::Priority::decision, begin_, &warp);
  }
}

// The last is issued later than the first, and the port does not hold the warp back for as long as a slower pipe does.
void Core::execute_repeated(Warp& warp) {
  const trace::Instruction& instruction = warp.instruction;
  const Pipe& pipe = pipes_[static_cast<std::size_t>(instruction.op_class)];
  const Duration last = longer(pipe.occupancy, issue_interval_) * (instruction.repeat - 1);
  if (instruction.destination != 0)
    warp.registers.result(instruction.destination, instruction.destination_count,
                          simulation_.now() + last + pipe.latency);
  if (pipe.occupancy <= issue_interval_) return advance(warp);
  wait_for(warp, Stall::pipe);
  simulation_.at(simulation_.now() + last + issue_interval_, engine::Priority::decision, begin_, &warp);
}

void Core::arrive(Warp& warp) {
  ResidentBlock& block = *warp.block;
  Barrier& barrier = block.barriers[warp.instruction.barrier % ResidentBlock::most_barriers];
  barrier.asked = warp.instruction.barrier_warps;
  ++barrier.arrived;
  barrier_unit_.reserve(simulation_.now(), barrier_arrival_);
  if (warp.instruction.barrier_part == trace::BarrierPart::arrive) {
    open_if_complete(block, barrier);
    return advance(warp);
  }
  wait_for(warp, Stall::barrier);
  warp.waits_behind = barrier.waiting;
  barrier.waiting = warp.slot;
  open_if_complete(block, barrier);
}

void Core::open_if_complete(ResidentBlock& block, Barrier& barrier) {
  if (barrier.arrived == 0 || barrier.arrived < (barrier.asked == 0 ? block.running : barrier.asked)) return;
  released_.clear();
  for (std::uint32_t slot = barrier.waiting; slot != Barrier::nobody; slot = warps_[slot]->waits_behind)
    released_.push_back(warps_[slot].get());
  barrier = {};
  // They continue in the order of their numbers, regardless of the last to arrive.
  std::sort(released_.begin(), released_.end(), [](const Warp* a, const Warp* b) { return a->arrival < b->arrival; });
  const Time opens = later(simulation_.now(), barrier_unit_.free_at()) + barrier_;
  for (Warp* const warp : released_) simulation_.at(opens, engine::Priority::decision, begin_, warp);
}

/// The warp has issued its last instruction; other warps no longer wait for it.
void Core::leave_block(Warp& warp) {
  ResidentBlock& block = *warp.block;
  --block.running;
  for (Barrier& barrier : block.barriers) open_if_complete(block, barrier);
  if (block.listener.cluster) block.listener.cluster->leave(simulation_.now());
}

}  // namespace strata::compute
