// SPDX-License-Identifier: Apache-2.0
// What a machine has and could move at most, by arithmetic over its spec: the
// figures of a data sheet. Nothing here is simulated, so a sheet that differs
// from one of these differs from the configuration. Each figure is of the whole
// machine unless its name says otherwise.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "machine/spec.hpp"
#include "trace/op_class.hpp"

namespace strata::machine {

struct Peak {
  std::string_view name;
  std::string_view unit;  ///< of what value() gives: count, B, B/clk, B/s or ns
  std::string_view meaning;
  /// Nothing where the machine has no such part.
  std::optional<double> (*value)(const MachineSpec& spec);
};

std::span<const Peak> peaks();

/// Operations a second of all cores on the pipe for that class, a fused multiply-add
/// being two. Nothing where no pipe claims the class.
std::optional<double> flops_per_second(const MachineSpec& spec, trace::OpClass op_class);

}  // namespace strata::machine
