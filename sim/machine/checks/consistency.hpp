// SPDX-License-Identifier: Apache-2.0
// Whether the parts of a spec fit each other. A schema judges each setting and
// each part; what two parts say together is judged here, before a machine is
// built, all of it at once.
#pragma once
#include <vector>

#include "base/invalid_request.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

/// What does not fit, with the settings that take part, their values and what would do.
std::vector<RequestFault> contradictions(const MachineSpec& spec);

/// The spec itself. Throws InvalidRequest where it contradicts itself.
const MachineSpec& consistent(const MachineSpec& spec);

}  // namespace strata::machine
