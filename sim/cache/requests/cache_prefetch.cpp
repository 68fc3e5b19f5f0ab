// SPDX-License-Identifier: Apache-2.0
// Lines that the prefetcher of a die requests from one of its slices.
#include "cache/requests/cache_prefetch.hpp"

#include "cache/requests/cache_requests.hpp"

namespace strata::cache {

void Cache::share_prefetcher(Cache& first, const PrefetchRoute& route) {
  prefetching_->share(*first.prefetching_, route);
}

bool Cache::prefetch_soon(LineNumber line, const PrefetchOrigin& origin) {
  std::vector<Prefetching::Wanted>& wanted = prefetching_->wanted();
  if (wanted.size() == Prefetching::most_wanted) return false;
  // Not at once: the requesting slice is processing a request.
  if (wanted.empty()) simulation_.at(simulation_.now(), engine::Priority::decision, prefetch_);
  wanted.push_back({line, origin});
  return true;
}

void Cache::on_prefetch() {
  std::vector<Prefetching::Wanted>& wanted = prefetching_->wanted();
  std::visit(
      [&](auto& tags) {
        for (const Prefetching::Wanted& each : wanted) prefetch(tags, each.origin, each.line);
      },
      tags_);
  wanted.clear();
}

}  // namespace strata::cache
