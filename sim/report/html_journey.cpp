// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace strata::report {

namespace {
// A bar from when the load enters a stage to when it leaves it, over the whole
// journey's width.
Cell bar_cell(double before, double cycles, double total) {
  const auto share = [total](double value) {
    return coordinate(total > 0 ? std::clamp(value / total, 0.0, 1.0) * 100 : 0);
  };
  return {fmt::format("<div class=\"journey\"><span style=\"left:{}%;width:{}%\"></span></div>",
                      share(before), share(cycles)),
          "wide"};
}
}  // namespace

std::string html(const JourneyReport& report) {
  Page page(fmt::format("{}: the journey of one load", report.heading.gpu),
            fmt::format("address {:#x}{}{}", report.address, report.what.empty() ? "" : ", ",
                        report.what),
            report.heading);
  page.open_tiles();
  page.tile("Latency", readable(report.total_cycles), "cycles", "of the core clock", "headline");
  page.tile("Latency", readable(report.total_ns), "ns", "");
  page.tile("Stages", fmt::format("{}", report.stages.size()), "", "");
  page.close_tiles();
  for (const std::string& note : notes_on(report.settings)) page.paragraph("Note: " + note);
  std::vector<PageRow> rows;
  double before = 0;
  for (const JourneyStage& stage : report.stages) {
    rows.push_back({{text_cell(stage.stage), figure_cell(fixed(stage.cycles, 2)),
                     figure_cell(fixed(stage.ns, 2)),
                     bar_cell(before, stage.cycles, report.total_cycles), text_cell(stage.note)},
                    ""});
    before += stage.cycles;
  }
  rows.push_back({{text_cell("Sum"), figure_cell(fixed(report.total_cycles, 2)),
                   figure_cell(fixed(report.total_ns, 2)), text_cell(""), text_cell("")},
                  "sum"});
  page.card(Page::table({"Stage", "#Cycles", "#Time [ns]", "When", "Note"}, rows));
  return page.finish();
}

}  // namespace strata::report
