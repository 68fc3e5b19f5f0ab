// SPDX-License-Identifier: Apache-2.0
// The journey of one transaction: a list of milestones, each saying in which
// stage the time since the one before was spent. The stages tile the time from
// issue to answer, so their sum is the latency.
#pragma once
#include <cstdint>
#include <vector>

#include "base/time.hpp"

namespace strata::memory {

/// An index into the machine's table of stage names.
using Stage = std::uint16_t;

struct Milestone {
  Stage stage;
  Time from;
  Time until;
};

class Journey {
 public:
  /// Begins a new journey at the instant of issue.
  void begin(Time issue) {
    milestones_.clear();
    last_ = issue;
  }
  /// Nothing is noted for an instant already passed.
  void mark(Stage stage, Time until) {
    if (until <= last_) return;
    milestones_.push_back({stage, last_, until});
    last_ = until;
  }
  const std::vector<Milestone>& milestones() const { return milestones_; }

 private:
  std::vector<Milestone> milestones_;
  Time last_{};
};

}  // namespace strata::memory
