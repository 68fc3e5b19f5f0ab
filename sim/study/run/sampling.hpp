// SPDX-License-Identifier: Apache-2.0
// Runs a kernel of many alike blocks in part. The rate of such a kernel settles
// once the bytes that it moves to and from memory have passed the last cache:
// before, no dirty line is written back, and what the caches held when it began
// still counts. The blocks that are resident first begin at one time and stay in
// step for a while. So the first blocks are run until that traffic is twice the
// last cache and twice as many blocks as are resident at once have ended, then for
// a window of once the last cache in which as many blocks end again; if the two
// halves of the window agree, no further block begins, those under way end, and
// the window stands for the blocks that were left out. If they do not, the window
// moves on by half its length; where more of the kernel is to be run, a steady
// window grows to twice its length. Launch, cold caches and the end of the last
// blocks are run, not estimated.
//
// Avalos Baddouh, Khairy, Green, Payer and Rogers: Principal Kernel Analysis
// (MICRO 2021) stop a kernel once its rate is stable, whatever its traffic.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "stats/baseline.hpp"
#include "stats/kernel_figures.hpp"
#include "trace/kernel.hpp"

namespace strata::study {

class Sampler {
 public:
  /// resident: blocks that the machine holds at once. least_share: of the kernel's blocks,
  /// 0 to 1, that are run at least. Opens some blocks of the kernel to compare them.
  /// Machine and kernel outlive the sampler.
  Sampler(machine::Machine& machine, trace::Kernel& kernel, std::uint64_t resident, double least_share);

  /// Accesses after which enough() is asked next: often enough to find the window's ends.
  std::uint64_t pause() const { return pause_; }
  /// Looks at the machine. accesses: completed so far; begun, done: blocks. True: no
  /// further block need begin.
  bool enough(std::uint64_t accesses, std::uint64_t begun, std::uint64_t done);

  /// The window, once enough() was true, and how often it must be repeated for the blocks
  /// that have not been run. Begin and end are the sampler's.
  struct Rest {
    const stats::Baseline* begin = nullptr;
    const stats::Baseline* end = nullptr;
    std::vector<machine::LevelTraffic> levels;  ///< of the window
    Duration duration{};                        ///< of the window
    std::uint64_t transactions = 0;             ///< in the window
    double times = 0;
  };
  /// issued: instructions of warps in what was run.
  Rest rest(std::uint64_t issued) const;
  /// run: blocks that were run; took: the time of these, launch and end included; issued: as in rest().
  stats::Sampling describe(std::uint64_t run, Duration took, std::uint64_t issued) const;

 private:
  struct Mark {
    Time time{};
    std::uint64_t accesses = 0;
    std::uint64_t bytes = 0;  ///< of memory traffic
    std::uint64_t done = 0;   ///< blocks
    std::uint64_t transactions = 0;
    std::uint64_t issued = 0;  ///< instructions of warps
    stats::Baseline figures;
    std::vector<machine::LevelTraffic> levels;
  };
  struct Point {
    Time time{};
    std::uint64_t accesses = 0;
  };
  void compare_blocks();
  std::uint64_t memory_bytes(const std::vector<machine::LevelTraffic>& levels) const;
  double rates_differ() const;

  machine::Machine& machine_;
  trace::Kernel& kernel_;
  std::uint64_t resident_;
  double least_share_;
  std::uint64_t cache_;   ///< bytes of the last cache
  std::uint64_t before_;  ///< bytes of memory traffic before the kernel
  std::uint64_t pause_;
  std::uint64_t compared_blocks_ = 0;
  double block_instructions_ = 0;  ///< mean of the compared blocks
  double blocks_differ_ = 0;
  std::string whole_because_;
  bool steady_ = false;  ///< the window's halves agree
  bool enough_ = false;
  std::vector<Mark> marks_;    ///< begin, middle and end of the window
  std::vector<Point> points_;  ///< at eighths of the window and a little before
  std::uint64_t next_mark_;    ///< bytes of memory traffic
  std::uint64_t next_done_;    ///< blocks, as well
  std::uint64_t next_point_;
};

}  // namespace strata::study
