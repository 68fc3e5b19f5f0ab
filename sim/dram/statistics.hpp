// SPDX-License-Identifier: Apache-2.0
// What a DRAM channel counts. A row hit, closed row or conflict is decided by
// the first command that an entry of the queue causes: RD or WR, ACT, PRE.
#pragma once
#include <cstdint>

#include "dram/command.hpp"

namespace strata::dram {

struct Statistics {
  std::uint64_t reads = 0;            ///< requests served
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
  std::uint64_t refreshes = 0;        ///< REF commands, per bank or per pseudo-channel
  std::uint64_t write_drains = 0;     ///< turns of the bus from reads to writes
  Tick data_busy = 0;                 ///< ticks of data bus, summed over pseudo-channels
  double queued_ticks = 0;            ///< requests in the queues, integrated over ticks
};

}  // namespace strata::dram
