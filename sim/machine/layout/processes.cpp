// SPDX-License-Identifier: Apache-2.0
#include "machine/layout/processes.hpp"

#include <algorithm>
#include <limits>

#include "translation/page_table.hpp"

namespace strata::machine {

namespace {

ProcessPlan whole(const MachineSpec& spec) {
  ProcessPlan plan;
  plan.of_memory_die.resize(spec.dies.memory, 0);
  plan.of_compute_die.resize(spec.dies.compute, 0);
  return plan;
}

// The memory die to which a node has the shortest link; itself where it has none.
std::uint32_t nearest_memory_die(const MachineSpec& spec, std::uint64_t node) {
  std::uint64_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const fabric::LinkSpec& link : spec.network.links) {
    if (link.from != node && link.to != node) continue;
    const std::uint64_t other = link.from == node ? link.to : link.from;
    if (other < spec.dies.memory && link.latency.value < least) {
      least = link.latency.value;
      nearest = other;
    }
  }
  return static_cast<std::uint32_t>(nearest);
}

// Whether dies share more than links.
bool share_more(const MachineSpec& spec) {
  const translation::Placement* const placement = translation::find_placement(spec.pages.placement);
  if (placement != nullptr && placement->frame == nullptr) return true;
  const bool behind_l2 = std::any_of(spec.levels.begin(), spec.levels.end(),
                                     [](const LevelSpec& level) { return level.shared_by == Sharers::die; });
  return behind_l2 && spec.l2.partitioned && spec.launch.flushes_l2;
}

}  // namespace

std::vector<std::uint32_t> ProcessPlan::of_nodes(bool apart) const {
  std::vector<std::uint32_t> all = of_memory_die;
  if (apart) all.insert(all.end(), of_compute_die.begin(), of_compute_die.end());
  return all;
}

ProcessPlan plan_processes(const MachineSpec& spec, Division division) {
  ProcessPlan plan = whole(spec);
  if (division == Division::whole || spec.dies.memory == 1 || share_more(spec)) return plan;
  plan.count = static_cast<std::uint32_t>(spec.dies.memory);
  for (std::uint32_t die = 0; die < plan.count; ++die) plan.of_memory_die[die] = die;
  for (std::uint32_t die = 0; die < plan.of_compute_die.size(); ++die)
    plan.of_compute_die[die] = spec.dies.apart() ? nearest_memory_die(spec, spec.dies.memory + die) : die;
  const std::vector<std::uint32_t> nodes = plan.of_nodes(spec.dies.apart());
  plan.lookahead_ns = std::numeric_limits<double>::infinity();
  for (const fabric::LinkSpec& link : spec.network.links)
    if (nodes[link.from] != nodes[link.to]) plan.lookahead_ns = std::min(plan.lookahead_ns, link.latency.value);
  return plan.lookahead_ns > 0 && plan.lookahead_ns < std::numeric_limits<double>::infinity() ? plan : whole(spec);
}

}  // namespace strata::machine
