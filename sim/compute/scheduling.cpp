// SPDX-License-Identifier: Apache-2.0
#include "compute/scheduling.hpp"

#include <algorithm>
#include <array>

namespace strata::compute {

namespace {

using Ready = std::span<const Candidate>;

std::size_t longest_ready(Ready, std::uint32_t) { return 0; }

std::size_t oldest(Ready ready, std::uint32_t) {
  const auto first = std::min_element(ready.begin(), ready.end(),
                                      [](const Candidate& a, const Candidate& b) { return a.arrival < b.arrival; });
  return static_cast<std::size_t>(first - ready.begin());
}

std::size_t greedy(Ready ready, std::uint32_t last) {
  const auto same = std::find_if(ready.begin(), ready.end(), [last](const Candidate& c) { return c.slot == last; });
  return same == ready.end() ? oldest(ready, last) : static_cast<std::size_t>(same - ready.begin());
}

// One line per policy.
constexpr std::array<SchedulingPolicy, 3> schedulings{{
    {"round_robin", "the warp that has been ready for the longest time: round-robin", longest_ready, false},
    {"oldest_first", "the ready warp that became resident first", oldest, true},
    {"greedy", "the warp that issued last as long as it is ready, otherwise the oldest", greedy, true},
}};

}  // namespace

std::span<const SchedulingPolicy> scheduling_policies() { return schedulings; }

const SchedulingPolicy* find_scheduling(std::string_view name) {
  const auto found = std::find_if(schedulings.begin(), schedulings.end(),
                                  [name](const SchedulingPolicy& p) { return p.name == name; });
  return found == schedulings.end() ? nullptr : &*found;
}

}  // namespace strata::compute
