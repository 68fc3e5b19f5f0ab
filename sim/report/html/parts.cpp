// SPDX-License-Identifier: Apache-2.0
#include "report/html/parts.hpp"

#include <fmt/format.h>

#include "report/data_columns.hpp"
#include "report/text/text.hpp"

namespace strata::report {

void add_comparison(Page& page, const Comparison& comparison) {
  page.section("Measured against predicted");
  if (!comparison.source.empty()) {
    page.paragraph(fmt::format("Measured points: {}", comparison.source));
  }
  page.card(page_table(tabulate(columns_of(comparison), comparison.points)));
}

void add_settings(Page& page, const std::vector<Setting>& settings) {
  for (const std::string& note : notes_on(settings)) page.paragraph("Note: " + note);
  if (settings.empty()) return;
  page.section("Effective configuration");
  page.details(fmt::format("{} settings with their origins", settings.size()),
               page_table(tabulate(setting_columns(), settings)));
}

void add_comparison_tiles(Page& page, const Comparison& comparison) {
  page.tile("Mean absolute error", percent(comparison.mean_absolute_error()), "%",
            fmt::format("{} measured points", comparison.points.size()), "headline");
  if (const ComparedPoint* worst = comparison.worst()) {
    page.tile("Worst point", signed_percent(worst->error()), "%",
              fmt::format("at {}", size_label(static_cast<double>(worst->footprint_bytes))));
  }
}

}  // namespace strata::report
