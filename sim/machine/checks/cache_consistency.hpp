// SPDX-License-Identifier: Apache-2.0
// What must agree of the caches of a machine: a part of consistency.hpp. Internal to machine.
#pragma once
#include <string>
#include <vector>

#include "base/invalid_request.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

void check_caches(const MachineSpec& spec, std::vector<RequestFault>& faults);
/// The part of it that is about names.
void check_names(const MachineSpec& spec, std::vector<RequestFault>& faults);

/// Why a machine with a memory-side cache has no use for a probe filter there; empty: it has.
std::string probe_filter_unused(const MachineSpec& spec);
/// Of the probe filter.
void check_coherence(const MachineSpec& spec, std::vector<RequestFault>& faults);

}  // namespace strata::machine
