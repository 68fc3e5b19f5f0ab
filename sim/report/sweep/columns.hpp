// SPDX-License-Identifier: Apache-2.0
// How the columns of a sweep are called and filled, the same in every writer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/sweep/sweep.hpp"
#include "report/text/columns.hpp"

namespace strata::report {

// The names of all points' shares, each once, in order of first appearance.
std::vector<std::string> share_names(const SweepReport& report);
std::optional<std::size_t> figure_named(const SweepReport& report, const std::string& field);
// Whether what was varied has this figure's name and so its column.
bool has_column_of_parameter(const SweepReport& report, const SweepFigure& figure);
// A column each for parameters, what factors are of each GPU, figures, words and shares. Not beyond the report.
Columns<SweepPoint> point_columns(const SweepReport& report);
// For people: "32 MiB"; of a factor with what it is on the point's GPU: "*0.5 (64 clk)".
std::string value_text(const SweepReport& report, const SweepPoint& point, std::size_t parameter);
// For drawings, whose labels are short: files without their folders, unless two then have one name.
std::string short_text(const SweepParameter& parameter, std::size_t choice);
// Which parameter is the axis, which gives the curves of a chart or the other axis of a map, and which
// a chart for each of their combinations.
struct SweepRoles {
  std::size_t x = 0;
  std::optional<std::size_t> curves;
  std::vector<std::size_t> charts;
};
SweepRoles roles(const std::vector<SweepParameter>& parameters);
// Whether one that follows no other is a number throughout.
bool has_numeric_axis(const std::vector<SweepParameter>& parameters);
// Whether bars are divided into panels: something is crossed with the first parameter.
bool has_panels(const std::vector<SweepParameter>& parameters);
// "L2 100.0 %, bottleneck": what a tooltip adds.
std::string note_of(const SweepPoint& point);
// "latency [ns]"
std::string figure_heading(const SweepFigure& figure);
// In the unit of the heading.
std::string figure_text(const SweepFigure& figure, double value);

}  // namespace strata::report
