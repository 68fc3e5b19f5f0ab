// SPDX-License-Identifier: Apache-2.0
// What a level of the machine has done: the figures of all its caches, or
// channels, added up. Two of them, taken at different times, subtract.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>

namespace strata::machine {

struct LevelTraffic {
  std::string name;
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;  ///< asked for by reads and brought by writes
  std::uint64_t sectors_read = 0;
  std::uint64_t sectors_below = 0;      ///< of these, asked from the next level
  std::uint64_t sectors_coalesced = 0;  ///< of these, answered with what another core asked for
  std::uint64_t hits = 0;               ///< sectors there or on their way, and stores kept; of DRAM: row hits
  std::uint64_t misses = 0;             ///< the other sectors; of DRAM: the other accesses to rows
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t row_hits = 0;  ///< DRAM alone
  std::uint64_t row_accesses = 0;
  std::uint64_t instances = 0;         ///< caches or channels that exist
  double peak_bytes_per_second = 0;    ///< of one instance's data port, reading
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
  /// With the window, a part of it, repeated so many times more; rounded.
  LevelTraffic repeated(const LevelTraffic& window, double times) const {
    LevelTraffic all = *this;
    const auto add = [times](std::uint64_t& to, std::uint64_t value) {
      to += static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * times));
    };
    add(all.requests, window.requests);
    add(all.sectors, window.sectors);
    add(all.sectors_read, window.sectors_read);
    add(all.sectors_below, window.sectors_below);
    add(all.sectors_coalesced, window.sectors_coalesced);
    add(all.hits, window.hits);
    add(all.misses, window.misses);
    add(all.bytes_read, window.bytes_read);
    add(all.bytes_written, window.bytes_written);
    add(all.row_hits, window.row_hits);
    add(all.row_accesses, window.row_accesses);
    all.port_seconds += window.port_seconds * times;
    return all;
  }
  /// What the ports need for all bytes, at the peaks.
  double needed_seconds() const {
    return static_cast<double>(bytes_read) / peak_bytes_per_second +
           static_cast<double>(bytes_written) / peak_written_per_second;
  }
};

}  // namespace strata::machine
