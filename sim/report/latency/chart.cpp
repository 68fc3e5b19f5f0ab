// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/svg/curve.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
AxisSpec latency_axis(LatencyUnit unit) {
  AxisSpec axis;
  axis.title = "Load-to-use latency";
  axis.unit = unit == LatencyUnit::ns ? "ns" : "cycles";
  axis.scale = Scale::log10;
  return axis;
}

Series predicted_series(const CurveReport& report, LatencyUnit unit, std::string name) {
  Series series;
  series.name = std::move(name);
  for (const LatencyPoint& point : report.points) {
    series.points.push_back({static_cast<double>(point.footprint_bytes),
                             unit == LatencyUnit::ns ? point.latency_ns : point.latency_cycles, served_by(point)});
  }
  return series;
}

Series measured_series(const Comparison& comparison, std::string name) {
  Series series;
  series.name = std::move(name);
  series.style = Style::points;
  for (const ComparedPoint& point : comparison.points) {
    series.points.push_back({static_cast<double>(point.footprint_bytes), point.measured,
                             fmt::format("predicted {} {}, {} %", readable(point.predicted), comparison.unit,
                                         signed_percent(point.error()))});
  }
  return series;
}

LatencyUnit unit_of(const Comparison& comparison) {
  return comparison.unit == "ns" ? LatencyUnit::ns : LatencyUnit::cycles;
}
}  // namespace

Series residuals_of(const Comparison& comparison, std::string name, std::size_t colour) {
  Series series;
  series.name = std::move(name);
  series.style = Style::points;
  series.colour = colour;
  for (const ComparedPoint& point : comparison.points) {
    series.points.push_back({static_cast<double>(point.footprint_bytes), point.error() * 100,
                             fmt::format("predicted {} {}, measured {} {}", readable(point.predicted), comparison.unit,
                                         readable(point.measured), comparison.unit)});
  }
  return series;
}

AxisSpec footprint_axis() {
  AxisSpec axis;
  axis.title = "Footprint";
  axis.scale = Scale::log2;
  axis.labels = TickLabels::size;
  return axis;
}

Chart latency_chart(const CurveReport& report) {
  const LatencyUnit unit = report.comparison ? unit_of(*report.comparison) : LatencyUnit::cycles;
  Chart chart;
  chart.title = report.title;
  chart.subtitle = marked(report.heading, report.subtitle);
  chart.x = footprint_axis();
  chart.y = latency_axis(unit);
  chart.capacities = report.capacities;
  chart.plateaus = report.plateaus;
  chart.series.push_back(predicted_series(report, unit, report.label));
  if (report.comparison) {
    const std::string& source = report.comparison->source;
    chart.series.push_back(
        measured_series(*report.comparison, source.empty() ? "measured" : fmt::format("measured, {}", source)));
    chart.residuals.push_back(residuals_of(*report.comparison, "error", 1));
  }
  return chart;
}

Chart latency_chart(std::span<const CurveReport> reports, LatencyUnit unit) {
  Chart chart;
  chart.title = "Load-to-use latency over footprint";
  chart.x = footprint_axis();
  chart.y = latency_axis(unit);
  std::size_t colour = 0;
  for (const CurveReport& report : reports) {
    if (chart.subtitle.empty()) chart.subtitle = report.subtitle;
    chart.series.push_back(predicted_series(report, unit, report.heading.gpu));
    chart.series.back().colour = colour;
    if (report.comparison && unit_of(*report.comparison) == unit) {
      chart.series.push_back(measured_series(*report.comparison, fmt::format("{}, measured", report.heading.gpu)));
      chart.series.back().colour = colour;
      chart.residuals.push_back(residuals_of(*report.comparison, fmt::format("{}, error", report.heading.gpu), colour));
    }
    ++colour;
  }
  return chart;
}

}  // namespace strata::report
