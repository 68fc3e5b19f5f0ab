// SPDX-License-Identifier: Apache-2.0
// The standard questions: what a user asks of any machine. A setting matters
// where its move changes the answer to one of them.
#pragma once
#include <string>
#include <vector>

#include "machine/spec.hpp"
#include "study/evaluate.hpp"

namespace strata::mutation {

struct StandardQuestion {
  std::string name;
  study::Reading reading;
};

/// Latencies of shared memory, L1 and L2, read within the L1 of four cores, read
/// and copy within L2 and, where the last cache is not large, copy in memory, and
/// five kernels that find the caches empty; roughly the shortest first. The footprints follow from
/// the capacities of this machine.
std::vector<StandardQuestion> standard_questions(const machine::MachineSpec& spec);

/// In seconds or bytes a second.
double figure(const study::Answer& answer);

/// By how much a figure has to change for a setting to matter.
inline constexpr double least_change = 0.01;

}  // namespace strata::mutation
