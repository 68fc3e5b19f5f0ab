// SPDX-License-Identifier: Apache-2.0
// What a coherent master does to a slice of its L2.
#pragma once
#include <cstdint>

#include "cache/cache.hpp"
#include "cache/coherence/tracked_copies.hpp"

namespace strata::cache {

class ProbedCache {
 public:
  explicit ProbedCache(Cache& cache) : cache_(cache) {}

  /// Coherent loads are served by tracked copies and by dirty ones alone from now on. Before the first request.
  void track(const TrackedCopies& copies) { cache_.tracked_ = &copies; }
  /// Drops the block, whatever holds it. What is dirty of it leaves in data, which was empty. Returns when it, or the
  /// answer that there is none, leaves.
  Time surrender(std::uint64_t block, memory::Transaction& data);
  /// The answer of an atomic that was performed below leaves the sectors that it asked for here. False: there is no
  /// place for them, or something of the line is here.
  bool keep(const memory::Transaction& atomic);
  bool contains(std::uint64_t block, SectorMask sectors) const { return cache_.contains(block, sectors); }

 private:
  template <class Tags>
  bool keep_in(Tags& tags, const memory::Transaction& atomic);

  Cache& cache_;
};

}  // namespace strata::cache
