// SPDX-License-Identifier: Apache-2.0
// A thread block on a core: its streams, how many of its warps are left, and its
// barriers and columns of Tensor Memory. A barrier opens when as many warps have come as it asks for; one
// that asks for all does not count those that have ended.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "compute/cluster/cluster.hpp"
#include "compute/tensor_memory/tensor_memory.hpp"
#include "trace/kernel.hpp"

namespace strata::compute {

/// Called when the last warp of a block has left; its place is free then. The number
/// of the block is handed back.
struct BlockListener {
  using Function = void (*)(void* self, std::uint32_t core, std::uint64_t block);
  Function function = nullptr;
  void* self = nullptr;
  std::uint64_t block = 0;
  std::shared_ptr<Cluster> cluster{};  ///< that the block belongs to; nullptr: none
};

struct Barrier {
  static constexpr std::uint32_t nobody = 0xFFFFFFFF;
  std::uint32_t arrived = 0;
  std::uint32_t asked = 0;         ///< warps; 0: all of the block
  std::uint32_t waiting = nobody;  ///< slot of the warp that came last; each knows the one before
};

struct ResidentBlock {
  static constexpr std::size_t most_barriers = 64;
  std::unique_ptr<trace::BlockStreams> streams;
  BlockListener listener;
  std::uint32_t running = 0;   ///< warps that have instructions left
  std::uint32_t resident = 0;  ///< warps that have not left the core
  std::array<Barrier, most_barriers> barriers{};
  TensorAllocations tensor{};
  Time tensor_until{};  ///< when its loads, stores and products there are done
};

}  // namespace strata::compute
