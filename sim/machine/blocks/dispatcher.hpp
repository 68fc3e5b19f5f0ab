// SPDX-License-Identifier: Apache-2.0
// Dispatches the blocks of a kernel to the cores (NVIDIA's work distributor, AMD's
// workgroup dispatcher). Blocks are dispatched in order of number, to the cores in the
// order of the machine's placement, one each in turn until no core has capacity or the
// grid, evenly spread, has no more; then a core gets the next one as soon as one of its
// blocks has ended. Where each compute die
// has a dispatcher of its own, it does so with every n-th block and the cores of its
// die. A block is opened when it is dispatched, so memory follows what is resident.
// Blocks of a cluster are dispatched together, each to another core of one group; the next
// cluster follows when all of them have ended.
//
// A dispatcher belongs to no process: where the machine is divided, the blocks that ended in a window
// are taken note of when it is over, in the order of their ends. None of their successors begins
// before, as long as a block takes at least a window to start.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "compute/occupancy.hpp"
#include "engine/lane.hpp"
#include "machine/machine.hpp"
#include "trace/kernel.hpp"

namespace strata::machine {

/// Receives each block: when it is dispatched, at which time its first warps begin,
/// and when its last has left.
struct BlockWatcher {
  void (*begins)(void* self, std::uint64_t block, std::uint32_t core, Time t) = nullptr;
  void (*ended)(void* self, std::uint64_t block, std::uint32_t core, Time t) = nullptr;
  void* self = nullptr;
};

/// The split of the cores' arrays that a kernel gets: as much shared memory as its
/// resident blocks take, the rest is L1. CUDA's driver chooses so for blocks of one warp where the program
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
  /// Launches the kernel now; blocks follow as the simulation runs. follows: another
  /// launch of the same list.
  void launch(bool follows = false);

  const compute::Occupancy& occupancy() const { return occupancy_; }
  /// Blocks that the cores hold at once.
  std::uint64_t resident() const { return occupancy_.blocks * places_ * cluster_; }
  /// To be called between two windows of a divided machine, with the time that has been reached.
  void at_window(Time reached);
  std::uint64_t blocks_done() const { return done_; }
  std::uint64_t blocks_begun() const { return begun_; }
  /// No further block is begun; those that have begun end.
  void begin_no_more() {
    last_ = begun_;
    closed_ = true;
    if (finished()) finish(machine_.processes().now());
  }
  /// Every block is done that was to be begun.
  bool finished() const { return done_ == last_; }
  Time launched() const { return launched_; }
  /// When the launch was over: all blocks and the stores they left, and what follows them.
  Time ended() const {
    return later(later(ended_, machine_.meter().last_answer()), machine_.meter().dies_written_back()) + after_;
  }

 private:
  /// The cores of a cluster, by rank; without clusters one core.
  using Place = std::vector<std::uint32_t>;
  /// One that dispatches: all places and clusters, or those of a die.
  struct Unit {
    std::vector<Place> places;
    std::uint64_t next;  ///< cluster
    engine::Lane lane{};
  };
  /// A core as a dispatcher sees it.
  struct Core {
    std::uint32_t unit = 0;
    std::uint32_t place = 0;  ///< of the unit
    Time fetched{};           ///< when the kernel's first instructions are there
    bool begun = false;
  };

  void finish(Time t);
  struct Ended {
    std::uint32_t core;
    std::uint64_t block;
    Time t;
  };
  void on_block_done(std::uint32_t core, std::uint64_t block);
  void done(const Ended& ended, Time not_before);
  bool exhausted(const Unit& unit) const { return closed_ || unit.next * cluster_ >= last_; }
  void form_units();
  /// The next cluster. t: when it is dispatched; its warps begin at not_before or later.
  void dispatch(Unit& unit, const Place& place, Time t, Time not_before);
  void dispatch_block(std::uint64_t block, std::uint32_t core, Time sent, Time not_before,
                      std::shared_ptr<compute::Cluster> cluster);
  void fill_in_turn(Unit& unit);
  void fill_dies();
  std::vector<std::uint64_t> shares_of(const Unit& unit, std::uint64_t apart) const;
  static void block_done(void* self, std::uint32_t core, std::uint64_t block) {
    static_cast<Dispatcher*>(self)->on_block_done(core, block);
  }

  Machine& machine_;
  trace::Kernel& kernel_;
  compute::CompletionListener listener_;
  BlockWatcher watcher_;
  std::vector<std::uint32_t> cores_;
  std::uint64_t cluster_;     ///< blocks of one
  std::uint64_t places_ = 0;  ///< of clusters
  compute::Occupancy occupancy_;
  Duration before_, before_next_, after_, per_block_, start_, cold_start_;
  std::vector<Unit> units_;
  std::vector<Core> seen_;                       ///< by core
  std::vector<std::vector<Ended>> ended_in_;     ///< by process, in the present window
  std::map<std::uint64_t, std::uint64_t> left_;  ///< blocks that have not ended, of clusters under way
  std::uint64_t last_;                           ///< so many blocks are done in all
  bool closed_ = false;                          ///< no further block is begun
  std::uint64_t begun_ = 0;
  std::uint64_t done_ = 0;
  Time launched_{};
  Time first_{};  ///< no block is dispatched before
  Time ended_{};
};

}  // namespace strata::machine
