// SPDX-License-Identifier: Apache-2.0
// Records the timeline of a run during the run, and thins it out as it grows,
// so that memory is bounded by what will be shown. What is kept depends on the run
// and the bound alone.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "engine/clock.hpp"
#include "memory/journey_sampler.hpp"
#include "stats/timeline.hpp"

namespace strata::machine {
class Dispatcher;
class Machine;
}  // namespace strata::machine

namespace strata::study {

class TimelineRecorder {
 public:
  /// most_events: see stats::Timeline. sample: one request in so many is followed
  /// by the sampler. blocks: of all kernels, so that cores are left out from the
  /// start rather than when half of the requests have been taken down.
  TimelineRecorder(std::uint64_t most_events, std::uint64_t sample, std::uint64_t blocks);
  TimelineRecorder(const TimelineRecorder&) = delete;
  TimelineRecorder& operator=(const TimelineRecorder&) = delete;

  /// A kernel is launched now, from_ns after the first. They report to the recorder until the kernel has ended,
  /// one process after the other.
  void begin(machine::Machine& machine, machine::Dispatcher& dispatcher, std::span<memory::JourneySampler> samplers,
             const std::string& kernel, double from_ns);
  void end(double until_ns);

  /// The whole run; the recorder is spent.
  stats::Timeline take();

 private:
  struct Request {
    std::uint32_t kernel = 0;
    std::uint32_t core = 0;
    std::uint64_t block = 0;
    std::uint64_t ordinal = 0;  ///< of those sampled
    std::vector<stats::TimelineStep> steps;
  };
  struct Resident {
    bool taken = false;
    std::uint64_t block = 0;
    double from_ns = 0;
  };

  void block_begins(std::uint64_t block, std::uint32_t core, Time t);
  void block_ended(std::uint64_t block, std::uint32_t core, Time t);
  void answered(const memory::Journey& journey, std::uint32_t core, std::uint32_t warp);
  void thin_cores();
  void thin_requests();
  bool shown(std::uint32_t core) const { return core % timeline_.one_core_in == 0; }
  double since_first_launch(Time t) const;
  std::uint32_t stage(memory::Stage stage);

  stats::Timeline timeline_;
  std::uint64_t most_blocks_;
  std::uint64_t most_request_events_;
  std::uint64_t sample_;
  std::uint64_t keep_every_ = 1;  ///< of the sampled ones
  std::uint64_t sampled_ = 0;
  std::uint64_t request_events_ = 0;
  std::vector<Request> requests_;
  std::vector<std::vector<Resident>> places_;  ///< by core
  machine::Machine* machine_ = nullptr;
  Time launched_{};
  double offset_ns_ = 0;
};

}  // namespace strata::study
