// SPDX-License-Identifier: Apache-2.0
// A memory die: its channels and, on some machines, levels of caches in front of them. The slices of a memory-side
// cache, the last of these levels, are each bound to a channel.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "cache/cache.hpp"
#include "cache/coherence/coherent_slave.hpp"
#include "dram/channel.hpp"
#include "engine/port.hpp"
#include "fabric/address_map.hpp"
#include "machine/account/sector_flow.hpp"
#include "machine/blocks/cache_level.hpp"
#include "machine/blocks/host_path.hpp"
#include "machine/spec.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

class MemoryDie {
 public:
  /// map: that by which blocks find their home and channel. levels: of caches here. memory_level: the index of
  /// DRAM among the machine's levels. host: where the host's blocks go, if there is one.
  MemoryDie(engine::Simulation& simulation, const engine::Timebase& timebase, memory::StageNames& stages,
            const MachineSpec& spec, const fabric::AddressMap& map, const LevelDesigns& levels, std::uint8_t index,
            std::uint8_t memory_level, HostPath* host);
  MemoryDie(const MemoryDie&) = delete;
  MemoryDie& operator=(const MemoryDie&) = delete;

  /// A request for a block whose home is here.
  void take(memory::Transaction& transaction, Time ready);
  /// Slaves at the slices of the memory-side cache, where there is a probe filter. masters: by compute die; outlives
  /// this. network: takes parcels from this die.
  void connect(cache::ParcelSink network, const std::vector<cache::CoherentSlave::Master>& masters);
  /// Notices of the ends of copies arrive here.
  const engine::Handler& noticed() const { return noticed_; }
  std::deque<cache::CoherentSlave>& slaves() { return slaves_; }
  const std::deque<cache::CoherentSlave>& slaves() const { return slaves_; }
  /// Of a block in a compute die, as the probe filter counts them.
  std::uint64_t copies_of(std::uint64_t block, std::uint32_t die) const;
  /// The same without time.
  void touch(const cache::TouchRequest& request);
  /// Past its levels, of a block that is not the host's.
  void touch_channel(std::uint64_t block);

  const std::deque<dram::Channel>& channels() const { return channels_; }
  std::deque<dram::Channel>& channels() { return channels_; }
  CacheLevels& levels() { return levels_; }
  const CacheLevels& levels() const { return levels_; }
  void collect(stats::Collector& collector) const;
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
  void build_slaves(const engine::Timebase& timebase, memory::StageNames& stages, const MachineSpec& spec,
                    std::uint8_t index);
  void admit(memory::Transaction& transaction, Time ready);
  void on_notice(memory::Parcel& parcel);
  void to_channel(memory::Transaction& transaction, Time ready);
  /// Throws InvalidRequest: no cache performs atomics.
  [[noreturn]] static void refuse_atomic();
  bool at_host(std::uint64_t block) const { return host_ != nullptr && host_->holds(block); }

  const fabric::AddressMap& map_;
  HostPath* host_;
  std::uint32_t first_channel_;
  std::uint8_t memory_level_;
  std::deque<dram::Channel> channels_;
  std::uint64_t channel_blocks_ = 0;  ///< of one channel
  std::vector<engine::Port*> to_channel_;
  std::deque<engine::Port> channel_ports_;
  CacheLevels levels_;
  Arrivals arrivals_;
  memory::Values* values_ = nullptr;
  engine::Simulation& simulation_;
  const bool atomics_end_above_;  ///< else nothing performs one that comes here
  cache::CoherentSlaveDesign slave_design_;
  std::deque<cache::CoherentSlave> slaves_;  ///< by slice of the memory-side cache; empty: no probe filter
  cache::ParcelSink network_;
  engine::Handler noticed_ = engine::handler<&MemoryDie::on_notice>(*this);
};

}  // namespace strata::machine
