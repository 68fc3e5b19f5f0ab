// SPDX-License-Identifier: Apache-2.0
#include "report/html/stages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/html/page.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
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
  std::vector<PageRow> rows;
  double begin = 0;
  for (const JourneyStage& stage : stages) {
    rows.push_back({{text_cell(stage.stage), figure_cell(fixed(stage.cycles, 2)), figure_cell(fixed(stage.ns, 2)),
                     bar_cell(begin, stage.cycles, total_cycles)},
                    ""});
    if (notes) rows.back().cells.push_back(text_cell(stage.note));
    begin += stage.cycles;
  }
  rows.push_back(
      {{text_cell("Sum"), figure_cell(fixed(total_cycles, 2)), figure_cell(fixed(total_ns, 2)), text_cell("")}, "sum"});
  std::vector<std::string> headings{"Stage", "#Cycles", "#Time [ns]",
                                    fmt::format("When: 0 to {} cycles", readable(total_cycles))};
  if (notes) {
    rows.back().cells.push_back(text_cell(""));
    headings.emplace_back("Note");
  }
  return Page::table(headings, rows, before);
}

}  // namespace strata::report
