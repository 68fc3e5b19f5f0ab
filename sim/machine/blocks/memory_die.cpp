// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/memory_die.hpp"

#include <fmt/format.h>

#include "base/invalid_request.hpp"
#include "machine/levels.hpp"

namespace strata::machine {

MemoryDie::MemoryDie(engine::Simulation& simulation, const engine::Timebase& timebase, memory::StageNames& stages,
                     const MachineSpec& spec, const fabric::AddressMap& map, const LevelDesigns& levels,
                     std::uint8_t index, std::uint8_t memory_level, HostPath* host)
    : map_(map),
      host_(host),
      first_channel_(index * static_cast<std::uint32_t>(spec.memory.channels_per_die)),
      memory_level_(memory_level),
      levels_(simulation, levels, fmt::format("memory die {}", index), index,
              memory::sink<&MemoryDie::to_channel>(*this),
              {[](void* self, const cache::TouchRequest& request) {
                 static_cast<MemoryDie*>(self)->touch_channel(request.block);
               },
               this}),
      simulation_(simulation),
      atomics_end_above_(caches_perform_atomics(spec)) {
  if (has_probe_filter(spec)) build_slaves(timebase, stages, spec, index);
  const engine::Clock edges = timebase.clock(spec.memory.channel.timing.tick_rate().value);
  const dram::LocalBlock local{[](const void* self, std::uint64_t block) {
                                 return static_cast<const fabric::AddressMap*>(self)->block_in_channel(block);
                               },
                               &map_, true};
  for (std::uint32_t c = 0; c < spec.memory.channels_per_die; ++c) {
    dram::Channel& channel =
        channels_.emplace_back(simulation, edges, spec.memory.channel, stages, mix(first_channel_ + c), local,
                               channels_.empty() ? nullptr : &channels_.front());
    to_channel_.push_back(
        &channel_ports_.emplace_back(simulation, fmt::format("memory die {} channel {}", index, c), channel.receiver(),
                                     timebase.nanoseconds(spec.memory.latency.value), channel.input_depth()));
  }
  channel_blocks_ = channels_.front().blocks();
}

void MemoryDie::build_slaves(const engine::Timebase& timebase, memory::StageNames& stages, const MachineSpec& spec,
                             std::uint8_t index) {
  const MemorySideCacheSpec& side = *spec.memory_side_cache;
  slave_design_.lookup = timebase.nanoseconds(side.latency.value) +
                         timebase.clock(spec.clocks.fabric.value).cycles(side.probe_filter->latency.value);
  slave_design_.sets = static_cast<std::uint32_t>(probe_filter_sets(spec));
  slave_design_.ways = static_cast<std::uint32_t>(side.probe_filter->ways);
  slave_design_.dies = static_cast<std::uint32_t>(spec.dies.compute);
  slave_design_.stage = stages.add(side.cache.name + " probes");
  for (std::uint64_t slice = 0; slice < side.slices_per_die; ++slice)
    slaves_.emplace_back(simulation_, slave_design_, index, memory::sink<&MemoryDie::admit>(*this));
}

void MemoryDie::connect(cache::ParcelSink network, const std::vector<cache::CoherentSlave::Master>& masters) {
  network_ = network;
  for (cache::CoherentSlave& slave : slaves_) slave.connect(network, masters);
}

void MemoryDie::take(memory::Transaction& transaction, Time ready) {
  if (!transaction.coherent || slaves_.empty()) return admit(transaction, ready);
  const fabric::Place to = levels_.levels().back().place(transaction.block);
  transaction.set_destination(static_cast<std::uint16_t>(to.slice), to.set);
  slaves_[to.slice].take(transaction, ready);
}

std::uint64_t MemoryDie::copies_of(std::uint64_t block, std::uint32_t die) const {
  const fabric::Place at = levels_.levels().back().place(block);
  const cache::CoherentSlave& slave = slaves_[at.slice];
  const std::uint32_t entry = slave.filter().find(slave.filter().set_of(at.set), block);
  return entry == cache::ProbeFilter::none ? 0 : slave.filter().copies(entry, die);
}

void MemoryDie::on_notice(memory::Parcel& parcel) {
  auto& notice = static_cast<cache::Notice&>(parcel);
  const fabric::Place at = levels_.levels().back().place(notice.block);
  slaves_[at.slice].gone(notice.block, at.set, notice.die);
  notice.to = notice.back_to;
  notice.arrived = notice.back;
  // From the slice, as probes: none that was sent before the notice came arrives after it is back.
  network_.send(notice, simulation_.now() + slave_design_.lookup);
}

void MemoryDie::admit(memory::Transaction& transaction, Time ready) {
  if (values_ != nullptr) values_->at_memory(transaction);
  if (at_host(transaction.block)) {
    transaction.serviced_level = static_cast<std::uint8_t>(memory_level_ + 1);
    host_->take(transaction, ready);
    return;
  }
  if (levels_.empty()) return to_channel(transaction, ready);
  levels_.take(transaction, ready);
}

void MemoryDie::refuse_atomic() {
  throw InvalidRequest("a warp performs an atomic on global memory, and no cache performs atomics",
                       {"l2.bypass", "l2.cache.performs_atomics", "memory_side_cache"},
                       "let a cache that the cores share perform them: l2.bypass=false and "
                       "l2.cache.performs_atomics=true, or performs_atomics=true of another level");
}

void MemoryDie::to_channel(memory::Transaction& transaction, Time ready) {
  if (transaction.operation == memory::Operation::atomic && !atomics_end_above_) refuse_atomic();
  arrivals_.count(transaction);
  transaction.serviced_level = memory_level_;
  fabric::ChannelBlock to = map_.within_home(transaction.block);
  if (to.block >= channel_blocks_) to.block %= channel_blocks_;
  transaction.set_destination(static_cast<std::uint16_t>(to.channel), static_cast<std::uint32_t>(to.block));
  to_channel_[to.channel]->send(transaction, ready, Duration{});
}

void MemoryDie::touch(const cache::TouchRequest& request) {
  if (at_host(request.block)) return;
  levels_.touch(request);
}

void MemoryDie::touch_channel(std::uint64_t block) {
  const fabric::ChannelBlock at = map_.within_home(block);
  channels_[at.channel].touch_local(at.block);
}

std::optional<dram::HeldRow> MemoryDie::held_row(std::uint64_t block) const {
  if (at_host(block)) return std::nullopt;
  return channels_[map_.channel(block)].held_row(block);
}

void MemoryDie::collect(stats::Collector& collector) const {
  using Scope = stats::Collector::Scope;
  levels_.collect(collector);
  for (std::size_t s = 0; s < slaves_.size(); ++s) {
    const Scope slave(collector, fmt::format("probe filter {}", s), stats::Block::probe_filter);
    slaves_[s].collect(collector);
  }
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const Scope channel(collector, fmt::format("DRAM channel {}", c), stats::Block::dram);
    channels_[c].collect(collector);
  }
}

std::uint64_t MemoryDie::before_dram() const {
  // A request in a channel's input still holds a credit of the port in front.
  std::uint64_t requests = 0;
  for (const engine::Port& port : channel_ports_) requests += port.waiting().size() + port.depth() - port.credits();
  for (const dram::Channel& channel : channels_) requests += channel.in_queues();
  return requests;
}

void MemoryDie::collect_ports(std::vector<const engine::Port*>& ports) const {
  levels_.collect_ports(ports);
  for (const engine::Port& port : channel_ports_) ports.push_back(&port);
}

}  // namespace strata::machine
