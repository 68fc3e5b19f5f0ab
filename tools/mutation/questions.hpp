// SPDX-License-Identifier: Apache-2.0
// The standard questions for any machine. A setting matters if its move changes the result of
// one of them.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "machine/spec.hpp"
#include "study/expectation/evaluate.hpp"

namespace strata::mutation {

struct StandardQuestion {
  std::string name;
  study::Reading reading;

  bool is_kernel() const { return std::holds_alternative<study::KernelReading>(reading); }
};

/// Latencies of shared memory, L1 and L2, read within the L1 of four cores, read
/// within L2 by sixteen, copy within L2 by all and, where the last cache is not large,
/// copy in memory, and five kernels that find the caches empty. The footprints follow
/// from the capacities of this machine.
std::vector<StandardQuestion> standard_questions(const machine::MachineSpec& spec);

/// In seconds or bytes a second.
double figure(const study::Answer& answer);

// The change of a result from which a setting matters; docs/design/mutation-score.md gives the
// reasons. A smaller change is below the difference of two equal models, or below the accuracy
// of the tool.
/// Of a latency or a steady bandwidth: the tolerance of plateaus. The order of equal events
/// moves a steady rate by 0.35 %.
inline constexpr double steady_threshold = 0.03;
/// Of the time of a whole kernel, which hangs on its slowest warp: the order of equal
/// events moves it by 4 %.
inline constexpr double kernel_threshold = 0.05;
/// Moves that change a result by no more than this are not recorded with a row. Those between
/// it and the thresholds have a separate score.
inline constexpr double slight_change = 0.01;

}  // namespace strata::mutation
