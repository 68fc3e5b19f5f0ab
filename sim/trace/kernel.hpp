// SPDX-License-Identifier: Apache-2.0
// A kernel as the machine sees it: a grid of thread blocks, what a block needs
// of a core, and the instruction streams of its warps (CUDA C++ Programming
// Guide, "Hardware Implementation"). A block is opened when a core has capacity for
// it and dropped when it ends, so that memory follows the blocks that are
// resident, whatever the length of the kernel. Threads are numbered x first,
// then y, then z, and cut into warps of consecutive numbers; the last warp of a
// block may lack lanes. A launch list is run one kernel after the other.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/instruction.hpp"

namespace strata::trace {

struct Dimensions {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  /// Of the thread or block at a place; x varies fastest.
  std::uint64_t number(const Dimensions& place) const {
    return place.x + std::uint64_t{x} * (place.y + std::uint64_t{y} * place.z);
  }
  /// The place of number n, less than count().
  Dimensions place(std::uint64_t n) const {
    return {static_cast<std::uint32_t>(n % x), static_cast<std::uint32_t>(n / x % y),
            static_cast<std::uint32_t>(n / x / y)};
  }
  bool operator==(const Dimensions&) const = default;
};

/// A stretch of the address space, in bytes.
struct Region {
  std::uint64_t first = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint32_t> memory_die{};  ///< in which it is to lie; none: wherever the machine places pages
  bool operator==(const Region&) const = default;
};

/// Blocks of a cluster at most (CUDA C++ Programming Guide, non-portable cluster size).
inline constexpr std::uint32_t most_cluster = 16;

struct KernelInfo {
  std::string name;
  Dimensions grid;                          ///< blocks
  Dimensions block;                         ///< threads of a block
  std::uint32_t registers_per_thread = 32;  ///< of 32 bits
  std::uint32_t shared_bytes = 0;           ///< of a block, static and dynamic together
  std::uint32_t warp_width = 32;            ///< lanes of the streams: 32, 64 or 16
  /// Blocks of consecutive numbers that are resident together, each on another core of one group; 1: no clusters.
  std::uint32_t cluster = 1;

  /// The regions that it may access outside shared memory, ascending and disjoint; empty: not
  /// known. They are sufficient to map the addresses of a trace to memory.
  std::vector<Region> regions{};

  /// What warps issue depends on what they read, so a run needs a memory with values, and their accesses to global
  /// memory are of one lane and one word.
  bool reads_values = false;
  /// Loads ask to bypass the L1.
  bool past_l1 = false;
  /// Blocks wait for each other, so all of them must be resident.
  bool together = false;

  std::uint64_t blocks() const { return grid.count(); }
  std::uint64_t threads_per_block() const { return block.count(); }
  std::uint32_t warps_per_block() const {
    return static_cast<std::uint32_t>((threads_per_block() + warp_width - 1) / warp_width);
  }
  /// Lanes of a warp that hold a thread: all but in the last warp of a block.
  std::uint64_t lanes_of(std::uint32_t warp) const {
    const std::uint64_t left = threads_per_block() - std::uint64_t{warp} * warp_width;
    return first_lanes(left < warp_width ? static_cast<unsigned>(left) : warp_width);
  }
  /// Throws std::invalid_argument, with a remedy, if no launch has such a shape:
  /// a dimension of 0, more than 1024 threads a block or an unknown warp width.
  void check() const;
  bool operator==(const KernelInfo&) const = default;
};

/// The warps of one block under way. Streams end where their lanes have left.
class BlockStreams {
 public:
  virtual ~BlockStreams() = default;
  /// warp < warps_per_block(); the same stream each time, alive as long as this.
  virtual WarpStream& warp(std::uint32_t warp) = 0;
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const KernelInfo& info() const = 0;
  /// number < info().blocks(). The kernel outlives what it opens.
  virtual std::unique_ptr<BlockStreams> open(std::uint64_t number) = 0;
};

using LaunchList = std::vector<std::unique_ptr<Kernel>>;

}  // namespace strata::trace
