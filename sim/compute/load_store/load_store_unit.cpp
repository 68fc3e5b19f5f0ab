// SPDX-License-Identifier: Apache-2.0
#include "compute/load_store/load_store_unit.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "compute/cluster/cluster_network.hpp"

namespace strata::compute {

using memory::Operation;

namespace {

// Of a key by which warps wait: age, then the warp's number, which has as many in a Transaction.
constexpr unsigned bits_of_warp = 16;

}  // namespace

LoadStoreUnit::Pipe::Pipe(std::uint64_t depth, std::uint64_t warps)
    : queue(depth), lists(depth), line(warps), by_warp(warps) {
  for (std::uint32_t i = 0; i < depth; ++i) free_lists.push_back(i);
}

void LoadStoreUnit::Pipe::stand_in_line(const InLine& entry, bool by_age) {
  if (!by_age) return line.push(entry);
  by_warp[entry.warp] = entry;
  const std::uint64_t key = entry.age << bits_of_warp | entry.warp;
  ages.insert(std::upper_bound(ages.begin(), ages.end(), key, std::greater<>()), key);
}

LoadStoreUnit::InLine LoadStoreUnit::Pipe::next_in_line() {
  if (ages.empty() || (!line.empty() && ages.back() >> bits_of_warp > line.front().age)) return line.pop();
  const std::uint64_t oldest = ages.back();
  ages.pop_back();
  return by_warp[oldest & ((std::uint64_t{1} << bits_of_warp) - 1)];
}

LoadStoreUnit::LoadStoreUnit(engine::Simulation& simulation, const CoreSpec& spec, const SchedulingPolicy& policy,
                             const engine::Clock& clock, std::uint32_t core, std::uint8_t die,
                             engine::Pool<memory::Transaction>& pool, memory::StageNames& stages,
                             const AccessListener& listener)
    : simulation_(simulation),
      pool_(pool),
      spec_(spec.load_store),
      age_in_line_(policy.age_in_line),
      shares_array_(spec.shared_memory.shares_array),
      shared_(spec.shared_memory, clock),
      core_(core),
      die_(die),
      listener_(listener),
      queue_stage_(stages.add(spec.name + " wait (load/store queue)")),
      address_stage_(stages.add(spec.name + " address and issue")),
      shared_stage_(stages.add(spec.name + " shared memory")),
      return_stage_(stages.add(spec.name + " wait (register return)")),
      scalar_address_(clock.cycles(spec_.scalar_address.value)),
      vector_address_(clock.cycles(spec_.vector_address.value)),
      per_extra_pass_(clock.cycles(spec_.per_extra_pass.value)),
      wide_(clock.cycles(spec_.wide_access.value)),
      pass_time_(clock.cycles(spec_.per_pass.value)),
      per_line_(clock.cycles(spec_.per_line.value)),
      per_stored_line_(clock.cycles(spec_.per_stored_line.value_or(spec_.per_line).value)),
      per_store_(clock.cycles(spec_.per_store.value)),
      return_ticks_(spec_.return_width ? static_cast<double>(clock.period().ticks) / spec_.return_width->value : 0),
      row_bytes_(static_cast<std::uint32_t>(spec.shared_memory.banks * spec.shared_memory.bank_width.value)),
      lines_at_once_(static_cast<std::uint32_t>(spec_.lines_at_once)),
      request_sectors_(static_cast<unsigned>(spec_.request.value / memory::sector_bytes)),
      coalescer_(spec_.masked_stores, spec_.atomic_packets),
      pipes_{Pipe{spec_.queue, spec.warps}, Pipe{spec_.queue, spec.warps}, Pipe{spec_.queue, spec.warps},
             Pipe{spec.bulk_copy ? spec.bulk_copy->queue : 1, spec.warps}, Pipe{spec_.queue, spec.warps}},
      loads_most_(
          static_cast<std::uint32_t>(spec_.loads_in_flight.value_or(std::numeric_limits<std::uint32_t>::max()))) {
  if (!spec.bulk_copy) return;
  copy_setup_ = clock.cycles(spec.bulk_copy->setup.value);
  copy_per_line_ = clock.cycles(spec.bulk_copy->per_line.value);
  copied_lines_most_ = spec.bulk_copy->lines;
}

void LoadStoreUnit::connect(const CoreOutlets& outlets) {
  outlets_ = {outlets.global, outlets.scalar, outlets.texture, outlets.bulk};
  for (std::size_t i = 0; i < outlets_.size(); ++i) {
    if (outlets_[i].port == nullptr) continue;
    Pipe& pipe = pipes_[i];
    pipe.unit = this;
    pipe.drained = {[](void* self, void*) {
                      auto& drained = *static_cast<Pipe*>(self);
                      drained.unit->serve(drained);
                    },
                    &pipe};
    outlets_[i].port->when_drained(pipe.drained);
  }
}

bool LoadStoreUnit::reaches(trace::Space space) const {
  if (space == trace::Space::shared) return true;
  if (space == trace::Space::cluster) return network_ != nullptr;
  return space != trace::Space::tensor && outlets_[pipe_of(space)].function != nullptr;
}

std::size_t LoadStoreUnit::pipe_of(trace::Space space) const {
  switch (space) {
    case trace::Space::shared:
    case trace::Space::cluster:
      return shares_array_ ? 0 : shared_pipe;
    case trace::Space::scalar:
      return 1;
    case trace::Space::texture:
      return 2;
    case trace::Space::bulk:
      return bulk_pipe;
    case trace::Space::global:
    case trace::Space::tensor:  // never comes here: it is the core's
      break;
  }
  return 0;
}

bool LoadStoreUnit::enter(std::uint32_t warp, std::uint64_t age, const trace::Instruction& instruction) {
  Pipe& pipe = pipes_[pipe_of(instruction.space)];
  const InLine entry{warp, &instruction, simulation_.now(), age};
  if (pipe.queue.full() || pipe.anyone_in_line()) {
    ++stood_in_line_;
    pipe.stand_in_line(entry, by_age(instruction));
    return false;
  }
  admit(pipe, entry);
  serve(pipe);
  return true;
}

void LoadStoreUnit::admit(Pipe& pipe, const InLine& entry) {
  const trace::Instruction& instruction = *entry.instruction;
  Access& access = accesses_.take();
  access.warp = entry.warp;
  access.issued = entry.issued;
  access.bytes = std::uint32_t{instruction.lanes} * instruction.bytes_per_lane;
  access.load = instruction.operation != Operation::store;
  // An atomic whose old value no register takes is a reduction; where a trace has no
  // registers, the value counts as needed.
  access.returns = instruction.operation == Operation::load ||
                   (access.load && (instruction.destination != 0 || instruction.dependent));
  access.destination = access.load ? instruction.destination : std::uint8_t{0};
  access.destination_count = instruction.destination_count;
  if (trace::within_cores(instruction.space)) {
    form_shared(access, instruction);
  } else {
    form_lines(access, instruction, pipe.lists[pipe.free_lists.back()]);
  }
  pipe.queue.push({&access, pipe.free_lists.back()});
  pipe.free_lists.pop_back();
}

bool LoadStoreUnit::may_go(const Access& access) const {
  if (access.shared) return true;
  if (access.copied > 0) return copied_lines_ == 0 || copied_lines_ + access.copied <= copied_lines_most_;
  const engine::Port* port = outlets_[access.outlet].port;
  if (port != nullptr && !port->waiting().empty()) return false;
  return !access.load || loads_ < loads_most_;
}

Time LoadStoreUnit::free_at(const Pipe& pipe, const Access& access) const {
  if (access.remote) return later(pipe.lane.free_at(), network_->free_at(core_));
  return access.passes > 0 ? later(pipe.lane.free_at(), shared_.bank_lane().free_at()) : pipe.lane.free_at();
}

void LoadStoreUnit::serve(Pipe& pipe) {
  if (pipe.serving) return;
  pipe.serving = true;
  while (!pipe.queue.empty()) {
    Access& access = *pipe.queue.front().access;
    if (!may_go(access)) break;
    const Time free = free_at(pipe, access);
    if (free > simulation_.now()) {
      if (!pipe.wake_scheduled) {
        pipe.wake_scheduled = true;
        simulation_.at(free, engine::Priority::decision, wake_, &pipe);
      }
      break;
    }
    const std::uint32_t list = pipe.queue.pop().list;
    send(pipe, access, pipe.lists[list]);
    pipe.free_lists.push_back(list);
    if (!pipe.anyone_in_line()) continue;
    const InLine next = pipe.next_in_line();
    admit(pipe, next);
    listener_.entered(listener_.self, next.warp);
  }
  pipe.serving = false;
}

void LoadStoreUnit::on_wake(Pipe& pipe) {
  pipe.wake_scheduled = false;
  serve(pipe);
}

void LoadStoreUnit::send(Pipe& pipe, Access& access, const LineList& list) {
  const Time now = simulation_.now();
  if (access.remote) {
    mark(queue_stage_, now);
    return network_->send(access);
  }
  if (access.passes > 0) shared_.reserve(now, access.passes);
  if (access.shared) {
    mark(queue_stage_, now);
    mark(shared_stage_, now + access.way);
    if (access.atomic && atomic_listener_ != nullptr)
      atomic_listener_->function(atomic_listener_->self, core_, access.warp, now);
    simulation_.at(now + access.way, engine::Priority::completion, shared_done_, &access);
    return;
  }
  pipe.lane.reserve(now, access.unit);
  copied_lines_ += access.copied;
  const Time first = access.copied > 0 && !access.fills ? later(now, tile_moved(access)) : now;
  if (access.load && access.copied == 0) ++loads_;
  const Outlet& outlet = outlets_[access.outlet];
  const std::uint32_t lines = access.lines_left;
  const std::uint32_t together = access.load && access.copied == 0 ? lines_at_once_ : 1;
  flow_.enter(now, lines);
  Time departs = first;
  for (std::uint32_t i = 0; i < lines; ++i) {
    if (i > 0 && i % together == 0) departs += access.per_line * together;
    memory::Transaction& line = pool_.take();
    line.virtual_block = list.lines[i].block;
    line.wanted = line.fetched = list.lines[i].sectors;
    line.operation = list.operation;
    line.cache_operator = list.cache_operator;
    line.requester_die = die_;
    line.core = static_cast<std::uint16_t>(core_);
    line.warp = static_cast<std::uint16_t>(access.warp);
    line.words = list.lines[i].words;
    if (list.operation == memory::Operation::atomic) {
      line.atomic_passes = std::min(list.lines[i].atomic_passes, memory::Transaction::most_atomic_passes) & 0x7FU;
      line.whole_passes = std::min(list.lines[i].whole_passes, memory::Transaction::most_whole_passes) & 7U;
      line.packets = list.lines[i].packets;
      line.returns_old = access.returns;
    }
    line.issued = now;
    if (values_ != nullptr) values_->issue(line);
    line.journey = sampler_ == nullptr ? journey_ : sampler_->begin(access.issued);
    line.return_through(answer_, access.number, memory::Transaction::Notice::in_advance);
    line.mark(queue_stage_, now);
    line.mark(address_stage_, departs + access.way);
    outlet.function(outlet.self, line, departs, access.way);
  }
}

Time LoadStoreUnit::serve_other(const RemotePart& part) {
  if (part.access->atomic && atomic_listener_ != nullptr)
    atomic_listener_->function(atomic_listener_->self, part.access->core, part.access->warp, simulation_.now());
  return shared_.reserve(simulation_.now(), part.passes) + part.way;
}

}  // namespace strata::compute
