// SPDX-License-Identifier: Apache-2.0
// What a DRAM channel counts. A row hit, closed row or conflict is decided by
// the first command that an entry of the queue causes: RD or WR, ACT, PRE.
#pragma once
#include <cstdint>

#include "dram/timing/command.hpp"
#include "stats/counter.hpp"

namespace strata::dram {

/// Ticks of something that serves one thing at a time, summed over pseudo-channels.
struct ResourceTicks {
  Tick busy = 0;   ///< with all commands so far
  Tick ahead = 0;  ///< of that, past the instant of asking
};

struct Statistics {
  stats::Counter<"reads", "requests", "served"> reads;
  stats::Counter<"writes", "requests", "written; they were answered when accepted"> writes;
  stats::Counter<"bytes read", "bytes", "in bursts"> bytes_read;
  stats::Counter<"bytes written", "bytes", "in bursts"> bytes_written;
  stats::Counter<"row hits", "requests", "whose row was open"> row_hits;
  stats::Counter<"row closed", "requests", "that had to open a row"> row_closed;
  stats::Counter<"row conflicts", "requests", "that had to close another row first"> row_conflicts;
  stats::Counter<"activates", "commands", "ACT"> activates;
  stats::Counter<"precharges", "commands", "PRE, of one bank or all"> precharges;
  stats::Counter<"refreshes", "commands", "REF, of one bank or all"> refreshes;
  stats::Counter<"turnarounds", "turns", "of the data bus from reads to writes"> write_drains;
  std::uint64_t read_bursts = 0;
  std::uint64_t write_bursts = 0;
  Tick data_busy = 0;             ///< ticks of data bus, summed over pseudo-channels
  ResourceTicks bus;              ///< the same as what can be short
  ResourceTicks activate_window;  ///< tFAW / 4 or tRRD_S, the longer, an ACT
  ResourceTicks turnaround;       ///< of the data bus that stands still to turn
  ResourceTicks refresh;          ///< tRFC a REF; of one bank: divided by the banks
  double queued_ticks = 0;        ///< requests in the queues, integrated over ticks
};

}  // namespace strata::dram
