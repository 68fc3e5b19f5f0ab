// SPDX-License-Identifier: Apache-2.0
// CSV as in RFC 4180: a field with a comma, a quote or a line end is quoted and
// its quotes doubled; other control characters are escaped (base/printable.hpp). Lines end with LF alone, as the tools of Unix expect; an
// empty cell is a figure that does not exist. Numbers are in the shortest form
// that reads back to the same bits.
#pragma once

#include <string>
#include <string_view>

#include "report/data.hpp"

namespace strata::report {

// One field as it stands in a line.
std::string csv_field(std::string_view text);

// footprint_bytes,latency_ns,latency_cycles,share_<level>...: a file that
// --compare reads back. Levels stand in order of first appearance.
std::string csv(const CurveReport& report);
// footprint_bytes,measured_<unit>,predicted_<unit>,error
std::string csv(const Comparison& comparison);
// The fields of a row of the JSON document, by the same names.
std::string csv(const ValidationReport& report);
// stage,cycles,ns,note and a last line "total".
std::string csv(const JourneyReport& report);

}  // namespace strata::report
