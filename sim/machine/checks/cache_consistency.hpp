// SPDX-License-Identifier: Apache-2.0
// What must agree of the caches of a machine: a part of consistency.hpp. Internal to machine.
#pragma once
#include <vector>

#include "base/invalid_request.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

void check_caches(const MachineSpec& spec, std::vector<RequestFault>& faults);

}  // namespace strata::machine
