// SPDX-License-Identifier: Apache-2.0
#include "compute/cluster/cluster.hpp"

#include <utility>

namespace strata::compute {

std::uint64_t Cluster::arrive(Time now, std::uint64_t asked) {
  const std::uint64_t phase = phase_;
  asked_ = asked;
  ++arrived_;
  open_if_complete(now);
  return phase;
}

void Cluster::leave(Time now) {
  --running_;
  open_if_complete(now);
}

void Cluster::open_if_complete(Time now) {
  if (arrived_ == 0 || arrived_ < (asked_ == 0 ? running_ : asked_)) return;
  arrived_ = 0;
  ++phase_;
  opened_ = now + latency_;
  for (const Waiting& warp : std::exchange(waiting_, {})) warp.resume(warp.core, warp.slot, opened_);
}

}  // namespace strata::compute
