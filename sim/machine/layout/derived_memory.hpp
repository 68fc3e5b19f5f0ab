// SPDX-License-Identifier: Apache-2.0
// What `memory.bandwidth` and a data rate decide of other settings of the memory: a part of derived.hpp.
#pragma once
#include <vector>

#include "config/value/value.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

void derive_bandwidth(config::Value& tree, const MachineSpec& spec, std::vector<Diagnostic>& diagnostics);
/// Timings that do not follow the bus clock keep their nanoseconds where the data rate was changed. before: the tree
/// without overrides.
void keep_times(config::Value& tree, const config::Value& before);

}  // namespace strata::machine
