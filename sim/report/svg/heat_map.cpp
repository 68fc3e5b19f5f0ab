// SPDX-License-Identifier: Apache-2.0
#include "report/svg/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/svg/drawing.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

constexpr double top = 84;
constexpr double right = 118;   // the scale of shades
constexpr double bottom = 62;   // labels and title of the x axis
constexpr double letter = 6.6;  // width of one in a label
constexpr double tallest = 34, most_height = 560;

// The positions of all parts, in pixels.
struct Places {
  double left, cell_width, cell_height;
  std::size_t columns, rows;
  double height() const { return cell_height * static_cast<double>(rows); }
  double width() const { return cell_width * static_cast<double>(columns); }
};

Places places(const HeatMap& map) {
  std::size_t longest = 0;
  for (const std::string& label : map.y.labels) longest = std::max(longest, label.size());
  Places at{};
  at.left = 52 + std::min(letter * static_cast<double>(longest), 200.0);
  at.columns = map.x.labels.size();
  at.rows = map.y.labels.size();
  at.cell_width = (map.width - at.left - right) / static_cast<double>(at.columns);
  at.cell_height = std::min(tallest, most_height / static_cast<double>(at.rows));
  return at;
}

double fraction(const HeatMap& map, double value) {
  if (!(map.most > map.least)) return 0;
  const double part = map.logarithmic ? std::log(value / map.least) / std::log(map.most / map.least)
                                      : (value - map.least) / (map.most - map.least);
  return std::clamp(part, 0.0, 1.0);
}

// Only every n-th label is drawn.
std::size_t step(double pitch, double space) { return static_cast<std::size_t>(std::ceil(space / pitch)); }

void cells(std::string& out, const HeatMap& map, const Places& at) {
  for (std::size_t row = 0; row < at.rows; ++row)
    for (std::size_t column = 0; column < at.columns; ++column) {
      const HeatMapCell& cell = map.cells[row * at.columns + column];
      if (!cell.value) continue;
      const double x = at.left + at.cell_width * static_cast<double>(column);
      const double y = top + at.height() - at.cell_height * static_cast<double>(row + 1);
      const double part = fraction(map, *cell.value);
      fmt::format_to(std::back_inserter(out),
                     "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
                     "shape-rendering=\"crispEdges\"><title>{}</title></rect>\n",
                     coordinate(x), coordinate(y), coordinate(at.cell_width), coordinate(at.cell_height), shade(part),
                     escape_markup(cell.note));
      if (letter * static_cast<double>(cell.text.size()) + 6 < at.cell_width && at.cell_height >= 16)
        fmt::format_to(std::back_inserter(out),
                       "<text style=\"fill:{}\" class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       part > 0.45 ? "#ffffff" : "#111827", coordinate(x + at.cell_width / 2),
                       coordinate(y + at.cell_height / 2 + 4), escape_markup(cell.text));
    }
}

void axes(std::string& out, const HeatMap& map, const Places& at) {
  std::size_t longest = 1;
  for (const std::string& label : map.x.labels) longest = std::max(longest, label.size());
  const double below = top + at.height();
  fmt::format_to(std::back_inserter(out),
                 "<rect class=\"frame\" fill=\"none\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                 coordinate(at.left), coordinate(top), coordinate(at.width()), coordinate(at.height()));
  for (std::size_t i = 0; i < at.columns; i += step(at.cell_width, letter * static_cast<double>(longest) + 14))
    fmt::format_to(std::back_inserter(out), "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                   coordinate(at.left + at.cell_width * (static_cast<double>(i) + 0.5)), coordinate(below + 18),
                   escape_markup(map.x.labels[i]));
  for (std::size_t i = 0; i < at.rows; i += step(at.cell_height, 16))
    fmt::format_to(std::back_inserter(out), "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                   coordinate(at.left - 8), coordinate(below - at.cell_height * (static_cast<double>(i) + 0.5) + 4),
                   escape_markup(map.y.labels[i]));
  fmt::format_to(
      std::back_inserter(out),
      "<text class=\"axis-title\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text class=\"axis-title\" transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      coordinate(at.left + at.width() / 2), coordinate(below + 44), escape_markup(map.x.title),
      coordinate(top + at.height() / 2), escape_markup(map.y.title));
}

void scale(std::string& out, const HeatMap& map, const Places& at) {
  constexpr int steps = 24;
  const double left = map.width - right + 26, height = std::max(at.height(), 60.0), one = height / steps;
  for (int i = 0; i < steps; ++i)
    fmt::format_to(std::back_inserter(out), "<rect x=\"{}\" y=\"{}\" width=\"16\" height=\"{}\" fill=\"{}\"/>\n",
                   coordinate(left), coordinate(top + height - one * (i + 1)), coordinate(one + 0.3),
                   shade((i + 0.5) / steps));
  fmt::format_to(
      std::back_inserter(out),
      "<text class=\"tick\" x=\"{0}\" y=\"{1}\">{2}</text>\n<text class=\"tick\" x=\"{0}\" y=\"{3}\">{4}</text>\n",
      coordinate(left + 22), coordinate(top + 10), escape_markup(map.most_text), coordinate(top + height),
      escape_markup(map.least_text));
}

}  // namespace

std::string shade(double fraction) {
  const auto mixed = [fraction](int from, int to) {
    return static_cast<int>(std::lround(from + (to - from) * fraction));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(0xe3, 0x08), mixed(0xee, 0x30), mixed(0xf7, 0x6b));
}

double drawn_height(const HeatMap& map) { return top + std::max(places(map).height(), 60.0) + bottom; }

std::string svg(const HeatMap& map) {
  const Places at = places(map);
  const std::string subtitle = map.figure + (map.logarithmic ? ", shades by its logarithm" : "") +
                               (map.subtitle.empty() ? "" : "; " + map.subtitle);
  std::string out = begin_drawing(map.width, drawn_height(map), map.title, subtitle, 24);
  cells(out, map, at);
  axes(out, map, at);
  scale(out, map, at);
  return out + "</svg>\n";
}

}  // namespace strata::report
