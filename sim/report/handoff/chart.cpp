// SPDX-License-Identifier: Apache-2.0
// Charts of hand-offs: a map of cores against cores, darker for longer times, and a histogram
// of the pairs.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "report/handoff/handoff.hpp"
#include "report/svg/heat_map.hpp"
#include "report/svg/style.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

constexpr double width = 960;
constexpr double top = 92;
constexpr double left_margin = 64;
constexpr double map_size = 420;
constexpr double plot_left = 560;
constexpr double plot_width = width - plot_left - 32;
constexpr double height = top + map_size + 72;
// Neighbouring cores are one cell if there are more cores than this.
constexpr std::uint32_t most_cells = 76;

struct MapCell {
  double sum = 0;
  std::uint64_t pairs = 0;
};

void map(std::string& out, const HandoffReport& report, double least, double most) {
  std::uint32_t cores = 0;
  for (const HandoffRow& pair : report.pairs) cores = std::max({cores, pair.first + 1, pair.second + 1});
  const std::uint32_t merged = (cores + most_cells - 1) / most_cells;
  const std::uint32_t cells = (cores + merged - 1) / merged;
  std::vector<MapCell> grid(std::size_t{cells} * cells);
  const auto add = [&](std::uint32_t row, std::uint32_t column, double ns) {
    MapCell& cell = grid[std::size_t{row / merged} * cells + column / merged];
    cell.sum += ns;
    ++cell.pairs;
  };
  for (const HandoffRow& pair : report.pairs) {
    add(pair.first, pair.second, pair.ns);
    if (pair.first != pair.second) add(pair.second, pair.first, pair.ns);
  }
  const double side = map_size / cells;
  for (std::uint32_t row = 0; row < cells; ++row)
    for (std::uint32_t column = 0; column < cells; ++column) {
      const MapCell& cell = grid[std::size_t{row} * cells + column];
      if (cell.pairs == 0) continue;
      const double ns = cell.sum / static_cast<double>(cell.pairs);
      const auto range = [&](std::uint32_t i) {
        return merged == 1 ? fmt::format("{}", i)
                           : fmt::format("{} to {}", i * merged, std::min((i + 1) * merged, cores) - 1);
      };
      fmt::format_to(std::back_inserter(out),
                     "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>core {} and core {}: {} "
                     "ns</title></rect>\n",
                     coordinate(left_margin + column * side), coordinate(top + row * side), coordinate(side),
                     coordinate(side), shade(most > least ? (ns - least) / (most - least) : 0), range(row),
                     range(column), fixed(ns, 1));
    }
  fmt::format_to(std::back_inserter(out),
                 "<rect class=\"frame\" fill=\"none\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n"
                 "<text class=\"axis-title\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">core</text>\n"
                 "<text class=\"axis-title\" x=\"{}\" y=\"{}\" text-anchor=\"middle\" transform=\"rotate(-90 {} "
                 "{})\">core</text>\n",
                 left_margin, top, map_size, map_size, left_margin + map_size / 2, top + map_size + 34,
                 left_margin - 40, top + map_size / 2, left_margin - 40, top + map_size / 2);
  for (const std::uint32_t tick : {std::uint32_t{0}, cores / 2, cores - 1}) {
    const std::uint32_t cell = tick / merged;
    const double at = (cell + 0.5) * side;
    fmt::format_to(std::back_inserter(out),
                   "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
                   "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                   coordinate(left_margin + at), top + map_size + 16, tick, left_margin - 6, coordinate(top + at + 4),
                   tick);
  }
}

void bars(std::string& out, const HandoffReport& report, double least, double most) {
  double bin_width = 1;
  const std::vector<HandoffBin> bins = histogram(report.pairs, bin_width);
  std::uint64_t highest = 1;
  for (const HandoffBin& bin : bins) highest = std::max(highest, bin.pairs);
  const double pitch = plot_width / static_cast<double>(bins.size());
  const double bar = std::min(pitch * 0.86, 60.0);
  const auto step = static_cast<std::size_t>(std::ceil(52 / pitch));
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const HandoffBin& bin = bins[i];
    const double tall = map_size * 0.92 * static_cast<double>(bin.pairs) / static_cast<double>(highest);
    const double middle = plot_left + (static_cast<double>(i) + 0.5) * pitch;
    const double ns = std::clamp(bin.from_ns + bin_width / 2, least, most);
    if (bin.pairs > 0)
      fmt::format_to(std::back_inserter(out),
                     "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{} to {} "
                     "ns: {} pairs</title></rect>\n",
                     coordinate(middle - bar / 2), coordinate(top + map_size - tall), coordinate(bar), coordinate(tall),
                     shade(most > least ? (ns - least) / (most - least) : 0), readable(bin.from_ns),
                     readable(bin.from_ns + bin_width), bin.pairs);
    if (i % step == 0)
      fmt::format_to(std::back_inserter(out),
                     "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", coordinate(middle),
                     top + map_size + 16, readable(bin.from_ns));
  }
  fmt::format_to(std::back_inserter(out),
                 "<line class=\"frame\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n"
                 "<text class=\"axis-title\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">time of a hand-off [ns], pairs "
                 "in steps of {} ns</text>\n",
                 plot_left, top + map_size, plot_left + plot_width, top + map_size, plot_left + plot_width / 2,
                 top + map_size + 34, readable(bin_width));
}

}  // namespace

std::string svg(const HandoffReport& report) {
  std::string out = fmt::format(
      "<svg class=\"strata-chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\">\n"
      "<title>{2}</title>\n<style>{3}</style>\n<rect class=\"page\" width=\"{0}\" height=\"{1}\"/>\n"
      "<text class=\"title\" x=\"24\" y=\"36\">{2}</text>\n<text class=\"subtitle\" x=\"24\" y=\"58\">{4}</text>\n",
      width, height, escape_markup(report.title), chart_style, escape_markup(marked(report.heading, report.subtitle)));
  if (!report.pairs.empty()) {
    const auto [least, most] = std::minmax_element(
        report.pairs.begin(), report.pairs.end(), [](const HandoffRow& a, const HandoffRow& b) { return a.ns < b.ns; });
    map(out, report, least->ns, most->ns);
    bars(out, report, least->ns, most->ns);
  }
  return out + "</svg>\n";
}

}  // namespace strata::report
