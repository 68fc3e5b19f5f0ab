// SPDX-License-Identifier: Apache-2.0
// Where the words around a plot stand: legend entries in rows, capacity labels
// above the plot in as many rows as keep them from touching. Text cannot be
// measured without a font, so widths are estimates that err towards more space.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/svg/curve.hpp"

namespace strata::report {

inline constexpr double left_margin = 72;
inline constexpr double right_margin = 28;
inline constexpr double bottom_margin = 60;
inline constexpr double legend_top = 78;
inline constexpr double legend_row = 20;
inline constexpr double legend_mark = 26;  // from an entry's mark to its text
inline constexpr double capacity_row = 15;
inline constexpr double residual_gap = 18;  // from the plot to the panel beneath it
inline constexpr double residual_height = 130;

// Width in pixels of text of the given size.
double text_width(std::string_view text, double size);
// Clean text, cut to that width with "..." at its end.
std::string cut(const std::string& label, double width, double size);

struct LegendEntry {
  double x = 0;
  double y = 0;
};
// One entry a series, in order.
std::vector<LegendEntry> place_legend(const Chart& chart);

struct CapacityLabel {
  const CapacityMarker* marker = nullptr;
  double x = 0;         // of the marker's line
  double text_x = 0;    // where the text begins
  std::size_t row = 0;  // 0 is next to the plot
};
// From left to right. No text overlaps another, and no line crosses a text.
std::vector<CapacityLabel> place_capacities(const Chart& chart, const Axis& axis, double width);

}  // namespace strata::report
