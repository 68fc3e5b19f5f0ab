// SPDX-License-Identifier: Apache-2.0
// A launch list on a machine: whether it fits, and where its arrays lie.
#pragma once
#include "machine/machine.hpp"
#include "trace/kernel.hpp"

namespace strata::study {

/// Moves kernels that lie beyond the memory into it. Throws InvalidRequest where they do not fit.
void bring_within(const machine::MachineSpec& spec, trace::LaunchList& launches);
/// Whether a kernel reads values: see trace::KernelInfo.
bool read_values(const trace::LaunchList& launches);
/// Whether the machine can run such kernels; their blocks come to lie on cores of all dies. Throws InvalidRequest.
void check_readers(const machine::MachineSpec& spec);
/// Arrays that are to lie in a memory die of the kernel's choice.
void place_arrays(machine::Machine& machine, const trace::Kernel& kernel);

}  // namespace strata::study
