// SPDX-License-Identifier: Apache-2.0
#include "report/latency/journey_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/svg/drawing.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

constexpr double width = 960, top = 78, row = 26, bar = 13;
constexpr double left = 230, track = 380;  // of the bars
constexpr double figures = left + track + 70, notes = figures + 14;
constexpr double bottom = 58;
constexpr int ticks = 4;

}  // namespace

std::string title_of(const JourneyReport& report) {
  return report.title.empty() ? fmt::format("{}: the journey of one load", report.heading.gpu) : report.title;
}

std::string svg(const JourneyReport& report) {
  const double height = top + row * static_cast<double>(report.stages.size()) + bottom;
  const double below = height - bottom;
  const double scale = report.total_cycles > 0 ? track / report.total_cycles : 0;
  const std::string subtitle = fmt::format("address {:#x}, {}: {} cycles, {} ns", report.address, report.what,
                                           readable(report.total_cycles), readable(report.total_ns));
  std::string out = begin_drawing(width, height, title_of(report), subtitle, 24);
  const auto text = [&](std::string_view style, double x, double y, std::string_view anchor, std::string_view words) {
    fmt::format_to(std::back_inserter(out), "<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n",
                   style, coordinate(x), coordinate(y), anchor, escape_markup(words));
  };
  for (int i = 0; i <= ticks; ++i) {
    const double x = left + track * i / ticks;
    fmt::format_to(std::back_inserter(out), "<line class=\"grid\" x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\"/>\n",
                   coordinate(x), coordinate(top - 4), coordinate(below));
    text("tick", x, below + 18, "middle", readable(report.total_cycles * i / ticks));
  }
  text("axis-title", left + track / 2, below + 42, "middle", "core cycles since the issue");
  double begun = 0;
  for (std::size_t i = 0; i < report.stages.size(); ++i) {
    const JourneyStage& stage = report.stages[i];
    const double middle = top + row * (static_cast<double>(i) + 0.5);
    text("axis-title", left - 12, middle + 4, "end", stage.stage);
    fmt::format_to(
        std::back_inserter(out),
        "<rect class=\"f0\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}: {} to {} cycles</title></rect>\n",
        coordinate(left + begun * scale), coordinate(middle - bar / 2), coordinate(std::max(stage.cycles * scale, 1.0)),
        coordinate(bar), escape_markup(stage.stage), readable(begun), readable(begun + stage.cycles));
    begun += stage.cycles;
    text("tick", figures, middle + 4, "end", readable(stage.cycles));
    text("tick", notes, middle + 4, "start", stage.note);
  }
  return out + "</svg>\n";
}

}  // namespace strata::report
