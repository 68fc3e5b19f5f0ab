// SPDX-License-Identifier: Apache-2.0
// Shares of a whole as horizontal bars, in panels of one width: what a kernel's time
// went to. Looks as the charts do and stands beside them in one drawing.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace strata::report {

struct Bar {
  std::string label;
  double share = 0;  // of 1; a full bar
  std::string text;  // at its end: "61.0 %"
  std::string note;  // second line of the tooltip; may be empty
};

struct BarPanel {
  std::string title;
  std::size_t colour = 0;
  std::vector<Bar> bars;
};

// Two panels beside each other, then the next two below them.
struct BarSheet {
  std::string title;
  std::string subtitle;
  std::vector<BarPanel> panels;
  double width = 960;
  double height() const;
};

std::string svg(const BarSheet& sheet);

}  // namespace strata::report
