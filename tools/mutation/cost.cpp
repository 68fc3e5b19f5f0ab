// SPDX-License-Identifier: Apache-2.0
#include "cost.hpp"

#include <cstdint>
#include <string>

#include "kernels/catalogue.hpp"

namespace strata::mutation {

namespace {

constexpr double line = 128;
constexpr double seconds_warming_a_line = 0.3e-6;
constexpr double seconds_streaming_a_line = 3e-6;
constexpr double open_ended = 64U << 20U;          ///< bytes, for a stream that must reach its steady state
constexpr double seconds_issuing = 0.25e-6;        ///< an instruction of a warp
constexpr std::uint64_t most_counted = 1U << 20U;  ///< instructions of a warp that are looked at
constexpr double seconds_of_a_handoff = 5e-6;
constexpr double steps_of_a_knee = 8;

double chase_seconds(double bytes, const study::LatencyQuestion& question) {
  return bytes / static_cast<double>(question.stride.value) * seconds_warming_a_line +
         static_cast<double>(question.timed_loads) * 0.3e-6;
}

double stream_seconds(const study::BandwidthAt& stream) {
  const double timed = stream.timed.value == 0 ? open_ended : static_cast<double>(stream.timed.value);
  return static_cast<double>(stream.footprint.value) / line * seconds_warming_a_line +
         timed / line * seconds_streaming_a_line;
}

// Lines that the lanes of an access lie in, where they lie in ascending order.
double lines_of(const trace::Instruction& access) {
  double lines = 1;
  for (unsigned lane = 1; lane < access.lanes; ++lane)
    if (access.address(lane) / static_cast<std::uint64_t>(line) !=
        access.address(lane - 1) / static_cast<std::uint64_t>(line))
      ++lines;
  return lines;
}

// The first warp of the first block represents all of them.
double kernel_seconds(const std::string& text) {
  const kernels::Target target{32, 128};
  const auto kernel = kernels::make_kernel(text, target);
  const auto block = kernel->open(0);
  trace::WarpStream& warp = block->warp(0);
  trace::Instruction instruction;
  double sum = 0;
  for (std::uint64_t i = 0; i < most_counted && warp.next(instruction); ++i) {
    sum += seconds_issuing;
    if (instruction.is_access() && instruction.space == trace::Space::global)
      sum += lines_of(instruction) * seconds_streaming_a_line;
  }
  return sum * static_cast<double>(kernel->info().blocks() * kernel->info().warps_per_block());
}

double seconds(const study::Form& form) {
  double sum = 0;
  if (form.latency) sum += chase_seconds(static_cast<double>(form.latency->footprint.value), *form.latency);
  if (form.knee) sum += steps_of_a_knee * chase_seconds(static_cast<double>(form.knee->to.value), *form.knee);
  if (form.bandwidth) sum += stream_seconds(*form.bandwidth);
  if (form.bottleneck) sum += stream_seconds(*form.bottleneck);
  if (form.kernel)
    sum += kernel_seconds(form.kernel->run) + (form.kernel->after.empty() ? 0 : kernel_seconds(form.kernel->after));
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

}  // namespace strata::mutation
