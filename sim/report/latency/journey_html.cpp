// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/html/page.hpp"
#include "report/html/stages.hpp"
#include "report/latency/html.hpp"
#include "report/latency/journey_svg.hpp"
#include "report/text/text.hpp"

namespace strata::report {

std::string html(const JourneyReport& report) {
  Page page(title_of(report),
            fmt::format("address {:#x}{}{}", report.address, report.what.empty() ? "" : ", ", report.what),
            report.heading);
  page.open_tiles();
  page.tile("Latency", readable(report.total_cycles), "cycles", "of the core clock", "headline");
  page.tile("Latency", readable(report.total_ns), "ns", "");
  page.tile("Stages", fmt::format("{}", report.stages.size()), "", "");
  page.close_tiles();
  for (const std::string& note : notes_on(report.settings)) page.paragraph("Note: " + note);
  page.card(waterfall(report.stages, report.total_cycles, report.total_ns));
  return page.finish();
}

}  // namespace strata::report
