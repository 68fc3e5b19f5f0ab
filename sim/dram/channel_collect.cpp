// SPDX-License-Identifier: Apache-2.0
// The counters and buses of a channel under their names.
#include "dram/channel.hpp"

namespace strata::dram {

void Channel::collect(stats::Collector& collector) const {
  const Statistics s = counted();
  const auto count = [&](const char* name, const char* unit, const char* meaning, std::uint64_t value) {
    collector.count(name, unit, meaning, value);
  };
  count("reads", "requests", "served", s.reads);
  count("writes", "requests", "written; they were answered when accepted", s.writes);
  count("bytes read", "bytes", "in bursts", s.bytes_read);
  count("bytes written", "bytes", "in bursts", s.bytes_written);
  count("row hits", "requests", "whose row was open", s.row_hits);
  count("row closed", "requests", "that had to open a row", s.row_closed);
  count("row conflicts", "requests", "that had to close another row first", s.row_conflicts);
  count("activates", "commands", "ACT", s.activates);
  collector.highest("activates of one bank", "commands", "ACT of the bank with most of them since the machine started",
                    scheduler_.most_activates());
  count("precharges", "commands", "PRE, of one bank or all", s.precharges);
  count("refreshes", "commands", "REF, of one bank or all", s.refreshes);
  count("turnarounds", "turns", "of the data bus from reads to writes", s.write_drains);
  // Pseudo-channels share the load evenly: one stands for all.
  const auto resource = [&](const char* name, const char* meaning, const ResourceTicks& ticks, std::uint64_t served) {
    const auto mean = [&](Tick t) { return Duration{time(t).ticks / pseudo_channels_}; };
    collector.resource(name, meaning, mean(ticks.busy), served, mean(ticks.ahead));
  };
  resource("data bus", "bursts, mean over the pseudo-channels", s.bus, s.read_bursts + s.write_bursts);
  resource("activate window", "activates, each a quarter of tFAW or tRRD_S, whichever is longer", s.activate_window,
           s.activates);
  resource("bus turnaround", "the data bus stands still to turn between reads and writes", s.turnaround,
           s.write_drains);
  resource("refresh", "banks in refresh, a share of all banks", s.refresh, s.refreshes);
}

}  // namespace strata::dram
