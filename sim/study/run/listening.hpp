// SPDX-License-Identifier: Apache-2.0
// The accesses of a kernel as they complete, by process; pauses the run now and then so that
// progress can be reported, and a kernel without accesses can be interrupted.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "study/latency/histogram.hpp"

namespace strata::study {

class Listening {
 public:
  explicit Listening(machine::Machine& machine) : machine_(machine), all_(machine.processes().count()) {}

  compute::CompletionListener listener() { return {&Listening::on_completion, this}; }
  /// Before the run.
  void pause_every(std::uint64_t completions) { until_pause_ = pause_ = std::min(pause_, completions); }
  /// Whether to pause between two windows.
  bool pauses() { return all_.size() == 1 || completed() / pause_ != pauses_ || ++windows_ % quiet_windows == 0; }
  /// Whether a pause is one of pause_every().
  bool due() {
    const std::uint64_t pauses = completed() / pause_;
    return std::exchange(pauses_, pauses) != pauses;
  }
  std::uint64_t completed() const {
    std::uint64_t sum = 0;
    for (const OfProcess& one : all_) sum += one.latencies.count();
    return sum;
  }
  LatencyHistogram latencies() const {
    LatencyHistogram sum = all_.front().latencies;
    for (std::size_t i = 1; i < all_.size(); ++i) sum.add(all_[i].latencies);
    return sum;
  }

 private:
  struct alignas(64) OfProcess {
    LatencyHistogram latencies;
  };
  static void on_completion(void* self, std::uint32_t core, Duration latency, unsigned) {
    auto& listening = *static_cast<Listening*>(self);
    const bool divided = listening.all_.size() > 1;
    LatencyHistogram& latencies = listening.all_[divided ? listening.machine_.atlas().process_of(core) : 0].latencies;
    latencies.add(listening.machine_.timebase().to_nanoseconds(latency));
    if (divided || --listening.until_pause_ > 0) return;
    listening.until_pause_ = listening.pause_;
    listening.machine_.simulation().stop();
  }

  machine::Machine& machine_;
  std::vector<OfProcess> all_;
  std::uint64_t pause_ = std::uint64_t{1} << 18U;
  std::uint64_t until_pause_ = pause_;  ///< completions, where the machine is not divided
  std::uint64_t pauses_ = 0;
  std::uint64_t windows_ = 0;
  static constexpr std::uint64_t quiet_windows = 4096;  ///< without a due pause
};

}  // namespace strata::study
