// SPDX-License-Identifier: Apache-2.0
#include "study/watch.hpp"

#include "machine/machine.hpp"

namespace strata::study {

stats::Window window_of(const machine::Machine& machine, Duration watched) {
  return {machine.timebase().to_nanoseconds(watched), machine.core_clock().count(watched),
          machine.timebase().to_nanoseconds(Duration{1})};
}

Watch::Watch(machine::Machine& machine, stats::Detail detail) : machine_(machine), detail_(detail) { restart(); }

void Watch::restart() {
  if (detail_ == stats::Detail::none) return;
  opened_ = machine_.processes().now();
  before_ = machine_.meter().snapshot();
}

stats::Snapshot Watch::counted() const {
  return detail_ == stats::Detail::none ? stats::Snapshot{} : machine_.meter().snapshot() - before_;
}

Duration Watch::length() const { return machine_.processes().now() - opened_; }

std::vector<stats::Statistic> Watch::rows() const {
  return stats::statistics(counted(), detail_, window_of(machine_, length()));
}

void WatchedSum::add(const Watch& watch) {
  if (watch.detail_ == stats::Detail::none) return;
  counted_ = stats::sum(counted_, watch.counted());
  const stats::Window more = window_of(watch.machine_, watch.length());
  window_ = {window_.ns + more.ns, window_.core_cycles + more.core_cycles, more.ns_per_tick};
}

}  // namespace strata::study
