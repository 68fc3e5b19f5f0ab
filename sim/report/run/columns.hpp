// SPDX-License-Identifier: Apache-2.0
// The columns of the kernels of a run and of their shares of time, for every writer.
#pragma once
#include "report/run/data.hpp"
#include "report/text/columns.hpp"

namespace strata::report {

// Counts of levels have columns by the kernel with the most levels. Not beyond the report.
Columns<KernelReport> kernel_columns(const RunReport& report);
// Where line requests are, and what warps wait for.
Columns<NamedShare> stage_share_columns();
Columns<NamedShare> stall_columns();

}  // namespace strata::report
