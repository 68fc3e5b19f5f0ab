// SPDX-License-Identifier: Apache-2.0
#include "report/svg/drawing.hpp"

#include <fmt/format.h>

#include "report/svg/style.hpp"
#include "report/text/text.hpp"

namespace strata::report {

std::string begin_drawing(double width, double height, std::string_view title, std::string_view subtitle, double left) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"strata-chart\" viewBox=\"0 0 {0} {1}\" "
      "width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\">\n<style>{3}</style>\n"
      "<rect class=\"page\" width=\"{0}\" height=\"{1}\" rx=\"10\"/>\n"
      "<text class=\"title\" x=\"{5}\" y=\"34\">{2}</text>\n"
      "<text class=\"subtitle\" x=\"{5}\" y=\"54\">{4}</text>\n",
      coordinate(width), coordinate(height), escape_markup(title), chart_style, escape_markup(subtitle),
      coordinate(left));
}

}  // namespace strata::report
