// SPDX-License-Identifier: Apache-2.0
#include "report/html/stages.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "report/data_columns.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr std::ptrdiff_t bar_column = 3;

// A bar from when the load enters a stage to when it leaves it, over the whole
// journey's width.
Cell bar_cell(double before, double cycles, double total) {
  const auto share = [total](double value) {
    return coordinate(total > 0 ? std::clamp(value / total, 0.0, 1.0) * 100 : 0);
  };
  return {fmt::format("<div class=\"journey\"><span style=\"left:{}%;width:{}%\"></span></div>", share(before),
                      share(cycles)),
          "wide"};
}
}  // namespace

std::string waterfall(const std::vector<JourneyStage>& stages, double total_cycles, double total_ns,
                      std::string_view before) {
  const bool notes = std::any_of(stages.begin(), stages.end(), [](const auto& stage) { return !stage.note.empty(); });
  DataTable data = stages_and_sum(stages, "Sum", total_cycles, total_ns);
  if (!notes) data.heads.back().page.reset();
  std::vector<std::string> headings = page_headings(data);
  headings.insert(headings.begin() + bar_column, fmt::format("When: 0 to {} cycles", readable(total_cycles)));
  std::vector<PageRow> rows = page_rows(data);
  rows.back().style = "sum";
  double begin = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool sum = i == stages.size();
    rows[i].cells.insert(rows[i].cells.begin() + bar_column,
                         sum ? text_cell("") : bar_cell(begin, stages[i].cycles, total_cycles));
    if (!sum) begin += stages[i].cycles;
  }
  return Page::table(headings, rows, before);
}

}  // namespace strata::report
