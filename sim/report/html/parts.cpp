// SPDX-License-Identifier: Apache-2.0
#include "report/html/parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/text/text.hpp"

namespace strata::report {

namespace {
// The size of an error as a bar; 20 % fills it, and more than 10 % is marked.
Cell magnitude_cell(double error) {
  if (!std::isfinite(error)) return {};
  const double size = std::abs(error);
  return {fmt::format("<div class=\"magnitude\"><span{} style=\"width:{}%\"></span></div>",
                      size > 0.1 ? " class=\"large\"" : "", coordinate(std::min(size / 0.2, 1.0) * 100)),
          ""};
}

std::string comparison_table(const Comparison& comparison) {
  std::vector<PageRow> rows;
  for (const ComparedPoint& point : comparison.points) {
    rows.push_back({{figure_cell(size_label(static_cast<double>(point.footprint_bytes))),
                     figure_cell(fixed(point.measured, 1)), figure_cell(fixed(point.predicted, 1)),
                     figure_cell(signed_percent(point.error())), magnitude_cell(point.error())},
                    ""});
  }
  return Page::table({"#Footprint", fmt::format("#Measured [{}]", comparison.unit),
                      fmt::format("#Predicted [{}]", comparison.unit), "#Error [%]", ""},
                     rows);
}

std::string settings_table(const std::vector<Setting>& settings) {
  std::vector<PageRow> rows;
  for (const Setting& setting : settings) {
    rows.push_back({{{fmt::format("<code>{}</code>", escape_markup(setting.path)), ""},
                     text_cell(setting.value),
                     text_cell(setting.set_by, "source"),
                     text_cell(setting.unread)},
                    ""});
  }
  return Page::table({"Setting", "Value", "Set by", "Not read, because"}, rows);
}
}  // namespace

void add_comparison(Page& page, const Comparison& comparison) {
  page.section("Measured against predicted");
  if (!comparison.source.empty()) {
    page.paragraph(fmt::format("Measured points: {}", comparison.source));
  }
  page.card(comparison_table(comparison));
}

void add_settings(Page& page, const std::vector<Setting>& settings) {
  for (const std::string& note : notes_on(settings)) page.paragraph("Note: " + note);
  if (settings.empty()) return;
  page.section("Effective configuration");
  page.details(fmt::format("{} settings, each with who set it", settings.size()), settings_table(settings));
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
