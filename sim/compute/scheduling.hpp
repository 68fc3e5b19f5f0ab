// SPDX-License-Identifier: Apache-2.0
// Which of its ready warps a scheduler takes next, as a policy (Rogers et al.:
// Cache-Conscious Wavefront Scheduling, MICRO 2012, compares these).
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace strata::compute {

/// A warp that could issue: the slot it sits in and when it came to the core.
struct Candidate {
  std::uint32_t slot = 0;
  std::uint64_t arrival = 0;
};

struct SchedulingPolicy {
  std::string_view name;
  std::string_view meaning;
  /// The place of the chosen one among the ready warps, which stand in the order
  /// in which they became ready; at least one. last: the slot that issued last.
  std::size_t (*pick)(std::span<const Candidate> ready, std::uint32_t last);
  /// Warps that wait for shared memory also continue by age, not in order of arrival.
  bool age_in_line = false;
};

/// Every policy, by name; the first is the default.
std::span<const SchedulingPolicy> scheduling_policies();
/// nullptr when there is none of that name.
const SchedulingPolicy* find_scheduling(std::string_view name);

}  // namespace strata::compute
