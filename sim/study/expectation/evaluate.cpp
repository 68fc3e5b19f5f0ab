// SPDX-License-Identifier: Apache-2.0
#include "study/expectation/evaluate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "config/schema/scalar.hpp"
#include "study/expectation/evaluate_readings.hpp"
#include "study/expectation/evaluate_values.hpp"

namespace strata::study {

namespace {

// So that the rounding of a quotient cannot fail a row without tolerance.
constexpr double rounding = 1e-9;

std::vector<RowPoint> compared_points(const Measure& measure, const Tables& tables) {
  std::vector<RowPoint> all;
  if (measure.curve) {
    for (const CurvePoint& point : measure.curve->points) {
      const LatencyPoint& reading =
          tables.readings.latency.at(reading_of(measure, *measure.curve, point.footprint.value));
      all.push_back({point.latency, in_unit(reading, measure.curve_unit), config::show_number(point.footprint)});
    }
    return all;
  }
  for (const BandwidthCurvePoint& point : measure.bandwidth_curve->points) {
    const BandwidthReading reading = reading_of(measure, point);
    const std::uint64_t width = tables.machines.at(reading.machine).spec.core.warp_width;
    all.push_back(
        {point.expect, in_unit(tables.readings.bandwidth.at(reading), point, width, measure.curve_unit), point.label});
  }
  return all;
}

Row evaluate_curve(const Expectation& expectation, const Tables& tables) {
  double sum = 0;
  double worst = 0;
  std::string worst_label;
  std::vector<RowPoint> points = compared_points(expectation.measure, tables);
  for (const RowPoint& point : points) {
    const double error = (point.predicted - point.measured) / point.measured;
    sum += std::abs(error);
    if (worst_label.empty() || std::abs(error) > std::abs(worst)) {
      worst = error;
      worst_label = point.label;
    }
  }
  const double mean = sum / static_cast<double>(points.size());
  return {0,
          100 * mean,
          mean,
          expectation.tolerance,
          mean <= expectation.tolerance + rounding,
          fmt::format("{} points, worst {:+.1f} % at {}", points.size(), 100 * worst, worst_label),
          std::move(points)};
}

bool holds(Relation relation, double left, double right, double tolerance) {
  switch (relation) {
    case Relation::above:
      return left > right;
    case Relation::below:
      return left < right;
    case Relation::at_least:
      return left >= right;
    case Relation::at_most:
      return left <= right;
    case Relation::equal:
      return std::abs(left - right) <= (tolerance + rounding) * std::abs(right);
  }
  return false;
}

const char* why_missing(const Measure& measure) {
  if (measure.knee) return "the latency has no knee there";
  const bool of_slowest = measure.bandwidth && measure.bandwidth->of == Whose::slowest;
  return of_slowest ? "the rate gets not steady, or cores have a single access in the window" : "";
}

std::string busiest_in_words(const Tables& tables, const Measure& measure) {
  const ResourceUse* use = busiest(tables, measure);
  if (use == nullptr) return "nothing was busy";
  return fmt::format("busiest: {}, {:.1f} % of the time", use->family, 100 * use->busy_fraction);
}

Row evaluate_ordering(const Expectation& expectation, const Tables& tables) {
  const Measure& right = *expectation.right;
  Row row;
  row.predicted = result(tables, expectation.measure);
  row.measured = result(tables, right);
  row.error = row.measured == 0 ? no_value : (row.predicted - row.measured) / std::abs(row.measured);
  row.tolerance = expectation.tolerance;
  row.pass = holds(expectation.relation, row.predicted, row.measured, expectation.tolerance);
  const auto side = [](const Measure& m, double value) {
    return std::isnan(value) ? fmt::format("{}: {}", m.gpu, why_missing(m))
                             : fmt::format("{} {:.4g} {}", m.gpu, value, m.unit.name);
  };
  row.note = fmt::format("predicted {} {} predicted {}", side(expectation.measure, row.predicted),
                         sign(expectation.relation), side(right, row.measured));
  return row;
}

// How much of a sampled kernel was run.
std::string part_in_words(const KernelRun& run) {
  if (!run.sampling || !run.sampling->whole_because.empty()) return {};
  return fmt::format("{} of {} blocks run, {:.1f} % to either side", run.sampling->blocks_run, run.blocks,
                     100 * run.sampling->spread);
}

}  // namespace

void check(std::span<const Expectation> expectations, const Machines& machines) {
  std::vector<Diagnostic> diagnostics;
  const auto look = [&](const Expectation& expectation, const Measure& measure, const Form& form) {
    if (!form.setting && !form.peak) return;
    const Figure found = figure_of(machines, form);
    std::string problem = found.problem;
    const bool ratio = measure.unit.dimension == Dimension::ratio;
    if (found.value && measure.bandwidth && ratio && found.value->dimension != Dimension::bandwidth)
      problem = fmt::format("'{}' is {}, and a bandwidth is divided by another",
                            form.setting ? *form.setting : *form.peak, phrase(found.value->dimension));
    if (found.value && !ratio && found.value->dimension != measure.unit.dimension)
      problem = fmt::format("'{}' is {}, which is not counted in {}", form.setting ? *form.setting : *form.peak,
                            phrase(found.value->dimension), measure.unit.name);
    if (!problem.empty())
      diagnostics.push_back(expectation.where.diagnostic(fmt::format("'{}': {}", expectation.id, problem)));
  };
  for (const Expectation& expectation : expectations) {
    for (const Measure* measure : {&expectation.measure, expectation.right ? &*expectation.right : nullptr}) {
      if (measure == nullptr || measure->is_curve()) continue;
      look(expectation, *measure, *measure);
      if (measure->minus) look(expectation, *measure, *measure->minus);
      if (measure->over) look(expectation, *measure, *measure->over);
    }
  }
  throw_if_any(std::move(diagnostics));
}

Row evaluate(const Expectation& expectation, const Machines& machines, const Readings& readings) {
  const Tables tables{machines, readings};
  if (expectation.kind == Kind::ordering) return evaluate_ordering(expectation, tables);
  if (expectation.measure.is_curve()) return evaluate_curve(expectation, tables);
  Row row;
  row.measured = expectation.expect;
  row.predicted = result(tables, expectation.measure);
  const double distance = row.predicted - row.measured;
  const double size = std::abs(row.measured);
  row.error = size == 0 ? no_value : distance / size;
  row.tolerance = expectation.tolerance;
  row.absolute = expectation.absolute.has_value();
  if (expectation.absolute) row.tolerance = size == 0 ? no_value : *expectation.absolute / size;
  const double allowed = expectation.absolute ? *expectation.absolute : expectation.tolerance * size;
  row.pass = std::abs(distance) <= allowed + rounding * size;
  if (std::isnan(row.predicted)) row.note = why_missing(expectation.measure);
  if (expectation.measure.kernel && expectation.measure.kernel->sampled)
    row.note = part_in_words(readings.kernels.at(reading_of(expectation.measure, *expectation.measure.kernel)));
  if (expectation.measure.bottleneck) row.note = busiest_in_words(tables, expectation.measure);
  return row;
}

}  // namespace strata::study
