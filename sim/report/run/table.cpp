// SPDX-License-Identifier: Apache-2.0
// The forms of `run` with rows: the tables for people, CSV for programs.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "report/bandwidth/bandwidth.hpp"
#include "report/bandwidth/columns.hpp"
#include "report/run/columns.hpp"
#include "report/run/run.hpp"
#include "report/text/text.hpp"

namespace strata::report {
namespace {

// Smaller shares are named only in the JSON.
constexpr double worth_a_line = 0.02;

std::string shares_in_words(const std::vector<NamedShare>& shares) {
  std::string text;
  double others = 0;
  for (const NamedShare& share : shares) {
    if (share.share < worth_a_line) {
      others += share.share;
      continue;
    }
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {:.0f} %", share.name, 100 * share.share);
  }
  if (text.empty()) return "nothing";
  return others < 0.005 ? text : text + fmt::format(", others {:.0f} %", 100 * others);
}

// The position of the kernel under the roofs of the pipes of its cores and of the levels, and
// the lowest of them (Williams et al., 2009). The knee is in brackets: with fewer operations
// per byte the level is the bound.
std::string roofline_in_words(const KernelReport& kernel, double machine_peak) {
  if (kernel.flops == 0) return "no floating-point operations";
  const double rate = static_cast<double>(kernel.flops) / kernel.seconds;
  const bool small = rate < 1e11;  // two decimals of TFLOP/s would be 0.0x
  const double per_unit = small ? 1e-9 : 1e-12;
  const char* const unit = small ? "GFLOP/s" : "TFLOP/s";
  std::string text = fmt::format("{:.2f} {}", rate * per_unit, unit);
  std::string lowest = "arithmetic";
  double roof = kernel.compute_roof();
  if (roof > 0) {
    lowest = kernel.pipes.front().in_words();
    for (const stats::PipeRoof& pipe : kernel.pipes) {
      if (pipe.busy_fraction < worth_a_line * kernel.pipes.front().busy_fraction) continue;
      text += fmt::format(", {} {:.1f}", pipe.in_words(), pipe.flops_per_second * per_unit);
    }
    text += fmt::format(" on {} core{}", kernel.cores, kernel.cores == 1 ? "" : "s");
  } else if (machine_peak > 0) {
    text += fmt::format(" of {:.1f}", machine_peak * per_unit);
    roof = machine_peak;
  }
  const double pipes = roof;
  if (!(roof > 0)) roof = std::numeric_limits<double>::infinity();
  for (const BandwidthLevel& level : kernel.levels) {
    if (level.bytes_read + level.bytes_written == 0) continue;
    const double each = kernel.flops_per_byte(level);
    text += fmt::format(", {} {:.2f} FLOP/B", level.name, each);
    if (pipes > 0 && level.peak_bytes_per_second > 0)
      text += fmt::format(" (knee {:.2f})", pipes / level.peak_bytes_per_second);
    if (each * level.peak_bytes_per_second < roof) {
      roof = each * level.peak_bytes_per_second;
      lowest = level.name;
    }
  }
  return std::isfinite(roof) ? text + fmt::format("; lowest roof: {}, {:.2f} {}", lowest, roof * per_unit, unit) : text;
}

std::string describe(const KernelReport& kernel, double flops_per_second) {
  std::string out = fmt::format("{}: {} ({:.0f} cycles), {} blocks, {} warp instructions, {} line requests\n",
                                clean(kernel.name), time_label(kernel.seconds), kernel.cycles, kernel.blocks,
                                kernel.warp_instructions, kernel.transactions);
  if (kernel.sampling)
    out += fmt::format("  {} {}\n", kernel.sampled_in_part() ? "estimate     " : "run whole    ",
                       sampling_in_words(kernel));
  out += fmt::format("  occupancy     {}; {:.0f} % of warps present over the run\n", clean(kernel.occupancy),
                     100 * kernel.occupancy_share);
  out += fmt::format("  bottleneck    {}\n", clean(bottleneck_in_words(kernel.watched())));
  out += fmt::format("  warps wait    for {}\n", clean(shares_in_words(kernel.stalls)));
  if (!std::isnan(kernel.latency_mean_ns))
    out += fmt::format("  accesses      mean {:.0f} ns, half within {:.0f} ns, 99 % within {:.0f} ns\n",
                       kernel.latency_mean_ns, kernel.latency_p50_ns, kernel.latency_p99_ns);
  out += fmt::format("  spent in      {}\n", clean(shares_in_words(kernel.stages)));
  out += fmt::format("  roofline      {}\n", clean(roofline_in_words(kernel, flops_per_second)));
  return out + table(tabulate(level_columns(rate_unit(1e12)), kernel.levels));
}

}  // namespace

std::string sampling_in_words(const KernelReport& kernel) {
  const stats::Sampling& sampling = *kernel.sampling;
  if (!kernel.sampled_in_part()) return sampling.whole_because;
  return fmt::format(
      "{} of {} blocks were run, in {}; the others are estimated from a window of {} whose halves differ by "
      "{:.1f} %: {} to either side, if the blocks that were not run access memory as those did",
      sampling.blocks_run, kernel.blocks, time_label(sampling.seconds_run), time_label(sampling.window_seconds),
      100 * sampling.halves_differ, fmt::format("{:.1f} %", 100 * sampling.spread));
}

std::string time_label(double seconds) {
  if (seconds >= 1e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.3f} us", seconds * 1e6);
}

std::string rate_label(double bytes_per_second) {
  const RateUnit unit = rate_unit(bytes_per_second);
  return fmt::format("{} {}", unit.show(bytes_per_second), unit.name);
}

std::string table(const RunReport& report) {
  std::string out = incomplete_line(report.heading);
  for (const KernelReport& kernel : report.kernels)
    out += (&kernel == &report.kernels.front() ? "" : "\n") + describe(kernel, highest_peak(report));
  if (report.kernels.size() > 1)
    out += fmt::format("\nall {} kernels: {} ({:.0f} cycles)\n", report.kernels.size(), time_label(report.seconds),
                       report.cycles);
  return out;
}

std::string csv(const RunReport& report) {
  return incomplete_comment(report.heading) + csv(tabulate(kernel_columns(report), report.kernels));
}

}  // namespace strata::report
