// SPDX-License-Identifier: Apache-2.0
#include "study/evaluate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "machine/peaks.hpp"
#include "study/evaluate_readings.hpp"

namespace strata::study {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// So that the rounding of a quotient cannot fail a row without tolerance.
constexpr double rounding = 1e-9;

struct Tables {
  const Machines& machines;
  const Readings& readings;
};

Value latency(const Tables& tables, const std::string& gpu, const Form& form, const Unit& unit) {
  const LatencyPoint& point =
      tables.readings.at(reading_of(gpu, form, *form.latency, form.latency->footprint.value));
  // Over one another, either unit gives the same.
  return unit.dimension == Dimension::time ? Value{Dimension::time, point.latency_ns}
                                           : Value{Dimension::cycles, point.latency_cycles};
}

Value knee(const Tables& tables, const std::string& gpu, const Form& form) {
  const KneeSearch search = search_knee(*form.knee, [&](std::uint64_t footprint) {
    return &tables.readings.at(reading_of(gpu, form, *form.knee, footprint)).latency_cycles;
  });
  return {Dimension::size, search.footprint};
}

// A setting or a peak, or why there is none.
struct Figure {
  std::optional<Value> value;
  std::string problem;
};

Figure figure(const Machines& machines, const std::string& gpu, const Form& form) {
  const Configured& machine = machines.at(machine_of(gpu, form));
  if (form.setting) {
    const config::Effective* node = config::find_path(machine.effective, *form.setting);
    if (node == nullptr) return {{}, fmt::format("{} has no setting '{}'", gpu, *form.setting)};
    if (node->shape != config::Shape::scalar || node->absent)
      return {{}, fmt::format("{}: '{}' is no single value", gpu, *form.setting)};
    const std::optional<Value> value = read_value(node->bound);
    if (!value) return {{}, fmt::format("{}: '{}' is '{}', no number", gpu, *form.setting, node->bound)};
    return {value, {}};
  }
  for (const machine::Peak& peak : machine::peaks()) {
    if (peak.name != *form.peak) continue;
    const std::optional<double> value = peak.value(machine.spec);
    if (!value) return {{}, fmt::format("{} has no such part as '{}' is about", gpu, peak.name)};
    const Unit& unit = *find_unit(peak.unit);
    return {Value{unit.dimension, *value * unit.scale}, {}};
  }
  return {{}, fmt::format("unknown peak '{}'", *form.peak)};
}

Value value_of(const Tables& tables, const std::string& gpu, const Form& form, const Unit& unit) {
  if (form.latency) return latency(tables, gpu, form, unit);
  if (form.knee) return knee(tables, gpu, form);
  return figure(tables.machines, gpu, form).value.value_or(Value{unit.dimension, none});
}

// In the measure's unit.
double result(const Tables& tables, const Measure& measure) {
  const Value whole = value_of(tables, measure.gpu, measure, measure.unit);
  if (measure.over) {
    const Value part = value_of(tables, measure.gpu, *measure.over, measure.unit);
    return whole.base / part.base;
  }
  if (measure.minus) {
    const Value part = value_of(tables, measure.gpu, *measure.minus, measure.unit);
    return measure.unit.from_base(whole.base - part.base);
  }
  return measure.unit.from_base(whole.base);
}

double latency_in(const LatencyPoint& point, const Unit& unit) {
  return unit.from_base(unit.dimension == Dimension::time ? point.latency_ns : point.latency_cycles);
}

Row evaluate_curve(const Expectation& expectation, const Tables& tables) {
  const Measure& measure = expectation.measure;
  double sum = 0;
  double worst = 0;
  const CurvePoint* worst_point = nullptr;
  for (const CurvePoint& point : measure.curve->points) {
    const LatencyPoint& reading =
        tables.readings.at(reading_of(measure.gpu, measure, *measure.curve, point.footprint.value));
    const double error = (latency_in(reading, measure.curve_unit) - point.latency) / point.latency;
    sum += std::abs(error);
    if (worst_point == nullptr || std::abs(error) > std::abs(worst)) {
      worst = error;
      worst_point = &point;
    }
  }
  const double mean = sum / static_cast<double>(measure.curve->points.size());
  return {0, 100 * mean, mean, expectation.tolerance, mean <= expectation.tolerance + rounding,
          fmt::format("{} points, worst {:+.1f} % at {}", measure.curve->points.size(), 100 * worst,
                      config::show_number(worst_point->footprint))};
}

bool holds(Relation relation, double left, double right, double tolerance) {
  switch (relation) {
    case Relation::above: return left > right;
    case Relation::below: return left < right;
    case Relation::at_least: return left >= right;
    case Relation::at_most: return left <= right;
    case Relation::equal: return std::abs(left - right) <= (tolerance + rounding) * std::abs(right);
  }
  return false;
}

const char* no_step(const Measure& measure) {
  return measure.knee ? "the latency makes no step there" : "";
}

Row evaluate_ordering(const Expectation& expectation, const Tables& tables) {
  const Measure& right = *expectation.right;
  Row row;
  row.predicted = result(tables, expectation.measure);
  row.measured = result(tables, right);
  row.error = row.measured == 0 ? none : (row.predicted - row.measured) / std::abs(row.measured);
  row.tolerance = expectation.tolerance;
  row.pass = holds(expectation.relation, row.predicted, row.measured, expectation.tolerance);
  const auto side = [](const Measure& m, double value) {
    return std::isnan(value) ? fmt::format("{}: {}", m.gpu, no_step(m))
                             : fmt::format("{} {:.4g} {}", m.gpu, value, m.unit.name);
  };
  row.note = fmt::format("predicted {} {} predicted {}", side(expectation.measure, row.predicted),
                         sign(expectation.relation), side(right, row.measured));
  return row;
}

}  // namespace

void check(std::span<const Expectation> expectations, const Machines& machines) {
  std::vector<Diagnostic> diagnostics;
  const auto look = [&](const Expectation& expectation, const Measure& measure, const Form& form) {
    if (!form.setting && !form.peak) return;
    const Figure found = figure(machines, measure.gpu, form);
    std::string problem = found.problem;
    const bool ratio = measure.unit.dimension == Dimension::ratio;
    if (found.value && !ratio && found.value->dimension != measure.unit.dimension)
      problem = fmt::format("'{}' is {}, which is not counted in {}",
                            form.setting ? *form.setting : *form.peak, phrase(found.value->dimension),
                            measure.unit.name);
    if (!problem.empty())
      diagnostics.push_back(expectation.where.diagnostic(fmt::format("'{}': {}", expectation.id, problem)));
  };
  for (const Expectation& expectation : expectations) {
    for (const Measure* measure : {&expectation.measure, expectation.right ? &*expectation.right : nullptr}) {
      if (measure == nullptr || measure->curve) continue;
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
  if (expectation.measure.curve) return evaluate_curve(expectation, tables);
  Row row;
  row.measured = expectation.expect;
  row.predicted = result(tables, expectation.measure);
  const double distance = row.predicted - row.measured;
  const double size = std::abs(row.measured);
  row.error = size == 0 ? none : distance / size;
  row.tolerance = expectation.tolerance;
  if (expectation.absolute) row.tolerance = size == 0 ? none : *expectation.absolute / size;
  const double allowed = expectation.absolute ? *expectation.absolute : expectation.tolerance * size;
  row.pass = std::abs(distance) <= allowed + rounding * size;
  if (std::isnan(row.predicted)) row.note = no_step(expectation.measure);
  return row;
}

}  // namespace strata::study
