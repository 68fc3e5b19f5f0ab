// SPDX-License-Identifier: Apache-2.0
// The curves of a validation, gathered from rows and readings.
#include <algorithm>

#include "study/expectation/evaluate.hpp"
#include "study/expectation/evaluate_readings.hpp"

namespace strata::study {

namespace {

// A reading without its footprint: the question it answers.
LatencyReading question_of(LatencyReading reading) {
  reading.footprint_bytes = 0;
  return reading;
}

void add_source(std::string& sources, const std::string& source) {
  if (sources.find(source) == std::string::npos) sources += (sources.empty() ? "" : "; ") + source;
}

}  // namespace

std::vector<ComparedCurve> compared_curves(std::span<const Expectation> expectations, const Readings& readings) {
  std::vector<ComparedCurve> curves;
  std::map<std::pair<std::string_view, LatencyReading>, std::size_t> index;  // unit and question
  for (const Expectation& expectation : expectations) {
    const Measure& measure = expectation.measure;
    if (!measure.curve) continue;
    const LatencyReading question = question_of(reading_of(measure, *measure.curve, 0));
    const auto [at, fresh] = index.emplace(std::pair(measure.curve_unit.name, question), curves.size());
    if (fresh) curves.push_back({question.machine, question.question, {}, measure.curve_unit, {}, {}});
    ComparedCurve& curve = curves[at->second];
    add_source(curve.source, expectation.source);
    for (const CurvePoint& point : measure.curve->points) {
      const LatencyPoint& reading = readings.latency.at(reading_of(measure, *measure.curve, point.footprint.value));
      const double predicted =
          measure.curve_unit.dimension == Dimension::time ? reading.latency_ns : reading.latency_cycles;
      curve.measured.push_back({point.footprint.value, point.latency, curve.unit.from_base(predicted)});
    }
  }
  for (ComparedCurve& curve : curves) {
    const auto place = [](const MeasuredPoint& p) { return std::pair(p.footprint_bytes, p.measured); };
    std::sort(curve.measured.begin(), curve.measured.end(),
              [&](const auto& a, const auto& b) { return place(a) < place(b); });
    // Rows that look at a part of a curve repeat its points.
    const auto repeated = [&](const auto& a, const auto& b) { return place(a) == place(b); };
    curve.measured.erase(std::unique(curve.measured.begin(), curve.measured.end(), repeated), curve.measured.end());
    const LatencyReading from{curve.machine, curve.question, 0, {}};
    for (auto at = readings.latency.lower_bound(from); at != readings.latency.end(); ++at) {
      const LatencyReading question = question_of(at->first);
      if (from < question || question < from) break;
      curve.line.push_back(at->second);
    }
  }
  return curves;
}

}  // namespace strata::study
