// SPDX-License-Identifier: Apache-2.0
// The way to the host's memory: one link (PCIe), alike both ways, between the GPU and
// a host node whose memory answers after a fixed time and is never the limit. What
// misses the last cache above DRAM for an address of the host goes here instead of to a
// channel: past the L1 and the L2, and past a memory-side cache, which stands before the
// GPU's own memory alone. Addresses of the host lie above all those of the GPU.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/processes.hpp"
#include "fabric/die_network.hpp"
#include "machine/account/sector_flow.hpp"
#include "machine/spec.hpp"
#include "memory/stages.hpp"
#include "stats/collector.hpp"

namespace strata::machine {

/// The first byte of the host's memory as cores address it: a power of two.
std::uint64_t host_memory_begin(const MachineSpec& spec);

class HostPath {
 public:
  /// The spec must have a host.
  HostPath(engine::Processes& processes, const engine::Timebase& timebase, engine::Clock clock, const MachineSpec& spec,
           memory::StageNames& stages);
  HostPath(const HostPath&) = delete;
  HostPath& operator=(const HostPath&) = delete;

  bool holds(std::uint64_t block) const { return block >= first_block_; }
  /// Throws std::logic_error where the machine is divided into processes.
  void take(memory::Transaction& transaction, Time ready);
  void collect(stats::Collector& collector) const { link_.collect(collector); }
  std::vector<const engine::Port*> ports() const { return link_.ports(); }
  /// At the host's memory.
  const Arrivals& arrivals() const { return arrivals_; }

 private:
  static constexpr std::uint32_t gpu = 0;
  static constexpr std::uint32_t host = 1;
  void at_host(memory::Transaction& transaction, Time ready);

  engine::Simulation& simulation_;
  bool divided_;
  std::uint64_t first_block_;
  Duration latency_;
  memory::Stage stage_;
  fabric::DieNetwork link_;
  Arrivals arrivals_;
};

}  // namespace strata::machine
