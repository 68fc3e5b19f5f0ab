// SPDX-License-Identifier: Apache-2.0
// The writers of what `bandwidth` answers, in every form. Documents for
// programs (JSON, CSV) are in SI base units; tables, charts and pages for people
// in GB/s or TB/s. A point's levels, its bottleneck and the busiest resources
// stand beside its rate, so that a figure never comes without its cause.
#pragma once

#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "report/bandwidth/data.hpp"
#include "report/json.hpp"
#include "report/svg/curve.hpp"

namespace strata::report {

// Kinds of resource that a document lists for each point.
inline constexpr std::size_t resources_told = 8;

// Each level's counts, rate and peak; the busiest kinds of resource.
boost::json::array to_json(const std::vector<BandwidthLevel>& levels);
boost::json::array to_json(const std::vector<BandwidthResource>& resources);

boost::json::object to_json(const BandwidthReport& report);
// An injected rate that is infinite, not limited, is null.
boost::json::object to_json(const LoadedReport& report);
inline std::string json(const BandwidthReport& report) { return pretty(to_json(report)); }
inline std::string json(const LoadedReport& report) { return pretty(to_json(report)); }

// footprint_bytes,bytes_per_second,cores,...,<level>_bytes_per_second,...,
// bottleneck,bottleneck_busy_fraction: a file that --compare reads back.
std::string csv(const BandwidthReport& report);
// injected_bytes_per_second,bytes_per_second,latency_ns,latency_cycles,loads,share_<level>...; an empty
// cell of the first column is a rate that is not limited.
std::string csv(const LoadedReport& report);

// Footprint, rate, bytes per clock and core, each level's share of its peak,
// and the bottleneck in words.
std::string table(const BandwidthReport& report);
std::string table(const LoadedReport& report);

// Bandwidth against footprint, with capacities and measured points.
Chart bandwidth_chart(const BandwidthReport& report);
// The chaser's latency against the achieved rate.
Chart loaded_chart(const LoadedReport& report);

// Tiles, chart, points, measured against predicted, and each point's levels
// against their peaks with its busiest resources.
std::string html(const BandwidthReport& report);
std::string html(const LoadedReport& report);

}  // namespace strata::report
