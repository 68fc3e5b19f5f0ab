// SPDX-License-Identifier: Apache-2.0
// What a DRAM channel counts. A row hit, closed row or conflict is decided by
// the first command that an entry of the queue causes: RD or WR, ACT, PRE.
#pragma once
#include <cstdint>

#include "dram/timing/command.hpp"

namespace strata::dram {

/// Ticks of something that serves one thing at a time, summed over pseudo-channels.
struct ResourceTicks {
  Tick busy = 0;   ///< with all commands so far
  Tick ahead = 0;  ///< of that, past the instant of asking
};

struct Statistics {
  std::uint64_t reads = 0;  ///< requests served
  std::uint64_t writes = 0;
  std::uint64_t read_bursts = 0;
  std::uint64_t write_bursts = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t row_hits = 0;
  std::uint64_t row_closed = 0;
  std::uint64_t row_conflicts = 0;
  std::uint64_t activates = 0;
  std::uint64_t precharges = 0;
  std::uint64_t refreshes = 0;     ///< REF commands, per bank or per pseudo-channel
  std::uint64_t write_drains = 0;  ///< turns of the bus from reads to writes
  Tick data_busy = 0;              ///< ticks of data bus, summed over pseudo-channels
  ResourceTicks bus;               ///< the same as what can be short
  ResourceTicks activate_window;   ///< tFAW / 4 or tRRD_S, the longer, an ACT
  ResourceTicks turnaround;        ///< of the data bus that stands still to turn
  ResourceTicks refresh;           ///< tRFC a REF; of one bank: divided by the banks
  double queued_ticks = 0;         ///< requests in the queues, integrated over ticks
};

}  // namespace strata::dram
