// SPDX-License-Identifier: Apache-2.0
// The columns of levels and of the points of curves, for every writer.
#pragma once
#include "report/bandwidth/data.hpp"
#include "report/text/columns.hpp"

namespace strata::report {

// unit: of the rates that people see.
Columns<BandwidthLevel> level_columns(const RateUnit& unit);
Columns<BandwidthResource> resource_columns();
Columns<BandwidthPoint> point_columns(const BandwidthReport& report);
// The points of a chase under load; their shares are one column for people and none for programs.
Columns<LoadedPoint> loaded_columns(const RateUnit& unit);

}  // namespace strata::report
