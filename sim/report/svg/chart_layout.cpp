// SPDX-License-Identifier: Apache-2.0
#include "report/svg/chart_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr double legend_gap = 22;
constexpr double legend_text = 12.5;
constexpr double capacity_text = 11;
constexpr double least_plot_height = 80;
constexpr double plateau_headroom = 20;

std::vector<double> values_of(const Chart& chart, double ChartPoint::* coordinate_of) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    for (const ChartPoint& point : series.points) values.push_back(point.*coordinate_of);
  }
  return values;
}

// Symmetric, so that the zero line is in the middle and both signs have one scale.
std::optional<ResidualPanel> residual_panel(const Chart& chart, double plot_bottom) {
  double largest = 0;
  bool any = false;
  for (const Series& series : chart.residuals) {
    for (const ChartPoint& point : series.points) {
      if (!std::isfinite(point.y)) continue;
      largest = std::max(largest, std::abs(point.y));
      any = true;
    }
  }
  if (!any) return std::nullopt;
  const double end = largest > 0 ? largest : 1;
  return ResidualPanel{plot_bottom + residual_gap, residual_height, Axis(AxisSpec{}, std::array{-end, end})};
}
}  // namespace

// 0.56 em a character is a little wider than common sans-serif faces.
double text_width(std::string_view text, double size) {
  return 0.56 * size * static_cast<double>(display_width(clean(text)));
}

std::string cut(const std::string& label, double width, double size) {
  std::string text = clean(label);
  if (text_width(text, size) <= width) return text;
  while (!text.empty() && text_width(text, size) > width - text_width("...", size)) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
    if (!text.empty()) text.pop_back();
  }
  return text + "...";
}

std::vector<LegendEntry> place_legend(const Chart& chart) {
  std::vector<LegendEntry> entries;
  double x = left_margin;
  double y = legend_top;
  for (const Series& series : chart.series) {
    const double width = legend_mark + text_width(series.name, legend_text);
    if (x > left_margin && x + width > chart.width - right_margin) {
      x = left_margin;
      y += legend_row;
    }
    entries.push_back({x, y});
    x += width + legend_gap;
  }
  return entries;
}

// Placed from right to left: a text that would overlap the lines to its right is placed one row
// above the highest of them.
std::vector<CapacityLabel> place_capacities(const Chart& chart, const Axis& axis, double width) {
  std::vector<CapacityLabel> labels;
  for (const CapacityMarker& marker : chart.capacities) {
    if (!axis.shows(marker.x)) continue;
    labels.push_back({&marker, left_margin + axis.fraction(marker.x) * width, 0, 0});
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const CapacityLabel& a, const CapacityLabel& b) { return a.x < b.x; });
  for (std::size_t at = labels.size(); at-- > 0;) {
    CapacityLabel& label = labels[at];
    const double extent = text_width(label.marker->label, capacity_text);
    // At the right edge the text is drawn back into the page.
    label.text_x = std::min(label.x + 5, chart.width - 4 - extent);
    for (std::size_t right = at + 1; right < labels.size(); ++right) {
      const double begins = std::min(labels[right].x, labels[right].text_x) - 4;
      if (begins < label.text_x + extent) label.row = std::max(label.row, labels[right].row + 1);
    }
  }
  return labels;
}

Layout layout(const Chart& chart) {
  const double width = chart.width - left_margin - right_margin;
  const Axis x(chart.x, values_of(chart, &ChartPoint::x));
  const Axis y(chart.y, values_of(chart, &ChartPoint::y));
  std::size_t rows = 0;
  for (const CapacityLabel& label : place_capacities(chart, x, width)) {
    rows = std::max(rows, label.row + 1);
  }
  const auto legend = place_legend(chart);
  const double legend_bottom = (legend.empty() ? legend_top - legend_row : legend.back().y) + 12;
  const double top = legend_bottom + 8 + capacity_row * static_cast<double>(rows);
  const double height = std::max(least_plot_height, chart.height - bottom_margin - top);
  const double headroom = chart.plateaus.empty() ? 0 : plateau_headroom;
  return {left_margin, top, width, height, headroom, x, y, residual_panel(chart, top + height)};
}

double drawn_height(const Chart& chart) {
  return chart.height + (layout(chart).residuals ? residual_gap + residual_height : 0);
}

}  // namespace strata::report
