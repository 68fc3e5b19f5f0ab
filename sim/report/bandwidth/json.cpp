// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include <boost/json/array.hpp>

#include "report/bandwidth/bandwidth.hpp"
#include "report/bandwidth/columns.hpp"
#include "report/data_columns.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
using boost::json::array;
using boost::json::object;
using boost::json::value;

value bottleneck(const BandwidthPoint& point) {
  const BandwidthResource* resource = point.watched().bottleneck();
  if (resource == nullptr) return nullptr;
  return {{"resource", resource->family},
          {"busiest", resource->busiest},
          {"busy_fraction", json_number(resource->busy_fraction)},
          {"busiest_busy_fraction", json_number(resource->busiest_busy_fraction)},
          {"saturated", point.watched().saturated()},
          {"in_words", bottleneck_in_words(point.watched())}};
}

object to_json(const BandwidthPoint& point) {
  array shortages;
  for (const std::string& words : point.shortages) shortages.emplace_back(words);
  return {{"footprint_bytes", point.footprint_bytes},
          {"bytes_per_second", json_number(point.bytes_per_second)},
          {"cores", point.cores},
          {"warps_per_core", point.warps},
          {"bytes_per_clock_per_core", json_number(point.bytes_per_clock_per_core)},
          {"seconds", json_number(point.seconds)},
          {"bytes", point.bytes},
          {"timed_bytes", point.timed_bytes},
          {"steady", point.steadiness ? value(point.steadiness->steady) : value(nullptr)},
          {"halves_differ", point.steadiness ? value(json_number(point.steadiness->halves_differ)) : value(nullptr)},
          {"queues_grow", point.steadiness ? value(json_number(point.steadiness->queues_grow)) : value(nullptr)},
          {"slowest_core", point.slowest_core ? value(json_number(*point.slowest_core)) : value(nullptr)},
          {"mean_latency_ns", json_number(point.mean_latency_ns)},
          {"levels", report::to_json(point.levels)},
          {"dram",
           {{"row_hit_rate", json_number(point.dram_row_hit_rate)},
            {"bus_utilisation", json_number(point.dram_bus_utilisation)}}},
          {"bottleneck", bottleneck(point)},
          {"shortages", shortages},
          {"resources", report::to_json(point.resources)}};
}
}  // namespace

array to_json(const std::vector<BandwidthLevel>& levels) {
  return json_rows(tabulate(level_columns(RateUnit{}), levels));
}

array to_json(const std::vector<BandwidthResource>& resources) {
  const std::size_t told = std::min(resources_told, resources.size());
  return json_rows(tabulate(resource_columns(), std::span(resources).first(told)));
}

object to_json(const BandwidthReport& report) {
  object written = document(report.heading);
  written["operation"] = report.operation;
  written["what"] = report.subtitle;
  array points;
  for (const BandwidthPoint& point : report.points) points.push_back(to_json(point));
  written["points"] = points;
  if (report.comparison) written["comparison"] = to_json(*report.comparison);
  add_settings(written, report.settings);
  return written;
}

object to_json(const LoadedReport& report) {
  object written = document(report.heading);
  written["operation"] = report.operation;
  written["what"] = report.subtitle;
  written["footprint_bytes"] = report.footprint_bytes;
  written["chains"] = report.chains;
  Columns<LoadedPoint> columns = loaded_columns(RateUnit{});
  columns.push_back(shares_column<LoadedPoint>());
  written["points"] = json_rows(tabulate(columns, report.points));
  if (const std::string note = served_by_note(report); !note.empty()) written["note"] = valid_utf8(note);
  add_settings(written, report.settings);
  return written;
}

}  // namespace strata::report
