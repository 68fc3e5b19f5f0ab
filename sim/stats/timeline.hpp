// SPDX-License-Identifier: Apache-2.0
// What happened when, for people to look at: the kernels of a run one after the
// other, their thread blocks each in a place of a core, and the stages that some of
// their line requests went through. Times are nanoseconds from the first launch.
//
// It is a sample and its size is bounded. Where there is more than fits, all blocks
// of every second core are left out, then of every second of the rest, and so on; of
// the requests every second. So what is shown of a core is whole, and what is shown
// of requests covers the run from its start to its end.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace strata::stats {

struct TimelineKernel {
  std::string name;
  double from_ns = 0;
  double until_ns = 0;
};

/// Resident from its first instruction until its last warp has left.
struct TimelineBlock {
  std::uint32_t kernel = 0;
  std::uint32_t core = 0;
  std::uint32_t place = 0;   ///< of the core's places, the lowest that was free
  std::uint64_t number = 0;  ///< within its kernel
  double from_ns = 0;
  double until_ns = 0;
};

/// One stage of a request; stages of a request follow each other without a gap.
struct TimelineStep {
  std::uint32_t stage = 0;  ///< of Timeline::stages
  double from_ns = 0;
  double until_ns = 0;
};

struct TimelineRequest {
  std::size_t block = 0;  ///< of Timeline::blocks
  std::size_t first = 0;  ///< of Timeline::steps
  std::size_t steps = 0;  ///< at least one
};

struct Timeline {
  std::vector<TimelineKernel> kernels;
  std::vector<TimelineBlock> blocks;
  std::vector<TimelineRequest> requests;
  std::vector<TimelineStep> steps;
  std::vector<std::string> stages;
  std::uint64_t cores = 0;        ///< of the machine
  std::uint64_t most_events = 0;  ///< the bound
  std::uint64_t one_core_in = 1;  ///< cores whose number is a multiple are shown
  std::uint64_t one_request_in = 1;
  std::uint64_t blocks_run = 0;

  /// A slice for a block; for a request a slice and an arrow each step, and the
  /// arrow's tail.
  static constexpr std::uint64_t events_of_block = 1;
  static constexpr std::uint64_t events_of_request(std::size_t steps) { return 2 * steps + 1; }
  std::uint64_t events() const {
    return kernels.size() + blocks.size() * events_of_block + 2 * steps.size() + requests.size();
  }
};

}  // namespace strata::stats
