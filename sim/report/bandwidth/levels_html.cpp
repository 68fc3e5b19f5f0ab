// SPDX-License-Identifier: Apache-2.0
#include "report/bandwidth/levels_html.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/bandwidth/bandwidth.hpp"
#include "report/bandwidth/columns.hpp"
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
  std::vector<const BandwidthLevel*> asked;
  for (const BandwidthLevel& level : watched.levels)
    if (level.requests > 0) asked.push_back(&level);
  return page_table(tabulate(level_columns(RateUnit{}), asked));
}

std::string resource_table(const Watched& watched) {
  const std::size_t told = std::min(resources_told, watched.resources.size());
  return page_table(tabulate(resource_columns(), watched.resources.first(told)));
}

}  // namespace strata::report
