// SPDX-License-Identifier: Apache-2.0
// A thread block cluster on the cores of a group: which core has which block, and the barrier at which the warps of all
// its blocks meet (CUDA C++ Programming Guide, thread block clusters; PTX ISA, barrier.cluster).
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.hpp"

namespace strata::compute {

class Cluster {
 public:
  /// Calls back the warp of a slot of a core: it continues at t.
  struct Waiting {
    void* core = nullptr;
    std::uint32_t slot = 0;
    void (*resume)(void* core, std::uint32_t slot, Time t) = nullptr;
  };

  /// cores: of its blocks, by rank. latency: from the last arrival at the barrier until warps continue.
  Cluster(std::vector<std::uint32_t> cores, std::uint64_t warps, Duration latency)
      : cores_(std::move(cores)), latency_(latency), running_(warps) {}

  std::size_t blocks() const { return cores_.size(); }
  std::uint32_t core(std::size_t rank) const { return cores_[rank]; }

  /// A warp arrives at the barrier now, which waits for so many; 0: for all that have not ended. The number of its phase.
  std::uint64_t arrive(Time now, std::uint64_t asked);
  /// When that phase is over; none: not all have arrived yet.
  std::optional<Time> over(std::uint64_t phase) const { return phase < phase_ ? std::optional(opened_) : std::nullopt; }
  /// The present phase is not over: the warp is resumed when it is.
  void wait(const Waiting& warp) { waiting_.push_back(warp); }
  /// A warp has ended: others no longer wait for it.
  void leave(Time now);

 private:
  void open_if_complete(Time now);

  std::vector<std::uint32_t> cores_;
  Duration latency_;
  std::uint64_t running_;  ///< warps that have not ended
  std::uint64_t arrived_ = 0;
  std::uint64_t asked_ = 0;  ///< of the present phase
  std::uint64_t phase_ = 0;
  Time opened_{};  ///< when the phase before was over
  std::vector<Waiting> waiting_;
};

}  // namespace strata::compute
