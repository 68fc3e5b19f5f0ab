// SPDX-License-Identifier: Apache-2.0
// What blocks of a cluster have in common: a barrier, and accesses to each other's shared memory.
#include <fmt/format.h>

#include "base/invalid_request.hpp"
#include "compute/core.hpp"

namespace strata::compute {

// Arrives, waits, or both.
void Core::meet_cluster(Warp& warp) {
  using Part = trace::BarrierPart;
  Cluster* const cluster = warp.block->listener.cluster.get();
  if (cluster == nullptr)
    throw InvalidRequest(fmt::format("block {}, warp {} meets the other blocks of its cluster, and its kernel has none",
                                     warp.block->listener.block, warp.number),
                         {}, "give the kernel clusters, or use a barrier of the block");
  const Part part = warp.instruction.barrier_part;
  if (part != Part::wait) warp.cluster_phase = cluster->arrive(simulation_.now(), warp.instruction.barrier_warps);
  if (part == Part::arrive) return advance(warp);
  wait_for(warp, Stall::barrier);
  if (const auto over = cluster->over(warp.cluster_phase))
    simulation_.at(later(*over, simulation_.now()), engine::Priority::decision, begin_, &warp);
  else
    cluster->wait({this, warp.slot, [](void* self, std::uint32_t slot, Time t) {
                     auto& core = *static_cast<Core*>(self);
                     core.simulation_.at(t, engine::Priority::decision, core.begin_, core.warps_[slot].get());
                   }});
}

}  // namespace strata::compute
