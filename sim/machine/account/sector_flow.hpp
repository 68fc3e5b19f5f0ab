// SPDX-License-Identifier: Apache-2.0
// Conservation between levels: what caches asked of those below them is what
// the caches and memories below were asked for, request by request and sector by
// sector. A request lost, doubled or widened on its way shows here, whichever way it took.
#pragma once
#include <array>
#include <cstdint>

#include "cache/statistics/cache_statistics.hpp"
#include "memory/transaction.hpp"

namespace strata::machine {

/// Requests and their sectors.
struct Traffic {
  std::uint64_t requests = 0;
  std::uint64_t read = 0;    ///< sectors
  std::uint64_t stored = 0;  ///< sectors

  Traffic& operator+=(const Traffic& other) {
    requests += other.requests;
    read += other.read;
    stored += other.stored;
    return *this;
  }
};

/// What arrived at a memory, DRAM channels or the host's, by the sectors asked for.
class Arrivals {
 public:
  void count(const memory::Transaction& t) {
    const bool load = t.operation == memory::Operation::load || t.operation == memory::Operation::atomic;
    ++(load ? loads_ : stores_)[t.fetched & memory::all_sectors];
  }
  Traffic traffic() const {
    Traffic sum;
    for (unsigned mask = 0; mask < masks; ++mask) {
      const std::uint64_t sectors = memory::sector_count(static_cast<memory::SectorMask>(mask));
      sum += {loads_[mask] + stores_[mask], loads_[mask] * sectors, stores_[mask] * sectors};
    }
    return sum;
  }
  struct Bursts {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
  };
  /// That hold this number of sectors each; a request without any still takes one.
  Bursts bursts(unsigned sectors_each) const {
    Bursts sum;
    for (unsigned mask = 0; mask < masks; ++mask) {
      std::uint64_t bursts = mask == 0 ? 1 : 0;
      for (unsigned first = 0; first < memory::sectors_per_block; first += sectors_each)
        bursts += (mask >> first & ((1U << sectors_each) - 1U)) != 0 ? 1 : 0;
      sum.read += loads_[mask] * bursts;
      sum.written += stores_[mask] * bursts;
    }
    return sum;
  }

 private:
  static constexpr unsigned masks = memory::all_sectors + 1U;
  std::array<std::uint64_t, masks> loads_{};
  std::array<std::uint64_t, masks> stores_{};
};

struct SectorFlow {
  Traffic asked;    ///< of the levels below, by all caches
  Traffic arrived;  ///< at caches below the first level and at memories

  SectorFlow& operator+=(const SectorFlow& other) {
    asked += other.asked;
    arrived += other.arrived;
    return *this;
  }
  void leaves(const cache::CacheStatistics& s) {
    asked += {s.requests_below(), s.sectors_read_below(), s.sectors_stored_below()};
  }
  /// Reads that asked and were answered on the way: by a victim cache, with another's answer.
  void answered_on_the_way(std::uint64_t requests, std::uint64_t sectors) {
    asked.requests -= requests;
    asked.read -= sectors;
  }
  void leaves(const Arrivals& passed_by) { asked += passed_by.traffic(); }
  void enters(const cache::CacheStatistics& s) { arrived += {s.requests, s.sectors_read_here(), s.sectors_stored}; }
  void enters(const Arrivals& memory) { arrived += memory.traffic(); }
};

}  // namespace strata::machine
