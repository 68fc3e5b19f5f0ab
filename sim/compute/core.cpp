// SPDX-License-Identifier: Apache-2.0
#include "compute/core.hpp"

#include <fmt/format.h>

#include <cassert>
#include <stdexcept>

namespace strata::compute {

namespace {

const SchedulingPolicy& policy_of(const CoreSpec& spec) {
  const SchedulingPolicy* const found = find_scheduling(spec.scheduling);
  if (found == nullptr)
    throw std::invalid_argument(
        fmt::format("there is no scheduling policy '{}': take {}", spec.scheduling,
                    scheduling_policies().front().name));
  return *found;
}

}  // namespace

bool Core::Warp::must_wait() const {
  if (instruction.dependent && loads > 0) return true;
  return waits_for(instruction.destination) || waits_for(instruction.sources[0]) ||
         waits_for(instruction.sources[1]) || waits_for(instruction.sources[2]) ||
         waits_for(instruction.sources[3]);
}

Core::Core(engine::Simulation& simulation, const CoreSpec& spec, const engine::Clock& clock,
           std::uint32_t index, std::uint8_t die, engine::Pool<memory::Transaction>& pool,
           memory::StageNames& stages)
    : simulation_(simulation),
      index_(index),
      die_(die),
      name_(spec.name),
      most_warps_(spec.warps),
      issue_interval_(clock.cycles(spec.issue_interval.value)),
      policy_(policy_of(spec)),
      unit_(simulation, spec, clock, index, die, pool, stages,
            {this,
             [](void* self, std::uint32_t slot) {
               auto& core = *static_cast<Core*>(self);
               core.issued(*core.warps_[slot]);
             },
             [](void* self, const Access& access) { static_cast<Core*>(self)->completed(access); }}),
      schedulers_(spec.schedulers) {
  for (Scheduler& scheduler : schedulers_)
    scheduler.ready.reserve(spec.warps / spec.schedulers + 1);
}

void Core::start(trace::WarpStream& stream, Time t) {
  if (running_ == most_warps_)
    throw std::invalid_argument(
        fmt::format("{} {} already holds the {} warps that core.warps allows: start fewer on it, or "
                    "start this one when another has ended",
                    name_, index_, most_warps_));
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(warps_.size()));
    warps_.push_back(std::make_unique<Warp>());
    free_slots_.reserve(warps_.size());
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  Warp& warp = *warps_[slot];
  warp.stream = &stream;
  warp.slot = slot;
  warp.arrival = arrivals_++;
  warp.ended = false;
  warp.instruction = {};
  ++running_;
  simulation_.at(t, engine::Priority::decision, begin_, &warp);
}

// What the warp does next: wait, become ready or end.
void Core::advance(Warp& warp) {
  do {
    if (!warp.stream->next(warp.instruction)) {
      warp.ended = true;
      if (warp.loads == 0 && warp.stores == 0) retire(warp);
      return;
    }
  } while (warp.instruction.lanes == 0);  // without an active lane there is nothing to do
  if (warp.instruction.not_before > simulation_.now()) {
    simulation_.at(warp.instruction.not_before, engine::Priority::decision, due_, &warp);
  } else {
    consider(warp);
  }
}

// The next instruction is there and due.
void Core::consider(Warp& warp) {
  warp.blocked = warp.must_wait();
  if (warp.blocked) {
    ++statistics_.waits;
  } else {
    may_go_on(warp);
  }
}

// The next instruction waits for nothing more.
void Core::may_go_on(Warp& warp) {
  const Duration work = warp.instruction.work;
  if (work == Duration{}) return make_ready(warp);
  simulation_.at(simulation_.now() + work, engine::Priority::decision, worked_, &warp);
}

