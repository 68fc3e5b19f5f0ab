// SPDX-License-Identifier: Apache-2.0
// Aligned tables for a terminal. Units stand in the headings, figures align to
// the right, names to the left; the last column is not padded, so no line ends
// in blanks. Text is cleaned, so no name can send a control sequence.
#pragma once

#include <string>
#include <vector>

#include "report/data.hpp"

namespace strata::report {

enum class Align { left, right };

struct Column {
  std::string heading;
  Align align = Align::right;
};

// A table with a rule below its headings; rows shorter than the headings are
// filled with empty cells. An empty row draws a rule.
std::string table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows);

// Where the measured points come from, each beside its prediction, the errors
// and their mean.
std::string table(const Comparison& comparison);

// Points of a curve with the levels that served them, and, where measured
// points are given, those beside the prediction with their errors.
std::string table(const CurveReport& report);
// A table for each GPU, then what passed of each kind.
std::string table(const ValidationReport& report);
// The stages of one load and their sum.
std::string table(const JourneyReport& report);

}  // namespace strata::report
