// SPDX-License-Identifier: Apache-2.0
#include "trace/kernel.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/invalid_request.hpp"

namespace strata::trace {

void KernelInfo::check() const {
  const auto refuse = [&](const std::string& what) {
    throw InvalidRequest(fmt::format("kernel '{}': {}", name, what));
  };
  for (const Dimensions& d : {grid, block})
    if (d.x == 0 || d.y == 0 || d.z == 0)
      refuse("a dimension is 0; the dimensions of a grid and a block are at least 1");
  // CUDA's own bounds; 2^31 - 1 by 65535 by 65535 blocks at most.
  if (grid.x > 0x7FFFFFFFU || grid.y > 0xFFFFU || grid.z > 0xFFFFU)
    refuse(fmt::format("a grid of {} x {} x {}; the maximum is 2147483647 x 65535 x 65535", grid.x, grid.y, grid.z));
  if (block.x > 1024 || block.y > 1024 || block.z > 64 || block.count() > 1024)
    refuse(fmt::format("a block of {} x {} x {} threads; the maximum is 1024 in total, 64 along z", block.x, block.y,
                       block.z));
  if (warp_width != 16 && warp_width != 32 && warp_width != 64)
    refuse(fmt::format("warps of {} lanes; there are 16, 32 and 64", warp_width));
  if (cluster == 0 || cluster > most_cluster || blocks() % cluster != 0)
    refuse(fmt::format("{} blocks in clusters of {}; a cluster has 1 to {} blocks, and the grid whole clusters",
                       blocks(), cluster, most_cluster));
  if (registers_per_thread > 512)
    refuse(fmt::format("{} registers per thread; the maximum is 512", registers_per_thread));
}

}  // namespace strata::trace
