// SPDX-License-Identifier: Apache-2.0
#include "report/bandwidth/columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/bandwidth/levels_html.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr Align left = Align::left;
std::string in_unit(std::string_view word, const RateUnit& unit) { return fmt::format("{} [{}]", word, unit.name); }
}  // namespace

Columns<BandwidthLevel> level_columns(const RateUnit& unit) {
  using Row = BandwidthLevel;
  const auto rate = [unit](double value) { return unit.show(value); };
  const auto peak = [unit](double value) { return value > 0 ? unit.show(value) : "-"; };
  return {
      {{"name", {"level", left}, "Level"}, as_text(&Row::name)},
      {{"requests", {"requests"}, "Requests"}, as_whole(&Row::requests)},
      {{"sectors", {"sectors"}}, as_whole(&Row::sectors)},
      {{"hits"}, as_whole(&Row::hits)},
      {{"misses"}, as_whole(&Row::misses)},
      {{"hit_rate", {"hits [%]"}, "Hits [%]"}, as_real(&Row::hit_rate, percent)},
      {{"sectors_read"}, as_whole(&Row::sectors_read)},
      {{"sectors_below"}, as_whole(&Row::sectors_below)},
      {{"sectors_coalesced"}, as_whole(&Row::sectors_coalesced)},
      {{"bytes_read", {"read"}, "Read"}, as_size(&Row::bytes_read)},
      {{"bytes_written", {"written"}, "Written"}, as_size(&Row::bytes_written)},
      {{"bandwidth_bytes_per_second", {in_unit("rate", unit)}, in_unit("Achieved", unit)},
       as_real(&Row::bytes_per_second, rate)},
      {{"peak_bytes_per_second", {}, in_unit("Peak", unit)}, as_real(&Row::peak_bytes_per_second, peak)},
      {{"", {"of peak [%]"}, "Of peak [%]"}, as_real(&Row::share_of_peak, percent)},
      {{"busy_fraction"}, as_real(&Row::busy_fraction, 1)},
      {{"", {"", left}, ""}, [](const Row& row) { return as_cell(share_cell(row.share_of_peak())); }},
  };
}

Columns<BandwidthResource> resource_columns() {
  using Row = BandwidthResource;
  return {
      {{"resource", {"", left}, "Resource"},
       [](const Row& row) { return Datum{boost::json::value(row.family), resource_in_words(row)}; }},
      {{"busiest"}, as_text(&Row::busiest)},
      {{"busy_fraction"}, as_real(&Row::busy_fraction, 1)},
      {{"busiest_busy_fraction"}, as_real(&Row::busiest_busy_fraction, 1)},
      {{"instances", {}, "Instances"}, as_whole(&Row::instances)},
      {{"bytes"}, as_whole(&Row::bytes)},
      {{"", {}, "Busy [%]"}, as_real(&Row::busy_fraction, percent)},
      {{"", {"", left}, ""}, [](const Row& row) { return as_cell(share_cell(row.busy_fraction)); }},
      {{"", {}, "Busiest [%]"}, as_real(&Row::busiest_busy_fraction, percent)},
      {{"", {"", left}, "Which"}, [](const Row& row) { return as_cell(text_cell(row.busiest, "source")); }},
  };
}

Columns<BandwidthPoint> point_columns(const BandwidthReport& report) {
  using Row = BandwidthPoint;
  const RateUnit unit = rate_unit(report.points);
  const bool all_steady = std::all_of(report.points.begin(), report.points.end(), [](const BandwidthPoint& point) {
    return !point.steadiness || point.steadiness->steady;
  });
  Columns<Row> columns{
      {{"footprint_bytes", {"footprint"}, "Footprint"}, as_size(&Row::footprint_bytes)},
      {{"bytes_per_second", {in_unit("bandwidth", unit)}, in_unit("Bandwidth", unit)},
       as_real(&Row::bytes_per_second, [unit](double value) { return unit.show(value); })},
      {{"cores"}, as_whole(&Row::cores)},
      {{"warps_per_core"}, as_whole(&Row::warps)},
      {{"bytes_per_clock_per_core", {"B/clk/core"}, "B/clk/core"}, as_real(&Row::bytes_per_clock_per_core, 1)},
      {{"mean_latency_ns", {"latency [ns]"}, "Latency [ns]"}, as_real(&Row::mean_latency_ns, 0)},
  };
  for (const std::string& name : levels_of(report.points))
    columns.push_back({{name + "_bytes_per_second", {name + " [% of peak]"}}, [name](const Row& row) {
                         const BandwidthLevel* level = level_of(row, name);
                         return level == nullptr ? Datum{{}, "-"}
                                                 : as_real(level->bytes_per_second, percent(level->share_of_peak()));
                       }});
  const Columns<Row> causes{
      {{"bottleneck"},
       [](const Row& row) {
         const BandwidthResource* bottleneck = row.watched().bottleneck();
         return bottleneck == nullptr ? Datum{} : as_text(bottleneck->family);
       }},
      {{"bottleneck_busy_fraction"},
       [](const Row& row) {
         const BandwidthResource* bottleneck = row.watched().bottleneck();
         return bottleneck == nullptr ? Datum{} : as_real(bottleneck->busy_fraction, 1);
       }},
      {{"bottleneck_in_words", {"bottleneck", left}, "Bottleneck"},
       [](const Row& row) { return as_text(bottleneck_in_words(row.watched())); }},
      {{"", {"", left}, "Busy"},
       [](const Row& row) {
         const BandwidthResource* bottleneck = row.watched().bottleneck();
         return bottleneck == nullptr ? Datum{} : as_cell(share_cell(bottleneck->busy_fraction));
       }},
      {{"steady", {all_steady ? "" : "steady", left}, "Steady"},
       [](const Row& row) {
         Datum datum = row.steadiness ? as_whole(row.steadiness->steady ? 1 : 0) : Datum{};
         datum.shown = steadiness_in_words(row);
         return datum;
       }},
      {{"halves_differ"},
       [](const Row& row) { return row.steadiness ? as_real(row.steadiness->halves_differ, 1) : Datum{}; }},
  };
  columns.insert(columns.end(), causes.begin(), causes.end());
  return columns;
}

Columns<LoadedPoint> loaded_columns(const RateUnit& unit) {
  using Row = LoadedPoint;
  return {
      {{"injected_bytes_per_second", {in_unit("injected", unit)}, in_unit("Injected", unit)},
       [unit](const Row& row) { return as_real(row.injected_bytes_per_second, injected_rate(row, unit)); }},
      {{"bytes_per_second", {in_unit("achieved", unit)}, in_unit("Achieved", unit)},
       as_real(&Row::bytes_per_second, [unit](double value) { return unit.show(value); })},
      {{"latency_ns", {"latency [ns]"}, "Latency [ns]"}, as_real(&Row::latency_ns, 1)},
      {{"latency_cycles", {"latency [cycles]"}}, as_real(&Row::latency_cycles, 1)},
      {{"loads"}, as_whole(&Row::loads)},
      {{"", {"served by", left}, "Served by"}, [](const Row& row) { return as_text(served_by(row.hit_level_shares)); }},
  };
}

}  // namespace strata::report
