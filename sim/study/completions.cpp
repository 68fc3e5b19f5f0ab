// SPDX-License-Identifier: Apache-2.0
#include "study/completions.hpp"

#include <algorithm>

namespace strata::study {

Completions::Completions(machine::Machine& machine, engine::Executor* executor)
    : machine_(machine),
      executor_(executor != nullptr ? *executor : in_turn_),
      counts_(machine.processes().count()),
      of_cores_(machine.spec().dies.compute * machine.spec().dies.cores_per_die) {}

void Completions::on_completion(void* self, std::uint32_t core, Duration latency, unsigned level) {
  auto& all = *static_cast<Completions*>(self);
  const std::uint32_t process = all.counts_.size() == 1 ? 0 : all.machine_.atlas().process_of(core);
  engine::Simulation& simulation = all.machine_.processes()[process];
  OfProcess& count = all.counts_[process];
  ++count.completed;
  ++all.of_cores_[core];
  count.latency += latency;
  count.least = std::min(count.least, latency);
  count.last = simulation.now();
  OfLevel& served = count.of_level[std::min<std::size_t>(level, levels - 1)];
  ++served.completed;
  served.least = std::min(served.least, latency);
  if (all.counts_.size() == 1 && count.completed == all.pause_at_) simulation.stop();
}

Completions::Sum Completions::sum() const {
  Sum sum;
  for (const OfProcess& count : counts_) {
    sum.completed += count.completed;
    sum.latency += count.latency;
    sum.least = std::min(sum.least, count.least);
    sum.last = later(sum.last, count.last);
    for (std::size_t level = 0; level < levels; ++level) {
      sum.of_level[level].completed += count.of_level[level].completed;
      sum.of_level[level].least = std::min(sum.of_level[level].least, count.of_level[level].least);
    }
  }
  return sum;
}

Duration Completions::Sum::unhindered() const {
  Duration all{};
  for (const OfLevel& level : of_level)
    if (level.completed > 0) all += level.least * static_cast<std::int64_t>(level.completed);
  return completed == 0 ? Duration{} : Duration{all.ticks / static_cast<std::int64_t>(completed)};
}

bool Completions::run_until(std::uint64_t completed) {
  pause_at_ = completed;
  return machine_.run(executor_, [this](Time) { return sum().completed >= pause_at_; });
}

void Completions::finish() {
  while (!run_until(std::numeric_limits<std::uint64_t>::max())) {
  }
}

}  // namespace strata::study
