// SPDX-License-Identifier: Apache-2.0
// What a cache with a prefetcher has besides: the prefetcher, its requests on their way, and the lines
// that it brought and nothing has used.
#pragma once
#include <boost/unordered/unordered_flat_set.hpp>

#include "cache/prefetch/table.hpp"
#include "engine/pool.hpp"
#include "memory/transaction.hpp"

namespace strata::cache {

/// Of the load that a prefetch follows.
struct PrefetchOrigin {
  std::uint64_t to_virtual;  ///< added to a block of its page
  std::uint64_t block;
  std::uint16_t core, warp;
  std::uint8_t die;
};

class Prefetching {
 public:
  Prefetching(std::string_view name, const PrefetchShape& shape) : policy_(PrefetcherTable::make(name, shape)) {}

  /// A load was served; want is called with the lines that are asked for. True: it is the first use
  /// of a prefetched line.
  template <class Want>
  bool load(LineNumber line, std::uint32_t warp, bool missed, Want want) {
    // A line that was evicted unused misses again.
    const bool prefetched = unused_.erase(line) != 0 && !missed;
    std::visit([&](auto& policy) { policy.load({line, warp, missed || prefetched}, want); }, policy_);
    return prefetched;
  }
  void came(LineNumber line, bool prefetched) {
    std::visit([&](auto& policy) { policy.came(line, prefetched); }, policy_);
  }
  memory::Transaction& begin(LineNumber line) {
    unused_.insert(line);
    return requests_.take();
  }
  void end(memory::Transaction& request) { requests_.give_back(request); }
  std::size_t alive() const { return requests_.alive(); }

 private:
  PrefetcherTable::Any policy_;
  engine::Pool<memory::Transaction> requests_;
  boost::unordered_flat_set<LineNumber> unused_;
};

}  // namespace strata::cache