void Core::make_ready(Warp& warp) {
  Scheduler& scheduler = schedulers_[warp.slot % schedulers_.size()];
  scheduler.ready.push_back({warp.slot, warp.arrival});
  if (scheduler.scheduled) return;
  if (scheduler.lane.free_at() <= simulation_.now()) return issue(scheduler);
  scheduler.scheduled = true;
  simulation_.at(scheduler.lane.free_at(), engine::Priority::decision, turn_, &scheduler);
}

void Core::on_turn(Scheduler& scheduler) {
  scheduler.scheduled = false;
  issue(scheduler);
}

// At least one warp is ready and the scheduler is free.
void Core::issue(Scheduler& scheduler) {
  const std::size_t chosen = policy_.pick(scheduler.ready, scheduler.last);
  Warp& warp = *warps_[scheduler.ready[chosen].slot];
  scheduler.ready.erase(scheduler.ready.begin() + static_cast<std::ptrdiff_t>(chosen));
  scheduler.last = warp.slot;
  scheduler.lane.reserve(simulation_.now(), issue_interval_);
  if (!scheduler.ready.empty()) {
    scheduler.scheduled = true;
    simulation_.at(scheduler.lane.free_at(), engine::Priority::decision, turn_, &scheduler);
  }
  if (journey_ != nullptr) journey_->begin(simulation_.now());
  if (unit_.enter(warp.slot, warp.instruction)) issued(warp);
}

// The instruction has left the warp.
void Core::issued(Warp& warp) {
  const trace::Instruction& instruction = warp.instruction;
  if (instruction.operation == memory::Operation::store) {
    ++warp.stores;
  } else {
    ++warp.loads;
    const std::uint8_t number = instruction.destination;
    if (number != 0) warp.pending[number >> 6U] |= std::uint64_t{1} << (number & 63U);
  }
  advance(warp);
}

void Core::completed(const Access& access) {
  Warp& warp = *warps_[access.warp];
  ++statistics_.instructions;
  if (access.load) {
    --warp.loads;
    const std::uint8_t number = access.destination;
    warp.pending[number >> 6U] &= ~(std::uint64_t{1} << (number & 63U));
    (access.shared ? statistics_.shared_bytes_loaded : statistics_.bytes_loaded) += access.bytes;
  } else {
    --warp.stores;
    (access.shared ? statistics_.shared_bytes_stored : statistics_.bytes_stored) += access.bytes;
  }
  if (listener_.function != nullptr)
    listener_.function(listener_.self, index_, simulation_.now() - access.issued, access.deepest);
  if (warp.blocked) {
    if (warp.must_wait()) return;
    warp.blocked = false;
    may_go_on(warp);
  } else if (warp.ended && warp.loads == 0 && warp.stores == 0) {
    retire(warp);
  }
}

void Core::retire(Warp& warp) {
  assert(warp.pending == (std::array<std::uint64_t, 4>{}));
  warp.stream = nullptr;
  free_slots_.push_back(warp.slot);
  --running_;
}

void Core::collect(stats::Collector& collector) const {
  collector.count("instructions", "instructions", "memory instructions completed",
                  statistics_.instructions);
  collector.count("bytes loaded", "bytes", "by instructions completed, through the caches",
                  statistics_.bytes_loaded);
  collector.count("bytes stored", "bytes", "by instructions completed, through the caches",
                  statistics_.bytes_stored);
  collector.count("shared bytes loaded", "bytes", "by instructions completed, from shared memory",
                  statistics_.shared_bytes_loaded);
  collector.count("shared bytes stored", "bytes", "by instructions completed, to shared memory",
                  statistics_.shared_bytes_stored);
  collector.count("waits", "instructions", "instructions that waited for a load of their warp",
                  statistics_.waits);
  for (std::size_t i = 0; i < schedulers_.size(); ++i)
    collector.resource(fmt::format("scheduler {}", i), "issues an instruction an interval",
                       schedulers_[i].lane.busy(), schedulers_[i].lane.served());
  unit_.collect(collector);
}

}  // namespace strata::compute
