// SPDX-License-Identifier: Apache-2.0
// A chart of curves, and its drawing as one self-contained SVG. The drawing
// reads on light and dark pages, uses colours that colour-blind readers can
// distinguish (Okabe and Ito) and a marker shape for each colour. Several lines
// also differ in dashes and have marks, so that equal ones show and grey paper is enough. It needs no
// script and no font of its own, and is the same text on every compiler.
// Order from back to front: grid, capacities, plateaus, lines, points, so that
// what was measured is never hidden by what was predicted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/data.hpp"
#include "report/svg/axis.hpp"

namespace strata::report {

enum class Style { line, points };

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::string note;  // second line of the tooltip; may be empty
};

struct Series {
  std::string name;
  Style style = Style::line;
  std::vector<ChartPoint> points;  // a value that cannot be drawn breaks a line
  // Series of one colour belong together; absent, a colour of its own.
  std::optional<std::size_t> colour;
  std::string label = {};  // short, at the end of a line; empty: none
};

struct Chart {
  std::string title;
  std::string subtitle;
  AxisSpec x;
  AxisSpec y;
  std::vector<Series> series;
  std::vector<CapacityMarker> capacities;
  std::vector<Plateau> plateaus;
  std::vector<Series> residuals = {};  // in percent, in a panel of their own beneath the plot
  double width = 960;                  // of the drawing, in CSS pixels; it scales with its page
  double height = 540;                 // without the panel of residuals
};

// The error of the model at each measured point, in the colour of the measured series.
Series residuals_of(const Comparison& comparison, std::string name, std::size_t colour);

// Beneath the plot, on its x axis.
struct ResidualPanel {
  double top = 0;
  double height = 0;
  Axis y;  // as far below zero as above
  double py(double value) const { return top + (1 - y.fraction(value)) * height; }
};

// Where the drawing puts things; the frame grows downward with the legend's
// rows and the capacities' label rows, the plot takes what is left.
struct Layout {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
  double headroom = 0;  // above the y axis' upper end, for a plateau's label
  Axis x;
  Axis y;
  std::optional<ResidualPanel> residuals;  // none: no residual can be drawn
  // Pixels of a value; the y axis runs upward from the plot's lower edge.
  double px(double value) const { return left + x.fraction(value) * width; }
  double py(double value) const { return top + headroom + (1 - y.fraction(value)) * (height - headroom); }
};
Layout layout(const Chart& chart);

std::string svg(const Chart& chart);
// Of the whole drawing, with the panel of residuals.
double drawn_height(const Chart& chart);

// The footprint axis of every curve: log2, 1 KiB to 4 GiB by default.
AxisSpec footprint_axis();

enum class LatencyUnit { cycles, ns };

// One GPU: the predicted line, the measured points in a second colour, its
// capacities and plateaus. In the comparison's unit where there is one.
Chart latency_chart(const CurveReport& report);

// Several GPUs: a colour each, shared by line and measured points, without the
// marks of a single machine; in ns by default, as core clocks
// differ. Measured points in the other unit are left out.
Chart latency_chart(std::span<const CurveReport> reports, LatencyUnit unit = LatencyUnit::ns);

}  // namespace strata::report
