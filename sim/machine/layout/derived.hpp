// SPDX-License-Identifier: Apache-2.0
// Settings that choose others. A total, such as l2.capacity, beside the parts
// that make it: where it was set it chooses the part, where it was not it
// follows from the parts, so that `explain` shows it either way. What was set
// later holds: --set over the file, the file over what it builds on; what was
// set in one place must agree. And timings of DRAM: those that a file gives in
// clocks keep their nanoseconds when --set changes the data rate, as silicon does.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "machine/spec.hpp"

namespace strata::machine {

/// Per-slice sizes that make more than four times the total of `plain`, in words:
/// the slip of giving a total to one slice.
std::vector<std::string> large_totals(const MachineSpec& spec, const MachineSpec& plain);

/// What a total says that was rounded, "35.5MiB in whole sets, ..."; none: it was not.
std::optional<std::string> rounding(const config::Provenance& provenance);

}  // namespace strata::machine
