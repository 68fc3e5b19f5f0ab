// SPDX-License-Identifier: Apache-2.0
#include "compute/core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "base/invalid_request.hpp"

namespace strata::compute {

namespace {

const SchedulingPolicy& policy_of(const CoreSpec& spec) {
  const SchedulingPolicy* const found = find_scheduling(spec.scheduling);
  if (found == nullptr)
    throw InvalidRequest(
        fmt::format("there is no scheduling policy '{}': use {}", spec.scheduling, scheduling_policies().front().name));
  return *found;
}

}  // namespace

Core::Core(engine::Simulation& simulation, const CoreSpec& spec, const engine::Clock& clock, std::uint32_t index,
           std::uint8_t die, engine::Pool<memory::Transaction>& pool, memory::StageNames& stages)
    : simulation_(simulation),
      index_(index),
      die_(die),
      name_(spec.name),
      most_warps_(spec.warps),
      exit_waits_for_stores_(spec.exit_waits_for_stores),
      issue_interval_(clock.cycles(spec.issue_interval.value)),
      barrier_(clock.cycles(spec.execution.barrier.value)),
      barrier_arrival_(clock.cycles(spec.execution.barrier_arrival.value)),
      cycle_(clock.period()),
      latency_(clock.cycles(spec.execution.latency.value)),
      policy_(policy_of(spec)),
      fetch_(simulation, pool, index, die,
             {this,
              [](void* self, std::uint32_t slot) {
                auto& core = *static_cast<Core*>(self);
                core.fetched(*core.warps_[slot]);
              }}),
      unit_(simulation, spec, policy_, clock, index, die, pool, stages,
            {this,
             [](void* self, std::uint32_t slot) {
               auto& core = *static_cast<Core*>(self);
               core.issued(*core.warps_[slot]);
             },
             [](void* self, const Access& access) { static_cast<Core*>(self)->completed(access); }}),
      schedulers_(spec.schedulers) {
  released_.reserve(spec.warps);
  if (spec.tensor_memory) tensor_.emplace(*spec.tensor_memory, spec.schedulers, spec.warp_width, clock);
  build_ports(spec);
  build_pipes(spec, clock);
  find_spaces();
}

std::uint32_t Core::start(trace::WarpStream& stream, Time t) {
  if (running_ == most_warps_)
    throw InvalidRequest(
        fmt::format("{} {} already holds the {} warps that core.warps allows: start fewer on it, or "
                    "start this one when another has ended",
                    name_, index_, most_warps_));
  Warp& warp = take_slot();
  warp.stream = &stream;
  simulation_.at(t, engine::Priority::decision, begin_, &warp);
  return warp.slot;
}

// A slot of the scheduler with the fewest warps; one is free.
Core::Warp& Core::take_slot() {
  Scheduler* chosen = &schedulers_.front();
  for (Scheduler& scheduler : schedulers_)
    if (scheduler.resident < chosen->resident) chosen = &scheduler;
  while (chosen->free_slots.empty()) {
    const auto slot = static_cast<std::uint32_t>(warps_.size());
    warps_.push_back(std::make_unique<Warp>());
    warps_.back()->slot = slot;
    warps_.back()->scheduler = &schedulers_[slot % schedulers_.size()];
    warps_.back()->scheduler->free_slots.push_back(slot);
  }
  Warp& warp = *warps_[chosen->free_slots.back()];
  chosen->free_slots.pop_back();
  ++chosen->resident;
  ++running_;
  warp.arrival = arrivals_++;
  warp.ended = false;
  warp.instruction = {};
  warp.block = nullptr;
  warp.number = 0;
  warp.cluster_phase = 0;
  unit_.belongs_to(warp.slot, nullptr);
  warp.origin = {};
  warp.stall = Stall::launch;
  warp.since = simulation_.now();
  warp.next_issue = {};
  warp.code_line = fetch_.first_line();
  warp.registers.clear();
  return warp;
}

// The next state of the warp: waiting, ready or ended. Its steps up to take_pipe() are inlined.
void Core::advance(Warp& warp) {
  if (!warp.stream->next(warp.instruction)) {
    warp.ended = true;
    wait_for(warp, Stall::drain);
    if (warp.block != nullptr) leave_block(warp);
    if (may_leave(warp)) retire(warp);
    return;
  }
  if (const std::uint64_t line = fetch_.line_of(warp.instruction.pc); line != warp.code_line) {
    warp.code_line = line;
    if (!fetch_.available(warp.slot, warp.instruction.pc)) return wait_for(warp, Stall::instruction);
  }
  fetched(warp);
}

// The next instruction is in the core.
[[gnu::always_inline]] inline void Core::fetched(Warp& warp) {
  Time due = warp.instruction.not_before;
  if (warp.instruction.not_before_cycle != 0)
    due = later(due, warp.origin + cycle_ * static_cast<std::int64_t>(warp.instruction.not_before_cycle));
  if (due > simulation_.now()) {
    wait_for(warp, Stall::pause);
    simulation_.at(due, engine::Priority::decision, due_, &warp);
  } else {
    consider(warp);
  }
}

// The next instruction is there and due.
[[gnu::always_inline]] inline void Core::consider(Warp& warp) {
  warp.blocked = warp.must_wait();
  if (warp.blocked) {
    ++statistics_.waits;
    wait_for(warp, warp.instruction.op_class == trace::OpClass::fence ? Stall::fence : Stall::load);
  } else {
    may_go_on(warp);
  }
}

// The next instruction no longer waits for an access.
[[gnu::always_inline]] inline void Core::may_go_on(Warp& warp) {
  const Time there = warp.registers.results_there(warp.instruction);
  if (there <= simulation_.now()) return take_pipe(warp);
  wait_for(warp, Stall::result);
  simulation_.at(there, engine::Priority::decision, result_, &warp);
}

// A pipe that accepts one instruction per interval needs no reservation: the scheduler issues
// no more. Other pipes serve warps in order of arrival.
[[gnu::always_inline]] inline void Core::take_pipe(Warp& warp) {
  const trace::Instruction& instruction = warp.instruction;
  Duration delay = instruction.work;
  Stall reason = Stall::pause;
  if (trace::uses_tensor_memory(instruction.op_class) && instruction.lanes > 0) {
    delay = tensor_delay(warp);
    reason = Stall::pipe;
  } else if (!instruction.is_access()) {
    const Pipe& pipe = pipes_[static_cast<std::size_t>(instruction.op_class)];
    if (pipe.booked) {
      delay = warp.scheduler->pipes[pipe.lane].reserve(simulation_.now(), pipe.occupancy * instruction.repeat) -
              simulation_.now();
      reason = Stall::pipe;
    }
  }
  if (delay == Duration{}) return make_ready(warp);
  wait_for(warp, reason);
  simulation_.at(simulation_.now() + delay, engine::Priority::decision, worked_, &warp);
}

void Core::make_ready(Warp& warp) {
  wait_for(warp, Stall::issue);
  if (warp.next_issue > simulation_.now()) {
    simulation_.at(warp.next_issue, engine::Priority::decision, worked_, &warp);
    return;
  }
  Port& port = port_for(warp);
  port.ready.push_back({warp.slot, warp.arrival});
  if (port.scheduled) return;
  const Time free_at = port.soonest().free_at();
  if (free_at <= simulation_.now()) return issue(port);
  port.scheduled = true;
  simulation_.at(free_at, engine::Priority::decision, turn_, &port);
}

void Core::on_turn(Port& port) {
  port.scheduled = false;
  issue(port);
}

engine::Lane& Core::Port::soonest() {
  if (lanes.size() == 1) return lanes.front();
  return *std::min_element(lanes.begin(), lanes.end(),
                           [](const engine::Lane& a, const engine::Lane& b) { return a.free_at() < b.free_at(); });
}

[[gnu::always_inline]] inline void Core::execute(Warp& warp) {
  const trace::Instruction& instruction = warp.instruction;
  if (instruction.op_class == trace::OpClass::barrier && warp.block != nullptr)
    return instruction.of_cluster ? meet_cluster(warp) : arrive(warp);
  if (trace::uses_tensor_memory(instruction.op_class) && instruction.lanes > 0) return use_tensor_memory(warp);
  if (instruction.repeat > 1 && !instruction.is_access()) return execute_repeated(warp);
  if (instruction.destination != 0 && !instruction.is_access())
    warp.registers.result(instruction.destination, instruction.destination_count,
                          simulation_.now() + pipes_[static_cast<std::size_t>(instruction.op_class)].latency);
  advance(warp);
}

// At least one warp is ready and the port is free.
void Core::issue(Port& port) {
  const std::size_t chosen = port.ready.size() == 1 ? 0 : policy_.pick(port.ready, port.last);
  Warp& warp = *warps_[port.ready[chosen].slot];
  port.ready.erase(port.ready.begin() + static_cast<std::ptrdiff_t>(chosen));
  port.last = warp.slot;
  const std::uint16_t repeat = warp.instruction.is_access() ? std::uint16_t{1} : warp.instruction.repeat;
  port.soonest().reserve(simulation_.now(), issue_interval_ * repeat);
  if (several_ports()) warp.next_issue = simulation_.now() + issue_interval_ * repeat;
  if (!port.ready.empty()) {
    port.scheduled = true;
    simulation_.at(later(port.soonest().free_at(), simulation_.now()), engine::Priority::decision, turn_, &port);
  }
  statistics_.issued += repeat;
  statistics_.flops += std::uint64_t{warp.instruction.flops} * warp.instruction.lanes * repeat;
  // An access without an active lane takes its slot without effect.
  if (!warp.instruction.is_access() || warp.instruction.lanes == 0) return execute(warp);
  if (!reached_[static_cast<std::size_t>(warp.instruction.space)]) refuse_space(warp.instruction.space);
  if (warp.instruction.space == trace::Space::tensor) return access_tensor_memory(warp);
  if (journey_ != nullptr) journey_->begin(simulation_.now());
  if (unit_.enter(warp.slot, warp.arrival, warp.instruction)) {
    issued(warp);
  } else {
    wait_for(warp, Stall::line);
  }
}

// An access of the warp has issued.
void Core::issued(Warp& warp) {
  const trace::Instruction& instruction = warp.instruction;
  if (instruction.operation == memory::Operation::store) {
    ++warp.stores;
  } else {
    ++warp.loads;
    warp.registers.begin_access(instruction.destination, instruction.destination_count);
  }
  advance(warp);
}

void Core::completed(const Access& access) {
  Warp& warp = *warps_[access.warp];
  ++statistics_.instructions;
  if (access.load) {
    --warp.loads;
    warp.registers.end_access(access.destination, access.destination_count);
    if (access.shared)
      statistics_.shared_bytes_loaded += access.bytes;
    else
      statistics_.bytes_loaded += access.bytes;
  } else {
    --(warp.left_behind > 0 ? warp.left_behind : warp.stores);  // a fence may wait for the slot's older ones
    if (access.shared)
      statistics_.shared_bytes_stored += access.bytes;
    else
      statistics_.bytes_stored += access.bytes;
  }
  last_answer_ = simulation_.now();
  if (listener_.function != nullptr)
    listener_.function(listener_.self, index_, last_answer_ - access.issued, access.serviced_level);
  if (warp.blocked) {
    if (warp.must_wait()) return;
    warp.blocked = false;
    may_go_on(warp);
  } else if (warp.ended && warp.stream != nullptr && may_leave(warp)) {
    retire(warp);
  }
}

void Core::retire(Warp& warp) {
  assert(warp.registers.idle());
  wait_for(warp, Stall::drain);
  warp.stream = nullptr;
  warp.left_behind += std::exchange(warp.stores, 0);
  warp.scheduler->free_slots.push_back(warp.slot);
  --warp.scheduler->resident;
  --running_;
  if (ResidentBlock* const block = warp.block; block != nullptr && --block->resident == 0) {
    require_columns_freed(*block);
    block->listener.cluster.reset();
    block->streams.reset();
    free_blocks_.push_back(block);
    if (block->listener.function != nullptr)
      block->listener.function(block->listener.self, index_, block->listener.block);
  }
}

}  // namespace strata::compute
