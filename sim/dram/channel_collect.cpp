// SPDX-License-Identifier: Apache-2.0
// The counters and buses of a channel under their names.
#include "dram/channel.hpp"

namespace strata::dram {

void Channel::collect(stats::Collector& collector) const {
  const Statistics s = scheduler_.statistics();
  const auto count = [&](const char* name, const char* unit, const char* meaning,
                         std::uint64_t value) { collector.count(name, unit, meaning, value); };
  count("reads", "requests", "served", s.reads);
  count("writes", "requests", "written; they were answered when accepted", s.writes);
  count("bytes read", "bytes", "in bursts", s.bytes_read);
  count("bytes written", "bytes", "in bursts", s.bytes_written);
  count("row hits", "requests", "whose row was open", s.row_hits);
  count("row closed", "requests", "that had to open a row", s.row_closed);
  count("row conflicts", "requests", "that had to close another row first", s.row_conflicts);
  count("activates", "commands", "ACT", s.activates);
  count("precharges", "commands", "PRE, of one bank or all", s.precharges);
  count("refreshes", "commands", "REF, of one bank or all", s.refreshes);
  count("turnarounds", "turns", "of the data bus from reads to writes", s.write_drains);
  // Pseudo-channels share the load evenly: one bus stands for all.
  collector.resource("data bus", "bursts, mean over the pseudo-channels",
                     Duration{time(s.data_busy).ticks / pseudo_channels_},
                     s.read_bursts + s.write_bursts);
}

}  // namespace strata::dram
