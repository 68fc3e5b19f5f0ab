// SPDX-License-Identifier: Apache-2.0
#include "report/bandwidth/levels_html.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/bandwidth/bandwidth.hpp"
#include "report/text/text.hpp"

namespace strata::report {

// A bar that is full at one; a share that counts as saturated is marked.
Cell share_cell(double share, bool mark_saturated) {
  if (!std::isfinite(share)) return {};
  return {fmt::format("<div class=\"magnitude\"><span{} style=\"width:{}%\"></span></div>",
                      mark_saturated && share >= saturated_from ? " class=\"large\"" : "",
                      coordinate(std::clamp(share, 0.0, 1.0) * 100)),
          ""};
}

std::string level_table(const Watched& watched) {
  std::vector<PageRow> rows;
  for (const BandwidthLevel& level : watched.levels) {
    if (level.requests == 0) continue;
    const RateUnit unit;
    rows.push_back(
        {{text_cell(level.name), figure_cell(fmt::format("{}", level.requests)), figure_cell(percent(level.hit_rate())),
          figure_cell(size_label(static_cast<double>(level.bytes_read))),
          figure_cell(size_label(static_cast<double>(level.bytes_written))),
          figure_cell(unit.show(level.bytes_per_second)),
          figure_cell(level.peak_bytes_per_second > 0 ? unit.show(level.peak_bytes_per_second) : "-"),
          figure_cell(percent(level.share_of_peak())), share_cell(level.share_of_peak())},
         ""});
  }
  return Page::table(
      {"Level", "#Requests", "#Hits [%]", "#Read", "#Written", "#Achieved [GB/s]", "#Peak [GB/s]", "#Of peak [%]", ""},
      rows);
}

std::string resource_table(const Watched& watched) {
  std::vector<PageRow> rows;
  for (std::size_t i = 0; i < std::min(resources_told, watched.resources.size()); ++i) {
    const BandwidthResource& resource = watched.resources[i];
    rows.push_back({{text_cell(resource_in_words(resource)), figure_cell(fmt::format("{}", resource.instances)),
                     figure_cell(percent(resource.busy_fraction)), share_cell(resource.busy_fraction),
                     figure_cell(percent(resource.busiest_busy_fraction)), text_cell(resource.busiest, "source")},
                    ""});
  }
  return Page::table({"Resource", "#Instances", "#Busy [%]", "", "#Busiest [%]", "Which"}, rows);
}

}  // namespace strata::report
