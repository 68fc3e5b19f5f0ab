// SPDX-License-Identifier: Apache-2.0
// Whether atomics of two cores are performed in one place, so that one sees what the other did.
#pragma once
#include <cstdint>

#include "machine/spec.hpp"

namespace strata::study {

/// Throws InvalidRequest where they are not, with the settings that decide it. Where no cache performs atomics, memory does,
/// for all cores.
void check_common_atomics(const machine::MachineSpec& spec, std::uint32_t one, std::uint32_t other);
/// As well where no cache performs atomics, so that no study can watch them.
void check_atomics_in_cache(const machine::MachineSpec& spec, std::uint32_t one, std::uint32_t other);

}  // namespace strata::study
