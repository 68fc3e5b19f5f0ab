// SPDX-License-Identifier: Apache-2.0
// The columns of a sensitivity that several writers have.
#pragma once
#include "report/sensitivity/sensitivity.hpp"
#include "report/text/columns.hpp"

namespace strata::report {

// The setting that is moved, without its moves.
Columns<SensitivityRow> moved_columns();
Columns<ProvenanceShare> share_columns();

}  // namespace strata::report
