// SPDX-License-Identifier: Apache-2.0
// Whether atomics of two cores are performed in one place, so that one sees what the other did.
#pragma once
#include <cstdint>

#include "machine/spec.hpp"

namespace strata::study {

/// Throws InvalidRequest where they are not, with the settings that decide it.
void check_common_atomics(const machine::MachineSpec& spec, std::uint32_t one, std::uint32_t other);

}  // namespace strata::study
