// SPDX-License-Identifier: Apache-2.0
// Conservation between levels: what caches asked of those below them is what
// the caches and memories below were asked for, sector by sector. A request
// lost, doubled or widened on its way shows here, whichever way it took.
#pragma once
#include <cstdint>

#include "cache/cache_statistics.hpp"
#include "memory/transaction.hpp"

namespace strata::machine {

/// Sectors that arrived at a memory: DRAM channels or the host's.
struct Arrivals {
  std::uint64_t read = 0;
  std::uint64_t stored = 0;

  bool operator==(const Arrivals&) const = default;
  void count(const memory::Transaction& t) {
    const bool load =
        t.operation == memory::Operation::load || t.operation == memory::Operation::atomic;
    (load ? read : stored) += memory::sector_count(t.fetched);
  }
};

struct SectorFlow {
  Arrivals asked;    ///< of the levels below, by all caches
  Arrivals arrived;  ///< at caches below the first level and at memories

  void leaves(const cache::CacheStatistics& s) {
    asked.read += s.sectors_read_below();
    asked.stored += s.sectors_stored_below();
  }
  void enters(const cache::CacheStatistics& s) {
    arrived.read += s.sectors_read_here();
    arrived.stored += s.sectors_stored;
  }
  void enters(const Arrivals& memory) {
    arrived.read += memory.read;
    arrived.stored += memory.stored;
  }
};

}  // namespace strata::machine
