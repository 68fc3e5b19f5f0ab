// SPDX-License-Identifier: Apache-2.0
// What a level of the machine has done: the figures of all its caches, or
// channels, added up. Two of them, taken at different times, subtract.
#pragma once
#include <cstdint>
#include <string>

namespace strata::machine {

struct LevelTraffic {
  std::string name;
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;  ///< asked for by reads and brought by writes
  std::uint64_t sectors_read = 0;
  std::uint64_t sectors_below = 0;  ///< of these, asked from the next level
  std::uint64_t sectors_coalesced = 0;  ///< of these, answered with what another core asked for
  std::uint64_t hits = 0;    ///< sectors there or on their way, and stores kept; of DRAM: row hits
  std::uint64_t misses = 0;  ///< the other sectors; of DRAM: the other accesses to rows
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t row_hits = 0;      ///< DRAM alone
  std::uint64_t row_accesses = 0;
  std::uint64_t instances = 0;     ///< caches or channels that exist
  double peak_bytes_per_second = 0;  ///< of one instance's data port, reading
  double peak_written_per_second = 0;  ///< the same of stores, where that is another
  /// How long the ports need for these bytes, less what is booked and yet to move.
  double port_seconds = 0;

  LevelTraffic since(const LevelTraffic& before) const {
    LevelTraffic d = *this;
    d.requests -= before.requests;
    d.sectors -= before.sectors;
    d.sectors_read -= before.sectors_read;
    d.sectors_below -= before.sectors_below;
    d.sectors_coalesced -= before.sectors_coalesced;
    d.hits -= before.hits;
    d.misses -= before.misses;
    d.bytes_read -= before.bytes_read;
    d.bytes_written -= before.bytes_written;
    d.row_hits -= before.row_hits;
    d.row_accesses -= before.row_accesses;
    d.port_seconds -= before.port_seconds;
    return d;
  }
  /// What the ports need for all bytes, at the peaks.
  double needed_seconds() const {
    return static_cast<double>(bytes_read) / peak_bytes_per_second +
           static_cast<double>(bytes_written) / peak_written_per_second;
  }
};

}  // namespace strata::machine
