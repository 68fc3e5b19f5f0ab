// SPDX-License-Identifier: Apache-2.0
// Hands the blocks of a kernel to the cores (NVIDIA's work distributor, AMD's
// workgroup dispatcher). Blocks go out in order of number, to the cores in the
// order of the machine's placement, one each in turn until no core has room;
// then a core gets the next one as soon as one of its blocks has ended. A block
// is opened when it is handed out, so memory follows what is resident.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "compute/occupancy.hpp"
#include "engine/lane.hpp"
#include "machine/machine.hpp"
#include "trace/kernel.hpp"

namespace strata::machine {

/// Told of each block: when it is handed out, at which time its first warps begin,
/// and when its last has left.
struct BlockWatcher {
  void (*begins)(void* self, std::uint64_t block, std::uint32_t core, Time t) = nullptr;
  void (*ended)(void* self, std::uint64_t block, std::uint32_t core, Time t) = nullptr;
  void* self = nullptr;
};

/// The split of the cores' arrays that a kernel gets: as much shared memory as its
/// resident blocks take, the rest is L1. CUDA's driver chooses so where the program
/// says nothing (h200 l1_capacity_vs_smem).
const CarveOutSpec& carve_out_of(const MachineSpec& spec, const trace::KernelInfo& kernel);

class Dispatcher {
 public:
  /// The kernel must outlive the run. Throws std::invalid_argument if not one
  /// block fits on a core, or if the kernel's warps are wider than the machine's.
  Dispatcher(Machine& machine, trace::Kernel& kernel, std::string_view placement,
             const compute::CompletionListener& listener);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  void watch(const BlockWatcher& watcher) { watcher_ = watcher; }
  /// Launches the kernel now; blocks follow as the simulation runs.
  void launch();

  const compute::Occupancy& occupancy() const { return occupancy_; }
  /// Blocks that the cores hold at once.
  std::uint64_t resident() const { return occupancy_.blocks * cores_.size(); }
  std::uint64_t blocks_done() const { return done_; }
  std::uint64_t blocks_begun() const { return next_; }
  /// No further block is begun; those that have begun end.
  void begin_no_more() { last_ = next_; }
  /// Every block is done that was to be begun.
  bool finished() const { return done_ == last_; }
  Time launched() const { return launched_; }
  /// When the launch was over: all blocks and the stores they left, and what follows them.
  Time ended() const { return later(ended_, machine_.last_answer()) + after_; }

 private:
  void on_block_done(std::uint32_t core, std::uint64_t block);
  void hand_out(std::uint32_t core);
  bool hand_out_to(std::uint64_t first, std::uint64_t count);
  static void block_done(void* self, std::uint32_t core, std::uint64_t block) {
    static_cast<Dispatcher*>(self)->on_block_done(core, block);
  }

  Machine& machine_;
  trace::Kernel& kernel_;
  compute::CompletionListener listener_;
  BlockWatcher watcher_;
  std::vector<std::uint32_t> cores_;
  compute::Occupancy occupancy_;
  Duration before_, after_, per_block_, start_;
  engine::Lane distributor_;
  std::uint64_t next_ = 0;
  std::uint64_t last_;  ///< blocks from here on are not begun
  std::uint64_t done_ = 0;
  Time launched_{};
  Time ended_{};
};

}  // namespace strata::machine
