// SPDX-License-Identifier: Apache-2.0
// The drawing of a hierarchy map, narrow enough for a phone, and its figures as a table.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "report/bandwidth/hierarchy_map.hpp"
#include "report/bandwidth/levels_html.hpp"
#include "report/html/page.hpp"
#include "report/run/run.hpp"
#include "report/svg/chart_layout.hpp"
#include "report/svg/style.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr double map_width = 420;
constexpr double margin = 16;
constexpr double head = 50;  // the title
constexpr double box_height = 58;
constexpr double edge_height = 46;
constexpr double edge_x = margin + 32;
constexpr double label_x = edge_x + 24;
constexpr double widest_edge = 20;
constexpr double narrowest_edge = 1;
constexpr double inset = 12;  // from a box to its contents

std::string busy_in_words(double fraction) {
  return std::isfinite(fraction) ? fmt::format("busy {} %", percent(fraction)) : std::string();
}

class Drawing {
 public:
  explicit Drawing(const HierarchyMap& map) : map_(map) {
    for (const MapEdge& edge : map.edges)
      if (std::isfinite(edge.bytes_per_second)) fastest_ = std::max(fastest_, edge.bytes_per_second);
  }

  std::string text() {
    const double height =
        head + static_cast<double>(map_.boxes.size()) * (box_height + edge_height) - edge_height + margin;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"strata-chart map\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" aria-label=\"{2}\">\n<style>{3}{4}</style>\n"
        "<rect class=\"page\" width=\"{0}\" height=\"{1}\" rx=\"10\"/>\n",
        coordinate(map_width), coordinate(height), escape_markup(map_.title), chart_style, map_style);
    words("title", margin, 32, cut(map_.title, map_width - 2 * margin, 18));
    double y = head;
    for (std::size_t i = 0; i < map_.boxes.size(); ++i) {
      if (i > 0) {
        edge(map_.edges[i - 1], y);
        y += edge_height;
      }
      box(map_.boxes[i], y);
      y += box_height;
    }
    return std::move(out_) + "</svg>\n";
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  void words(std::string_view style, double x, double y, const std::string& text, std::string_view anchor = "start") {
    if (text.empty()) return;
    add("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", style, coordinate(x), coordinate(y),
        anchor, escape_markup(text));
  }

  // Its width is in proportion to the rate; a dashed line where nothing moved.
  void edge(const MapEdge& edge, double y) {
    const bool moves = edge.bytes > 0 && std::isfinite(edge.bytes_per_second) && fastest_ > 0;
    const double width =
        moves ? std::max(widest_edge * edge.bytes_per_second / fastest_, narrowest_edge) : narrowest_edge;
    add("<line class=\"edge s0\" x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke-width=\"{3}\"{4}/>\n",
        coordinate(edge_x), coordinate(y), coordinate(y + edge_height), coordinate(width),
        moves ? "" : " stroke-dasharray=\"3 4\"");
    const double most = map_width - margin - label_x;
    const std::string busy = busy_in_words(edge.busy_fraction);
    words("axis-title", label_x, y + 19, cut(edge.traffic, most, 12.5));
    words("tick", label_x, y + 35,
          cut(fmt::format("{}{}{}", rate_label(edge.bytes_per_second),
                          busy.empty() ? "" : fmt::format("; {} ", edge.busy), busy),
              most, 11.5));
  }

  void box(const MapBox& box, double y) {
    const double width = map_width - 2 * margin;
    add("<rect class=\"box{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>\n",
        box.busiest ? " busiest" : "", coordinate(margin), coordinate(y), coordinate(width), coordinate(box_height));
    words("box-name", margin + inset, y + 20, cut(box.name + (box.busiest ? " (busiest)" : ""), width - 130, 13.5));
    words("tick", margin + width - inset, y + 20, box.note, "end");
    const double busy = box.resource ? box.resource->busy_fraction : 0;
    words("tick", margin + inset, y + 36,
          box.resource ? cut(fmt::format("{} {}", resource_in_words(*box.resource), busy_in_words(busy)),
                             width - 2 * inset, 11.5)
                       : std::string("idle"));
    const double track = width - 2 * inset;
    bar("track", y, track);
    if (busy > 0) bar(box.busiest ? "busy f1" : "busy f0", y, track * std::clamp(busy, 0.0, 1.0));
  }

  void bar(std::string_view style, double y, double width) {
    add("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"7\" rx=\"2\"/>\n", style,
        coordinate(margin + inset), coordinate(y + box_height - 15), coordinate(std::max(width, 1.0)));
  }

  const HierarchyMap& map_;
  double fastest_ = 0;
  std::string out_;
};
}  // namespace

std::string svg(const HierarchyMap& map) { return Drawing(map).text(); }

std::string map_card(const HierarchyMap& map, const Watched& watched) {
  return fmt::format("<div class=\"keys\"><span>Bottleneck: {}</span></div>\n{}",
                     escape_markup(bottleneck_in_words(watched)), svg(map));
}

std::string map_table(const HierarchyMap& map) {
  std::vector<PageRow> rows;
  for (std::size_t i = 0; i < map.boxes.size(); ++i) {
    if (i > 0) {
      const MapEdge& edge = map.edges[i - 1];
      rows.push_back({{text_cell(fmt::format("{} to {}", map.boxes[i - 1].name, map.boxes[i].name)),
                       text_cell(edge.traffic), figure_cell(RateUnit{}.show(edge.bytes_per_second)),
                       text_cell(edge.busy), figure_cell(percent(edge.busy_fraction)), share_cell(edge.busy_fraction)},
                      "edge"});
    }
    const MapBox& box = map.boxes[i];
    rows.push_back({{text_cell(box.name + (box.busiest ? " (busiest)" : "")), text_cell(box.note), text_cell(""),
                     text_cell(box.resource ? resource_in_words(*box.resource) : "idle"),
                     box.resource ? figure_cell(percent(box.resource->busy_fraction)) : text_cell(""),
                     box.resource ? share_cell(box.resource->busy_fraction) : Cell{}},
                    "box"});
  }
  return Page::table({"Where", "Moved", "#Rate [GB/s]", "What is busy", "#Busy [%]", ""}, rows);
}

}  // namespace strata::report
