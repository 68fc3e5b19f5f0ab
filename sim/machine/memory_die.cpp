// SPDX-License-Identifier: Apache-2.0
#include "machine/memory_die.hpp"

#include <fmt/format.h>

namespace strata::machine {

MemoryDie::MemoryDie(engine::Simulation& simulation, const engine::Timebase& timebase, memory::StageNames& stages,
                     const MachineSpec& spec, const fabric::AddressMap& map, engine::Clock fabric_clock,
                     std::uint8_t index, std::uint8_t memory_level, HostPath* host)
    : map_(map),
      host_(host),
      index_(index),
      first_channel_(index * static_cast<std::uint32_t>(spec.memory.channels_per_die)),
      memory_level_(memory_level),
      line_shift_(spec.memory_side_cache ? line_shift(spec.memory_side_cache->cache) : 0) {
  if (const auto& side = spec.memory_side_cache) {
    const auto design = std::make_shared<const cache::CacheDesign>(
        stages, side->cache, fabric_clock, cache::IndexFunction{&MemoryDie::set_of, this, true});
    for (std::uint32_t s = 0; s < side->slices_per_die; ++s) {
      cache::Cache& slice = slices_.emplace_back(simulation, design, mix(index, s));
      slice.connect(memory::sink<&MemoryDie::to_channel>(*this));
      slice_ports_.emplace_back(simulation, fmt::format("memory die {} slice {}", index, s), slice.input(),
                                timebase.nanoseconds(side->latency.value),
                                static_cast<std::uint32_t>(side->cache.input_depth));
    }
    if (side->cache.prefetcher != cache::no_prefetcher)
      for (cache::Cache& slice : slices_) slice.share_prefetcher(slices_.front(), {&MemoryDie::prefetch, this});
  }
  const engine::Clock edges = timebase.clock(spec.memory.channel.timing.tick_rate().value);
  const dram::LocalBlock local{[](const void* self, std::uint64_t block) {
                                 return static_cast<const fabric::AddressMap*>(self)->block_in_channel(block);
                               },
                               &map_, true};
  for (std::uint32_t c = 0; c < spec.memory.channels_per_die; ++c) {
    dram::Channel& channel =
        channels_.emplace_back(simulation, edges, spec.memory.channel, stages, mix(first_channel_ + c), local,
                               channels_.empty() ? nullptr : &channels_.front());
    channel_ports_.emplace_back(simulation, fmt::format("memory die {} channel {}", index, c), channel.receiver(),
                                timebase.nanoseconds(spec.memory.latency.value), channel.input_depth());
  }
  channel_blocks_ = channels_.front().blocks();
}

std::uint64_t MemoryDie::set_of(const void* self, std::uint64_t line) {
  // Lines shorter than a block share its set.
  const auto& die = *static_cast<const MemoryDie*>(self);
  return die.map_.place(line >> die.line_shift_).set;
}

/// Lines of this home are fetched ahead; the host's never come here.
bool MemoryDie::prefetch(void* self, cache::LineNumber line, const cache::PrefetchOrigin& origin) {
  auto& die = *static_cast<MemoryDie*>(self);
  const std::uint64_t block = line >> die.line_shift_;
  if (die.map_.home(block) != die.index_) return false;
  return die.slices_[die.map_.place(block).slice].prefetch_soon(line, origin);
}

void MemoryDie::take(memory::Transaction& transaction, Time ready) {
  if (values_ != nullptr) values_->at_memory(transaction);
  if (at_host(transaction.block)) {
    transaction.deepest = memory_level_;
    host_->take(transaction, ready);
    return;
  }
  if (slices_.empty()) {
    to_channel(transaction, ready);
    return;
  }
  // Also where no network lies between, so that its hits are not taken for the L2's.
  transaction.deepest = static_cast<std::uint8_t>(memory_level_ - 1);
  const fabric::Place to = map_.place(transaction.block);
  transaction.bound_for(static_cast<std::uint16_t>(to.slice), to.set);
  slice_ports_[transaction.slice].send(transaction, ready, Duration{});
}

void MemoryDie::to_channel(memory::Transaction& transaction, Time ready) {
  arrivals_.count(transaction);
  transaction.deepest = memory_level_;
  fabric::ChannelBlock to = map_.within_home(transaction.block);
  if (to.block >= channel_blocks_) to.block %= channel_blocks_;
  transaction.bound_for(static_cast<std::uint16_t>(to.channel), static_cast<std::uint32_t>(to.block));
  channel_ports_[to.channel].send(transaction, ready, Duration{});
}

void MemoryDie::touch(const cache::TouchRequest& request) {
  if (at_host(request.block)) return;
  cache::Cache* const cache = slice(request.block);
  if (cache == nullptr) {
    touch_channel(request.block);
    return;
  }
  const cache::Touch touch = cache->touch(request);
  if (touch.surplus != nullptr)
    for (const cache::SurplusVictim& victim : *touch.surplus) touch_channel(victim.block);
  if (touch.below != 0) touch_channel(request.block);
  if (touch.victim_dirty != 0) touch_channel(touch.victim_block);
}

void MemoryDie::touch_channel(std::uint64_t block) { channels_[map_.channel(block)].touch(block); }

std::optional<dram::HeldRow> MemoryDie::held_row(std::uint64_t block) const {
  if (at_host(block)) return std::nullopt;
  return channels_[map_.channel(block)].held_row(block);
}

void MemoryDie::collect(stats::Collector& collector) const {
  using Scope = stats::Collector::Scope;
  for (std::size_t s = 0; s < slices_.size(); ++s) {
    const Scope slice(collector, fmt::format("{} slice {}", slices_[s].spec().name, s));
    slices_[s].collect(collector);
  }
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const Scope channel(collector, fmt::format("DRAM channel {}", c));
    channels_[c].collect(collector);
  }
}

std::uint64_t MemoryDie::before_dram() const {
  // Who sits in a channel's input still holds a place of the port in front.
  std::uint64_t requests = 0;
  for (const engine::Port& port : channel_ports_) requests += port.waiting().size() + port.depth() - port.credits();
  for (const dram::Channel& channel : channels_) requests += channel.in_queues();
  return requests;
}

void MemoryDie::collect_ports(std::vector<const engine::Port*>& ports) const {
  for (const engine::Port& port : slice_ports_) ports.push_back(&port);
  for (const engine::Port& port : channel_ports_) ports.push_back(&port);
}

}  // namespace strata::machine
