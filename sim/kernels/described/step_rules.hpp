// SPDX-License-Identifier: Apache-2.0
// What the fields of a step say together.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "kernels/described/described.hpp"
#include "kernels/described/expression.hpp"

namespace strata::kernels {

/// Whether a step of that `op` accesses memory.
inline bool is_access(std::string_view op) { return op == "load" || op == "store" || op == "atomic"; }

/// Throws InputError where fields of a step contradict each other. path: of the step in its file;
/// open: loops around it; around: how far threads differ in whether they reach it.
void check_step(const config::Value& item, const DescribedStep& given, const std::string& path, std::size_t open,
                Varies around, const Scope& scope);

}  // namespace strata::kernels
