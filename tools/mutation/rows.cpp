// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

namespace strata::mutation {

namespace {

constexpr double line = 128;
constexpr double seconds_warming_a_line = 0.3e-6;
constexpr double seconds_streaming_a_line = 3e-6;
constexpr double open_ended = 64U << 20U;  ///< bytes, where a stream has to find its steady state
constexpr double seconds_of_a_kernel = 3;
constexpr double seconds_of_a_handoff = 5e-6;
constexpr double steps_of_a_knee = 8;

double chase_seconds(double bytes, const study::LatencyQuestion& question) {
  return bytes / static_cast<double>(question.stride.value) * seconds_warming_a_line +
         static_cast<double>(question.timed_loads) * 0.3e-6;
}

double stream_seconds(const study::BandwidthAt& stream) {
  const double timed = stream.timed.value == 0 ? open_ended : static_cast<double>(stream.timed.value);
  return static_cast<double>(stream.footprint.value) / line * seconds_warming_a_line + timed / line * seconds_streaming_a_line;
}

double seconds(const study::Form& form) {
  double sum = 0;
  if (form.latency) sum += chase_seconds(static_cast<double>(form.latency->footprint.value), *form.latency);
  if (form.knee) sum += steps_of_a_knee * chase_seconds(static_cast<double>(form.knee->to.value), *form.knee);
  if (form.bandwidth) sum += stream_seconds(*form.bandwidth);
  if (form.bottleneck) sum += stream_seconds(*form.bottleneck);
  if (form.kernel) sum += seconds_of_a_kernel;
  if (form.handoff) sum += static_cast<double>(form.handoff->pairs * form.handoff->handoffs) * seconds_of_a_handoff;
  return sum;
}

double seconds(const study::Measure& measure) {
  double sum = seconds(static_cast<const study::Form&>(measure));
  if (measure.minus) sum += seconds(*measure.minus);
  if (measure.over) sum += seconds(*measure.over);
  if (measure.curve)
    for (const study::CurvePoint& point : measure.curve->points)
      sum += chase_seconds(static_cast<double>(point.footprint.value), *measure.curve);
  if (measure.bandwidth_curve)
    for (const study::BandwidthCurvePoint& point : measure.bandwidth_curve->points) sum += stream_seconds(point);
  return sum;
}

}  // namespace

double estimated_seconds(const study::Expectation& row) {
  return seconds(row.measure) + (row.right ? seconds(*row.right) : 0);
}

Rows::Rows(const Configurations& configurations, std::string gpu, const std::vector<study::Expectation>& all,
           double budget, const std::vector<std::string>& only)
    : configurations_(configurations), gpu_(std::move(gpu)) {
  std::vector<study::Expectation> wanted;
  for (const study::Expectation& row : all) {
    if (!row.is_about(gpu_)) continue;
    const bool named = std::any_of(only.begin(), only.end(), [&](const std::string& id) { return row.id.starts_with(id); });
    if (!only.empty() && !named) continue;
    if (estimated_seconds(row) > budget) left_out_.push_back(row.id);
    else wanted.push_back(row);
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const auto& a, const auto& b) { return estimated_seconds(a) < estimated_seconds(b); });
  study::Machines machines;
  study::Readings readings;
  for (study::Expectation& row : wanted) {
    if (holds(row, "", machines, readings)) rows_.push_back(std::move(row));
    else left_out_.push_back(row.id);
  }
  std::erase_if(readings.latency, [&](const auto& one) { return one.first.machine.gpu == gpu_; });
  std::erase_if(readings.bandwidth, [&](const auto& one) { return one.first.machine.gpu == gpu_; });
  std::erase_if(readings.kernels, [&](const auto& one) { return one.first.machine.gpu == gpu_; });
  std::erase_if(readings.handoffs, [&](const auto& one) { return one.first.machine.gpu == gpu_; });
  others_ = std::move(readings);
}

bool Rows::holds(const study::Expectation& row, const std::string& setting, study::Machines& machines,
                 study::Readings& readings) const {
  const std::span one(&row, 1);
  for (const auto& [key, where] : study::machines_of(one)) {
    if (machines.contains(key)) continue;
    std::vector<std::string> settings;
    if (key.gpu == gpu_ && !setting.empty()) settings.push_back(setting);
    settings.insert(settings.end(), key.set.begin(), key.set.end());
    machines.emplace(key, configurations_.with(key.gpu, settings));
  }
  for (auto wanted = study::needed(one, readings); !wanted.empty(); wanted = study::needed(one, readings))
    for (const study::Reading& reading : wanted) {
      const study::MachineKey& key = std::visit([](const auto& of) -> const study::MachineKey& { return of.machine; }, reading);
      readings.add(reading, measure(machines.at(key).spec, reading));
    }
  return study::evaluate(row, machines, readings).pass;
}

std::optional<std::string> Rows::first_failure(const std::string& setting) const {
  study::Machines machines;
  study::Readings readings = others_;
  for (const study::Expectation& row : rows_) {
    try {
      if (!holds(row, setting, machines, readings)) return row.id;
    } catch (const std::exception&) {
      // A setting that the row itself sets may not fit the moved one.
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace strata::mutation
