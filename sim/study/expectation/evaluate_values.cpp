// SPDX-License-Identifier: Apache-2.0
#include "study/expectation/evaluate_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "machine/peaks.hpp"
#include "study/expectation/evaluate_readings.hpp"

namespace strata::study {

namespace {

const LatencyPoint& latency(const Tables& tables, const Form& form) {
  return tables.readings.latency.at(reading_of(form, *form.latency, form.latency->footprint.value));
}

double knee(const Tables& tables, const Form& form) {
  return search_knee(*form.knee,
                     [&](std::uint64_t footprint) {
                       return &tables.readings.latency.at(reading_of(form, *form.knee, footprint)).latency_cycles;
                     })
      .footprint;
}

double bandwidth(const Tables& tables, const Form& form, const Unit& unit) {
  const BandwidthReading reading = reading_of(form, *form.bandwidth);
  return in_unit(tables.readings.bandwidth.at(reading), *form.bandwidth,
                 tables.machines.at(reading.machine).spec.core.warp_width, unit);
}

double bottleneck(const Tables& tables, const Form& form) {
  const ResourceUse* use = busiest(tables, form);
  const bool named = use != nullptr && use->busy_fraction >= form.bottleneck->busy.value &&
                     use->family.find(form.bottleneck->contains) != std::string::npos;
  return named ? 1 : 0;
}

/// Levels are listed from core to memory, after shared memory where that was used.
const stats::LevelUse& cache_level(const KernelRun& run, std::size_t number) {
  return run.levels.at(number - (run.levels.front().shared_memory ? 0 : 1));
}

double figure(const KernelRun& run, KernelFigure asked, const Unit& unit) {
  const stats::LevelUse& l1 = cache_level(run, 1);
  const stats::LevelUse& dram = run.levels.back();
  switch (asked) {
    case KernelFigure::time:
      return unit.dimension == Dimension::cycles ? run.cycles : run.seconds * 1e9;
    case KernelFigure::warp_instructions:
      return static_cast<double>(run.warp_instructions);
    case KernelFigure::l1_sectors:
      return static_cast<double>(l1.sectors);
    case KernelFigure::l2_sectors:
      return static_cast<double>(l1.sectors_below - l1.sectors_coalesced + (l1.sectors - l1.sectors_read));
    case KernelFigure::l1_hits:
      return l1.hit_rate();
    case KernelFigure::l2_hits:
      return cache_level(run, 2).hit_rate();
    case KernelFigure::dram_read:
      return static_cast<double>(dram.bytes_read);
    case KernelFigure::dram_written:
      return static_cast<double>(dram.bytes_written);
  }
  return no_value;
}

double handoff(const std::vector<HandoffPoint>& points, const HandoffAt& asked, const Unit& unit) {
  double sum = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  std::size_t counted = 0;
  for (const HandoffPoint& point : points) {
    if (!asked.relation.empty() && point.relation != asked.relation) continue;
    const double value = unit.dimension == Dimension::time ? point.ns : point.cycles;
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
    ++counted;
  }
  if (counted == 0) return no_value;
  switch (asked.figure) {
    case HandoffFigure::mean:
      return sum / static_cast<double>(counted);
    case HandoffFigure::least:
      return least;
    case HandoffFigure::most:
      return most;
  }
  return no_value;
}

// In base units of the unit's dimension. A quotient uses a unit that both values have: clocks
// for times of one machine.
double value_of(const Tables& tables, const Form& form, const Unit& unit) {
  if (form.latency) return in_unit(latency(tables, form), unit) * unit.scale;
  if (form.knee) return knee(tables, form);
  if (form.bandwidth) return bandwidth(tables, form, unit) * unit.scale;
  if (form.bottleneck) return bottleneck(tables, form);
  if (form.kernel) return figure(tables.readings.kernels.at(reading_of(form, *form.kernel)), form.kernel->figure, unit);
  if (form.handoff) return handoff(tables.readings.handoffs.at(reading_of(form, *form.handoff)), *form.handoff, unit);
  const std::optional<Value> value = figure_of(tables.machines, form).value;
  return value ? value->base : no_value;
}

}  // namespace

double in_unit(const LatencyPoint& point, const Unit& unit) {
  return unit.from_base(unit.dimension == Dimension::time ? point.latency_ns : point.latency_cycles);
}

double in_unit(const BandwidthPoint& point, const BandwidthAt& stream, std::uint64_t warp_width, const Unit& unit) {
  const auto cores = static_cast<double>(point.cores);
  if (stream.of == Whose::slowest) return point.slowest_core.value_or(no_value);
  if (unit.dimension == Dimension::bandwidth)
    return unit.from_base(point.bytes_per_second / (stream.of == Whose::core ? cores : 1));
  const double bytes_per_clock = point.bytes_per_clock_per_core * (stream.of == Whose::total ? cores : 1);
  if (unit.dimension == Dimension::width) return unit.from_base(bytes_per_clock);
  const std::uint64_t lanes = stream.lanes == 0 ? warp_width : stream.lanes;
  return unit.from_base(static_cast<double>(lanes * stream.bytes_per_lane) / bytes_per_clock);
}

Figure figure_of(const Machines& machines, const Form& form) {
  const Configured& machine = machines.at(machine_of(form));
  if (form.setting) {
    const config::Effective* node = config::find_path(machine.effective, *form.setting);
    if (node == nullptr) return {{}, fmt::format("{} has no setting '{}'", form.gpu, *form.setting)};
    if (node->shape != config::Shape::scalar || node->absent)
      return {{}, fmt::format("{}: '{}' is no single value", form.gpu, *form.setting)};
    const std::optional<Value> value = read_value(node->bound);
    if (!value) return {{}, fmt::format("{}: '{}' is '{}', no number", form.gpu, *form.setting, node->bound)};
    return {value, {}};
  }
  for (const machine::Peak& peak : machine::peaks()) {
    if (peak.name != *form.peak) continue;
    const std::optional<double> value = peak.value(machine.spec);
    if (!value) return {{}, fmt::format("{} has no such part as '{}' is about", form.gpu, peak.name)};
    const Unit& unit = *find_unit(peak.unit);
    return {Value{unit.dimension, *value * unit.scale}, {}};
  }
  return {{}, fmt::format("unknown peak '{}'", *form.peak)};
}

const ResourceUse* busiest(const Tables& tables, const Form& form) {
  const BandwidthPoint& point = tables.readings.bandwidth.at(reading_of(form, *form.bottleneck));
  return point.resources.empty() ? nullptr : &point.resources.front();
}

double result(const Tables& tables, const Measure& measure) {
  if (measure.over) {
    // Latencies of one machine have the ratio of their cycles; between machines, and for rates,
    // seconds are the common unit.
    const bool rates = measure.bandwidth || measure.over->bandwidth;
    const bool times = measure.gpu != measure.over->gpu || measure.kernel;
    const Unit& unit = *find_unit(rates ? "B/s" : times ? "ns" : "clk");
    return value_of(tables, measure, unit) / value_of(tables, *measure.over, unit);
  }
  const double whole = value_of(tables, measure, measure.unit);
  if (!measure.minus) return measure.unit.from_base(whole);
  return measure.unit.from_base(whole - value_of(tables, *measure.minus, measure.unit));
}

}  // namespace strata::study
