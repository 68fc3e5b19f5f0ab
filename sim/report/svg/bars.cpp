// SPDX-License-Identifier: Apache-2.0
#include "report/svg/bars.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "report/svg/chart_layout.hpp"
#include "report/svg/drawing.hpp"
#include "report/svg/style.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr double head = 76;  // title and subtitle
constexpr double panel_head = 30;
constexpr double bar_pitch = 24;
constexpr double bar_height = 13;
constexpr double panel_gap = 18;
constexpr double between = 36;  // between panels of a row
constexpr double label_part = 0.46;
constexpr double text_room = 58;

double height_of(const BarPanel& panel) {
  return panel_head + bar_pitch * static_cast<double>(panel.bars.size()) + panel_gap;
}
double row_height(const BarSheet& sheet, std::size_t left) {
  const double right = left + 1 < sheet.panels.size() ? height_of(sheet.panels[left + 1]) : 0;
  return std::max(height_of(sheet.panels[left]), right);
}

void draw(std::string& out, const BarPanel& panel, double left, double top, double width) {
  const auto add = std::back_inserter(out);
  fmt::format_to(add, "<text class=\"axis-title\" x=\"{}\" y=\"{}\" font-weight=\"600\">{}</text>\n", coordinate(left),
                 coordinate(top + 16), escape_markup(panel.title));
  const double begin = left + width * label_part;
  const double full = width - width * label_part - text_room;
  double y = top + panel_head;
  for (const Bar& bar : panel.bars) {
    const double share = std::isfinite(bar.share) ? std::clamp(bar.share, 0.0, 1.0) : 0;
    const double base = y + bar_height - 2.5;
    fmt::format_to(add, "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", coordinate(begin - 8),
                   coordinate(base), escape_markup(cut(bar.label, width * label_part - 12, 11.5)));
    fmt::format_to(add, "<line class=\"grid\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", coordinate(begin),
                   coordinate(y + bar_height / 2), coordinate(begin + full), coordinate(y + bar_height / 2));
    fmt::format_to(add,
                   "<rect class=\"f{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\">"
                   "<title>{}: {}{}{}</title></rect>\n",
                   panel.colour % chart_colours, coordinate(begin), coordinate(y),
                   coordinate(std::max(share * full, 1.0)), coordinate(bar_height), escape_markup(bar.label),
                   escape_markup(bar.text), bar.note.empty() ? "" : "\n", escape_markup(bar.note));
    fmt::format_to(add, "<text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>\n", coordinate(begin + full + 8),
                   coordinate(base), escape_markup(bar.text));
    y += bar_pitch;
  }
}
}  // namespace

double BarSheet::height() const {
  double sum = head;
  for (std::size_t left = 0; left < panels.size(); left += 2) sum += row_height(*this, left);
  return sum + 10;
}

std::string svg(const BarSheet& sheet) {
  std::string out =
      begin_drawing(sheet.width, sheet.height(), sheet.title, cut(sheet.subtitle, sheet.width - 56, 12.5));
  const double each = (sheet.width - 56 - between) / 2;
  double top = head;
  for (std::size_t left = 0; left < sheet.panels.size(); left += 2) {
    draw(out, sheet.panels[left], 28, top, each);
    if (left + 1 < sheet.panels.size()) draw(out, sheet.panels[left + 1], 28 + each + between, top, each);
    top += row_height(sheet, left);
  }
  return out + "</svg>\n";
}

}  // namespace strata::report
