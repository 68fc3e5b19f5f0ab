// SPDX-License-Identifier: Apache-2.0
// The counts of what is frequent in a cache, as few writes to few lines of the host's cache: a
// look-up counts once, under its outcome and its numbers of sectors, and a fetch, a fill and an
// answer once each under theirs. CacheStatistics are sums over these.
#pragma once
#include <array>
#include <cstdint>

#include "cache/spec/cache_design.hpp"
#include "cache/statistics/cache_statistics.hpp"

namespace strata::cache {

class CacheCounts {
 public:
  enum Outcome : std::uint8_t { hit, miss, evicting_miss, merge, outcomes };
  /// By the sectors that one moved.
  struct BySectors {
    std::uint64_t fetched = 0, filled = 0;
    std::uint64_t answered = 0;  ///< reads
    std::uint64_t unused = 0;    ///< two to a line of the host's cache
  };

  /// A read that asked for `need` sectors, 1 to 4, of which `had` were valid or on their way.
  void looked_up(Outcome outcome, unsigned need, unsigned had) {
    last_ = outcome;
    ++look_ups_[need - 1][had][outcome];
  }
  Outcome last() const { return last_; }
  BySectors& of(unsigned sectors) { return by_sectors_[sectors]; }
  /// Of all numbers of sectors: total(&BySectors::filled).
  std::uint64_t total(std::uint64_t BySectors::* count) const {
    std::uint64_t sum = 0;
    for (const BySectors& some : by_sectors_) sum += some.*count;
    return sum;
  }
  void add_to(CacheStatistics& statistics) const;

  /// Of data answered, or filled: the time that all take in an array, and how many there were.
  template <class Each>
  Duration time(std::uint64_t BySectors::* count, Each each) const {
    Duration sum{};
    for (unsigned sectors = 0; sectors < by_sectors_.size(); ++sectors)
      sum += each(sectors) * static_cast<std::int64_t>(by_sectors_[sectors].*count);
    return sum;
  }

 private:
  static constexpr unsigned most = memory::sectors_per_block;
  alignas(64) std::array<BySectors, most + 1> by_sectors_{};
  Outcome last_ = hit;
  alignas(32) std::array<std::array<std::array<std::uint64_t, outcomes>, most + 1>, most> look_ups_{};
};

inline void CacheCounts::add_to(CacheStatistics& statistics) const {
  for (unsigned need = 1; need <= most; ++need)
    for (unsigned had = 0; had <= most; ++had) {
      const auto& counts = look_ups_[need - 1][had];
      statistics.hits += counts[hit];
      statistics.misses += counts[miss] + counts[evicting_miss];
      statistics.evictions += counts[evicting_miss];
      statistics.merges += counts[merge];
      const std::uint64_t all = counts[hit] + counts[miss] + counts[evicting_miss] + counts[merge];
      statistics.sectors_read += all * need;
      statistics.sector_hits += all * had;
    }
  for (unsigned sectors = 0; sectors <= most; ++sectors) {
    const BySectors& some = by_sectors_[sectors];
    statistics.sectors_fetched += some.fetched * sectors;
    statistics.fetches += some.fetched;
    statistics.sectors_filled += some.filled * sectors;
    statistics.answers += some.answered;
    statistics.bytes_read += some.answered * sectors * memory::sector_bytes;
  }
}

}  // namespace strata::cache
