// SPDX-License-Identifier: Apache-2.0
// Names that every kernel file may use: of its thread, block and warp.
#pragma once
#include "kernels/catalogue.hpp"
#include "kernels/described/expression.hpp"

namespace strata::kernels {

Scope built_in_names(const Target& target);
/// All names that a file may use but not choose.
Scope reserved_names();

}  // namespace strata::kernels
