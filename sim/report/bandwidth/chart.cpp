// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "report/bandwidth/bandwidth.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
Series measured_series(const Comparison& comparison, const RateUnit& unit) {
  Series series;
  series.name = comparison.source.empty() ? "measured" : fmt::format("measured, {}", comparison.source);
  series.style = Style::points;
  for (const ComparedPoint& point : comparison.points) {
    series.points.push_back(
        {static_cast<double>(point.footprint_bytes), point.measured / unit.bytes_per_second,
         fmt::format("predicted {} {}, {} %", unit.show(point.predicted), unit.name, signed_percent(point.error()))});
  }
  return series;
}
}  // namespace

Chart bandwidth_chart(const BandwidthReport& report) {
  const RateUnit unit = rate_unit(report.points);
  Chart chart;
  chart.title = report.title;
  chart.subtitle = marked(report.heading, report.subtitle);
  chart.x = footprint_axis();
  chart.y.title = "Bandwidth";
  chart.y.unit = unit.name;
  chart.capacities = report.capacities;
  Series predicted;
  predicted.name = report.label;
  for (const BandwidthPoint& point : report.points) {
    predicted.points.push_back({static_cast<double>(point.footprint_bytes),
                                point.bytes_per_second / unit.bytes_per_second, bottleneck_in_words(point.watched())});
  }
  chart.series.push_back(std::move(predicted));
  if (report.comparison) {
    chart.series.push_back(measured_series(*report.comparison, unit));
    chart.residuals.push_back(residuals_of(in(unit, *report.comparison), "error", 1));
  }
  return chart;
}

Chart loaded_chart(const LoadedReport& report) {
  const RateUnit unit = rate_unit(report.points);
  Chart chart;
  chart.title = report.title;
  chart.subtitle = marked(report.heading, report.subtitle);
  chart.x.title = "Achieved bandwidth";
  chart.x.unit = unit.name;
  chart.y.title = "Latency of a dependent load";
  chart.y.unit = "ns";
  Series line;
  line.name = report.label;
  for (const LoadedPoint& point : report.points) {
    const double injected = point.injected_bytes_per_second;
    line.points.push_back({point.bytes_per_second / unit.bytes_per_second, point.latency_ns,
                           std::isinf(injected) ? "the injected rate is not limited"
                                                : fmt::format("{} {} injected", unit.show(injected), unit.name)});
  }
  chart.series.push_back(std::move(line));
  return chart;
}

}  // namespace strata::report
