// SPDX-License-Identifier: Apache-2.0
// The parts every page is built from. Text goes in raw and comes out escaped;
// only Cell::markup and the arguments named `markup` are taken as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/data.hpp"

namespace strata::report {

struct Cell {
  std::string markup;      // already escaped
  std::string_view style;  // class of the cell; "n" aligns a figure right
};
Cell text_cell(std::string_view text, std::string_view style = "");
Cell figure_cell(std::string_view text);

struct PageRow {
  std::vector<Cell> cells;
  std::string style;
  std::string anchor = {};  // what a link to it names; empty: none
};

class Page {
 public:
  Page(std::string_view title, std::string_view subtitle, const Heading& heading);

  // anchor: what a link to it names.
  void section(std::string_view title, std::string_view anchor = "");
  // Markup between cards.
  void block(std::string_view markup);
  void paragraph(std::string_view text);
  // A short row of figures; `remark` is the line below a figure.
  void open_tiles();
  void tile(std::string_view name, std::string_view figure, std::string_view unit, std::string_view remark,
            std::string_view style = "");
  void close_tiles();
  void card(std::string_view markup);
  // Headings that begin with '#' stand over figures. `before` is markup that
  // stands above the table, such as a key of colours.
  static std::string table(const std::vector<std::string>& headings, const std::vector<PageRow>& rows,
                           std::string_view before = "");
  void details(std::string_view summary, std::string_view markup);
  // The finished page; the object is spent.
  std::string finish();

 private:
  std::string out_;
};

}  // namespace strata::report
