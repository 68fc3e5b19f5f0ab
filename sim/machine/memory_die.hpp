// SPDX-License-Identifier: Apache-2.0
// A memory die: its channels and, on some machines, the slices of a
// memory-side cache in front of them, each bound to its channel.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "cache/cache.hpp"
#include "dram/channel.hpp"
#include "engine/port.hpp"
#include "fabric/address_map.hpp"
#include "machine/host_path.hpp"
#include "machine/sector_flow.hpp"
#include "machine/spec.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

class MemoryDie {
 public:
  /// map: that by which blocks find their home and channel. memory_level: the
  /// index of DRAM among the machine's levels. host: where the host's blocks go, if
  /// there is one.
  MemoryDie(engine::Simulation& simulation, const engine::Timebase& timebase, memory::StageNames& stages,
            const MachineSpec& spec, const fabric::AddressMap& map, engine::Clock fabric_clock, std::uint8_t index,
            std::uint8_t memory_level, HostPath* host);
  MemoryDie(const MemoryDie&) = delete;
  MemoryDie& operator=(const MemoryDie&) = delete;

  /// A request for a block whose home is here.
  void take(memory::Transaction& transaction, Time ready);
  /// The same without time.
  void touch(const cache::TouchRequest& request);

  const std::deque<dram::Channel>& channels() const { return channels_; }
  std::deque<dram::Channel>& channels() { return channels_; }
  const std::deque<cache::Cache>& slices() const { return slices_; }
  void collect(stats::Collector& collector) const;
  cache::Cache* slice(std::uint64_t block) { return slices_.empty() ? nullptr : &slices_[map_.place(block).slice]; }
  void watch_atomics(const memory::AtomicListener* listener) {
    for (cache::Cache& slice : slices_) slice.watch_atomics(listener);
  }
  /// Whom to report what is read and written here; nullptr: none.
  void keep_values(memory::Values* values) { values_ = values; }
  void collect_ports(std::vector<const engine::Port*>& ports) const;
  /// The row buffer that a block of this home is bound for; none where it is the host's.
  std::optional<dram::HeldRow> held_row(std::uint64_t block) const;
  /// At the channels.
  const Arrivals& arrivals() const { return arrivals_; }
  /// Requests that have left for the channels and are not yet served.
  std::uint64_t before_dram() const;

 private:
  void to_channel(memory::Transaction& transaction, Time ready);
  void touch_channel(std::uint64_t block);
  bool at_host(std::uint64_t block) const { return host_ != nullptr && host_->holds(block); }
  static std::uint64_t set_of(const void* self, std::uint64_t line);
  static bool prefetch(void* self, cache::LineNumber line, const cache::PrefetchOrigin& origin);

  const fabric::AddressMap& map_;
  HostPath* host_;
  std::uint8_t index_;
  std::uint32_t first_channel_;
  std::uint8_t memory_level_;
  unsigned line_shift_;  ///< from a slice's line to its block
  std::deque<cache::Cache> slices_;
  std::deque<engine::Port> slice_ports_;
  std::deque<dram::Channel> channels_;
  std::uint64_t channel_blocks_ = 0;  ///< of one channel
  std::deque<engine::Port> channel_ports_;
  Arrivals arrivals_;
  memory::Values* values_ = nullptr;
};

}  // namespace strata::machine
