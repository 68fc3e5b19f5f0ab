// SPDX-License-Identifier: Apache-2.0
// The counters and buses of a channel under their names.
#include "dram/channel.hpp"
#include "stats/collect_counters.hpp"

namespace strata::dram {

void Channel::collect(stats::Collector& collector) const {
  const Statistics s = counted();
  stats::collect_counters(collector, s);
  collector.highest("activates of one bank", "commands", "ACT of the bank with most of them since the machine started",
                    scheduler_.most_activates());
  // Pseudo-channels share the load evenly: one stands for all.
  const auto resource = [&](const char* name, const char* meaning, const ResourceTicks& ticks, std::uint64_t served) {
    const auto mean = [&](Tick t) { return Duration{time(t).ticks / pseudo_channels_}; };
    collector.resource(name, meaning, mean(ticks.busy), served, mean(ticks.ahead));
  };
  {
    const stats::Collector::Scope bus(collector, stats::Block::dram_data_bus);
    resource("data bus", "bursts, mean over the pseudo-channels", s.bus, s.read_bursts + s.write_bursts);
  }
  resource("activate window", "activates, each a quarter of tFAW or tRRD_S, whichever is longer", s.activate_window,
           s.activates);
  resource("bus turnaround", "the data bus is idle at turnarounds between reads and writes", s.turnaround,
           s.write_drains);
  resource("refresh", "banks in refresh, a share of all banks", s.refresh, s.refreshes);
}

}  // namespace strata::dram
