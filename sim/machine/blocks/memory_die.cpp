// SPDX-License-Identifier: Apache-2.0
#include "machine/blocks/memory_die.hpp"

#include <fmt/format.h>

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
               this}) {
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

void MemoryDie::take(memory::Transaction& transaction, Time ready) {
  if (values_ != nullptr) values_->at_memory(transaction);
  if (at_host(transaction.block)) {
    transaction.serviced_level = static_cast<std::uint8_t>(memory_level_ + 1);
    host_->take(transaction, ready);
    return;
  }
  if (levels_.empty()) return to_channel(transaction, ready);
  levels_.take(transaction, ready);
}

void MemoryDie::to_channel(memory::Transaction& transaction, Time ready) {
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

void MemoryDie::touch_channel(std::uint64_t block) { channels_[map_.channel(block)].touch(block); }

std::optional<dram::HeldRow> MemoryDie::held_row(std::uint64_t block) const {
  if (at_host(block)) return std::nullopt;
  return channels_[map_.channel(block)].held_row(block);
}

void MemoryDie::collect(stats::Collector& collector) const {
  using Scope = stats::Collector::Scope;
  levels_.collect(collector);
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
