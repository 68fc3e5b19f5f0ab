// SPDX-License-Identifier: Apache-2.0
// What a cache with a prefetcher has besides: the prefetcher, its requests on their way, and the lines
// that it brought and nothing has used.
//
// The slices of a die hold the lines of a load's neighbourhood between them. They share one
// prefetcher, which sees the loads of all in the order in which they are looked up, and a line that it
// asks for is handed to the die, which knows the slice that holds it. That slice fetches it
// later in the same instant: the path between slices takes no time. The queue in front of it is
// bounded, and what finds it full is dropped.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "cache/prefetch/table.hpp"
#include "engine/pool.hpp"
#include "memory/transaction.hpp"

namespace strata::cache {

/// Of the load that a prefetch follows.
struct PrefetchOrigin {
  static PrefetchOrigin of(const memory::Transaction& load) {
    return {load.virtual_block - load.block, load.block, load.core, load.warp, load.requester_die};
  }
  std::uint32_t warp_of_machine() const { return std::uint32_t{core} << 16U | warp; }

  std::uint64_t to_virtual;  ///< added to a block of its page
  std::uint64_t block;
  std::uint16_t core, warp;
  std::uint8_t die;
};

/// Takes the lines that the prefetcher of a slice asks for to the slice that holds them. False: no
/// slice of the die may fetch it.
struct PrefetchRoute {
  using Function = bool (*)(void* self, LineNumber line, const PrefetchOrigin& origin);
  Function function = nullptr;  ///< null: the cache holds all lines
  void* self = nullptr;
};

class Prefetching {
 public:
  static constexpr std::size_t most_wanted = 16;  ///< in the queue of a slice

  Prefetching(std::string_view name, const PrefetchShape& shape)
      : policy_(std::make_shared<PrefetcherTable::Any>(PrefetcherTable::make("prefetcher", name, shape))) {}

  /// This slice and `first` have one prefetcher from now on.
  void share(const Prefetching& first, const PrefetchRoute& route) {
    policy_ = first.policy_;
    route_ = route;
  }
  bool routed() const { return route_.function != nullptr; }
  bool route(LineNumber line, const PrefetchOrigin& origin) const { return route_.function(route_.self, line, origin); }
  struct Wanted {
    LineNumber line;
    PrefetchOrigin origin;
  };
  /// The lines that were routed here and not yet looked at.
  std::vector<Wanted>& wanted() { return wanted_; }

  /// A load was served; the callback receives the lines that are requested. True: it is the first use
  /// of a prefetched line.
  template <class Fetch>
  bool load(LineNumber line, std::uint32_t warp, bool missed, Fetch fetch_line) {
    // A line that was evicted unused misses again.
    const bool prefetched = unused_.erase(line) != 0 && !missed;
    std::visit([&](auto& policy) { policy.load({line, warp, missed || prefetched}, fetch_line); }, *policy_);
    return prefetched;
  }
  void came(LineNumber line, bool prefetched) {
    std::visit([&](auto& policy) { policy.came(line, prefetched); }, *policy_);
  }
  memory::Transaction& begin(LineNumber line) {
    unused_.insert(line);
    return requests_.take();
  }
  void end(memory::Transaction& request) { requests_.give_back(request); }
  std::size_t alive() const { return requests_.alive(); }

 private:
  std::shared_ptr<PrefetcherTable::Any> policy_;
  PrefetchRoute route_;
  std::vector<Wanted> wanted_;
  engine::Pool<memory::Transaction> requests_;
  boost::unordered_flat_set<LineNumber> unused_;
};

}  // namespace strata::cache
