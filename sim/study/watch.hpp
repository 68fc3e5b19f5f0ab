// SPDX-License-Identifier: Apache-2.0
// What a machine counts in a window of a study, as rows for users.
#pragma once
#include <vector>

#include "base/time.hpp"
#include "stats/baseline.hpp"
#include "stats/window.hpp"

namespace strata::machine {
class Machine;
}

namespace strata::study {

/// The window of that length on that machine.
stats::Window window_of(const machine::Machine& machine, Duration watched);

/// A window that opens when this is made, or at restart(). Does nothing where nothing is to be kept.
class Watch {
 public:
  Watch(machine::Machine& machine, stats::Detail detail);

  void restart();
  /// What was counted in the window up to now.
  stats::Snapshot counted() const;
  Duration length() const;
  /// The same as rows.
  std::vector<stats::Statistic> rows() const;

 private:
  friend class WatchedSum;

  machine::Machine& machine_;
  stats::Detail detail_;
  Time opened_{};
  stats::Baseline before_;
};

/// The windows of several machines of one spec, added up.
class WatchedSum {
 public:
  /// Up to now.
  void add(const Watch& watch);
  std::vector<stats::Statistic> rows(stats::Detail detail) const {
    return stats::statistics(counted_, detail, window_);
  }

 private:
  stats::Snapshot counted_;
  stats::Window window_;
};

}  // namespace strata::study
