// SPDX-License-Identifier: Apache-2.0
#include "study/journey/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/invalid_request.hpp"
#include "machine/levels.hpp"
#include "machine/machine.hpp"
#include "study/journey/served_load.hpp"
#include "trace/pointer_chase.hpp"

namespace strata::study {

namespace {

class Walk {
 public:
  Walk(machine::Machine& machine, const trace::ChasePath& path, std::uint64_t number) : machine_(machine) {
    for (std::uint64_t i = 0; i < std::min(path.nodes(), number + 1); ++i) latest_.push_back(path.address(number - i));
  }

  WalkMoment moment() const {
    const machine::Contents own = machine_.contents(0, latest_.front());
    WalkMoment moment{{}, own.tlbs, own.channel, own.row};
    for (const machine::CacheContents& cache : own.caches)
      moment.caches.push_back({cache.name, cache.instance, cache.set, {cache.set}});
    for (const std::uint64_t address : latest_)
      for (const machine::CacheContents& other : machine_.contents(0, address).caches) add(moment, other);
    for (WalkedCache& cache : moment.caches)
      std::sort(cache.sets.begin(), cache.sets.end(), [](const auto& a, const auto& b) { return a.set < b.set; });
    return moment;
  }

  /// In use on the path of the load.
  std::size_t registers() const {
    std::size_t sum = 0;
    for (const machine::CacheContents& cache : machine_.contents(0, latest_.front()).caches)
      sum += cache.set.fetching.size();
    return sum;
  }

 private:
  static void add(WalkMoment& moment, const machine::CacheContents& other) {
    for (WalkedCache& cache : moment.caches) {
      if (cache.name != other.name || cache.instance != other.instance || cache.sets.size() == most_walk_sets) continue;
      const auto same = [&](const cache::HeldSet& set) { return set.set == other.set.set; };
      if (std::none_of(cache.sets.begin(), cache.sets.end(), same)) cache.sets.push_back(other.set);
    }
  }

  machine::Machine& machine_;
  std::vector<std::uint64_t> latest_;  ///< addresses, this load's first
};

}  // namespace

WalkStep walk_step(const machine::MachineSpec& spec, const LatencyQuestion& chase, std::uint64_t footprint,
                   std::uint64_t number) {
  if (chase.stride.value == 0 || footprint < chase.stride.value || footprint / chase.stride.value > most_walk_lines)
    throw InvalidRequest(fmt::format("a walk has 1 to {} nodes", most_walk_lines));
  if (number >= most_walk_loads) throw InvalidRequest(fmt::format("a walk has {} loads at most", most_walk_loads));
  const trace::ChasePath path(chase_ring(chase, 0, footprint));
  machine::Machine machine(spec);
  for (std::uint64_t i = 0; i < number; ++i)
    machine.touch(0, path.address(i), chase.bytes_per_lane, trace::Space::global, memory::CacheOperator::ca);

  WalkStep step;
  step.address = path.address(number);
  step.nodes = path.nodes();
  const Walk walk(machine, path, number);
  step.physical = machine.contents(0, step.address).physical;
  step.before = step.waiting = walk.moment();

  trace::Instruction pattern;
  pattern.lanes = 1;
  pattern.bytes_per_lane = static_cast<std::uint8_t>(chase.bytes_per_lane);
  trace::PointerChase stream({step.address, 1, 128, trace::ChaseOrder::ascending, 1}, pattern, 0, 1);
  ServedLoad load;
  memory::Journey journey;
  machine.start(0, stream, load.listener(), &journey);
  std::size_t most = 0;
  while (!machine.simulation().idle()) {
    machine.simulation().step();
    if (const std::size_t now = walk.registers(); now > most) {
      most = now;
      step.waiting = walk.moment();
    }
  }
  machine.run();  // asks whether all is drained
  step.after = walk.moment();
  step.served_by = machine::level_names(machine.spec(), trace::Space::global)[load.served_by];
  step.cycles = machine.core_clock().count(load.latency);
  for (const memory::Milestone& milestone : journey.milestones())
    step.stages.push_back(
        {machine.stages()[milestone.stage], machine.core_clock().count(milestone.until - milestone.from)});
  return step;
}

}  // namespace strata::study
