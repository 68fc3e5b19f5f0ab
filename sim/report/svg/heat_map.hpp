// SPDX-License-Identifier: Apache-2.0
// A map of cells over two things that are varied, darker where a figure is larger. Figures stand in the
// cells where there is space; a tooltip has each. In grey the order of the shades remains.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace strata::report {

struct HeatMapCell {
  std::optional<double> value;  // none: it was not asked or is no number
  std::string text;             // of the value, short
  std::string note;             // of the tooltip, the values of both axes included
};

struct HeatMapAxis {
  std::string title;
  std::vector<std::string> labels;  // of its values, in order
};

struct HeatMap {
  std::string title;
  std::string subtitle;
  std::string figure;              // "latency [ns]"
  HeatMapAxis x, y;                // y grows upwards
  std::vector<HeatMapCell> cells;  // y.labels.size() rows of x.labels.size(), the first row of the first y
  double least = 0, most = 0;      // of the scale of shades
  std::string least_text, most_text;
  bool logarithmic = false;
  double width = 960;
};

// Pale blue for 0, dark blue for 1.
std::string shade(double fraction);
double drawn_height(const HeatMap& map);
std::string svg(const HeatMap& map);

}  // namespace strata::report
