// SPDX-License-Identifier: Apache-2.0
// From what a study found to what a report shows, where several verbs do so.
#pragma once
#include <vector>

#include "report/bandwidth_data.hpp"
#include "study/bandwidth.hpp"

namespace strata::cli {

inline std::vector<report::BandwidthLevel> shown(const std::vector<study::LevelTraffic>& levels) {
  std::vector<report::BandwidthLevel> copy;
  for (const study::LevelTraffic& level : levels)
    copy.push_back({level.name, level.requests, level.sectors, level.hits, level.misses, level.bytes_read,
                    level.bytes_written, level.bytes_per_second, level.peak_bytes_per_second, level.busy_share,
                    level.sectors_read, level.sectors_below, level.sectors_coalesced});
  return copy;
}

inline std::vector<report::BandwidthResource> shown(const std::vector<study::ResourceUse>& resources) {
  std::vector<report::BandwidthResource> copy;
  for (const study::ResourceUse& resource : resources)
    copy.push_back({resource.family, resource.busiest, resource.mean_share, resource.busiest_share,
                    resource.instances});
  return copy;
}

}  // namespace strata::cli
