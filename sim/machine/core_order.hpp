// SPDX-License-Identifier: Apache-2.0
// The cores of a machine as blocks of kernels meet them.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/spec.hpp"

namespace strata::machine {

/// Cores in the order in which the block scheduler fills them, one logical GPU after the other. policy: empty for the
/// machine's own; InvalidRequest for one there is not.
std::vector<std::uint32_t> core_order(const MachineSpec& spec, std::string_view policy);

}  // namespace strata::machine
