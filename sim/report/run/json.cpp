// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <boost/json/array.hpp>

#include "report/bandwidth/bandwidth.hpp"
#include "report/run/columns.hpp"
#include "report/run/run.hpp"

namespace strata::report {

namespace {
using boost::json::array;
using boost::json::object;

object dram(const KernelReport& kernel) {
  const BandwidthLevel& level = kernel.levels.back();
  return {{"bytes_read", level.bytes_read},
          {"bytes_written", level.bytes_written},
          {"row_hit_rate", json_number(kernel.dram_row_hit_rate)},
          {"bus_utilisation", json_number(kernel.dram_bus_share)}};
}

object latency(const KernelReport& kernel) {
  return {{"mean_ns", json_number(kernel.latency_mean_ns)},
          {"p50_ns", json_number(kernel.latency_p50_ns)},
          {"p99_ns", json_number(kernel.latency_p99_ns)},
          {"breakdown", json_rows(tabulate(stage_share_columns(), kernel.stages))}};
}

// By level, named.
object arithmetic_intensity(const KernelReport& kernel) {
  object levels;
  for (const BandwidthLevel& level : kernel.levels) levels[level.name] = json_number(kernel.flops_per_byte(level));
  return levels;
}

array pipes(const KernelReport& kernel) {
  array written;
  for (const stats::PipeRoof& pipe : kernel.pipes)
    written.push_back({{"pipe", pipe.name},
                       {"busy_fraction", json_number(pipe.busy_fraction)},
                       {"flops_per_second_at_peak", json_number(pipe.flops_per_second)}});
  return written;
}

object sampling_json(const stats::Sampling& sampling) {
  if (!sampling.whole_because.empty()) return {{"whole", true}, {"because", sampling.whole_because}};
  return {{"whole", false},
          {"blocks_run", sampling.blocks_run},
          {"time_run_ns", json_number(sampling.seconds_run * 1e9)},
          {"window_ns", json_number(sampling.window_seconds * 1e9)},
          {"halves_differ", json_number(sampling.halves_differ)},
          {"blocks_differ", json_number(sampling.blocks_differ)},
          {"spread", json_number(sampling.spread)}};
}

object kernel_json(const KernelReport& kernel, double machine_peak) {
  const double own = kernel.compute_roof();
  const double flops_per_second = own > 0 ? own : machine_peak;
  array roofline;
  for (const BandwidthLevel& level : kernel.levels)
    if (kernel.flops > 0)
      roofline.push_back(
          {{"level", level.name},
           {"flops_per_byte", json_number(kernel.flops_per_byte(level))},
           {"flops_per_second_at_peak", json_number(kernel.flops_per_byte(level) * level.peak_bytes_per_second)},
           {"knee_flops_per_byte", json_number(flops_per_second / level.peak_bytes_per_second)}});
  object written{{"name", kernel.name},
                 {"time_ns", json_number(kernel.seconds * 1e9)},
                 {"watched_ns", json_number(kernel.watched_seconds * 1e9)},
                 {"cycles", json_number(kernel.cycles)},
                 {"warp_instructions", kernel.warp_instructions},
                 {"blocks", kernel.blocks},
                 {"transactions", kernel.transactions},
                 {"sectors", kernel.sectors},
                 {"flops", kernel.flops},
                 {"cores_in_use", kernel.cores},
                 {"pipes", pipes(kernel)},
                 {"arithmetic_intensity", arithmetic_intensity(kernel)},
                 {"occupancy", {{"warps", json_number(kernel.occupancy_share)}, {"in_words", kernel.occupancy}}},
                 {"levels", report::to_json(kernel.levels)},
                 {"dram", dram(kernel)},
                 {"latency", latency(kernel)},
                 {"stalls", json_rows(tabulate(stall_columns(), kernel.stalls))},
                 {"bottleneck", bottleneck_in_words(kernel.watched())},
                 {"resources", report::to_json(kernel.resources)},
                 {"roofline", roofline}};
  if (kernel.sampling) written["sampled"] = sampling_json(*kernel.sampling);
  return written;
}

// Of several kernels: counts added up, shares and latencies weighted.
KernelReport together(const RunReport& report) {
  KernelReport all = report.kernels.front();
  for (std::size_t k = 1; k < report.kernels.size(); ++k) {
    const KernelReport& kernel = report.kernels[k];
    const double weight = static_cast<double>(kernel.transactions) /
                          static_cast<double>(std::max<std::uint64_t>(1, all.transactions + kernel.transactions));
    const auto mixed = [&](double a, double b) {
      return std::isnan(a) ? b : std::isnan(b) ? a : a * (1 - weight) + b * weight;
    };
    all.latency_mean_ns = mixed(all.latency_mean_ns, kernel.latency_mean_ns);
    all.latency_p50_ns = mixed(all.latency_p50_ns, kernel.latency_p50_ns);
    all.latency_p99_ns = std::max(all.latency_p99_ns, kernel.latency_p99_ns);
    all.dram_row_hit_rate = mixed(all.dram_row_hit_rate, kernel.dram_row_hit_rate);
    all.sectors += kernel.sectors;
    all.transactions += kernel.transactions;
    for (NamedShare& stage : all.stages) {
      stage.mean_ns *= 1 - weight;
      stage.share *= 1 - weight;
    }
    for (const NamedShare& stage : kernel.stages) {
      const auto known =
          std::find_if(all.stages.begin(), all.stages.end(), [&](const NamedShare& s) { return s.name == stage.name; });
      NamedShare& sum = known == all.stages.end() ? all.stages.emplace_back(NamedShare{stage.name, 0, 0, {}}) : *known;
      sum.mean_ns += weight * stage.mean_ns;
      sum.share += weight * stage.share;
    }
    for (const BandwidthLevel& level : kernel.levels) {
      const auto known = std::find_if(all.levels.begin(), all.levels.end(),
                                      [&](const BandwidthLevel& l) { return l.name == level.name; });
      if (known == all.levels.end()) {
        all.levels.insert(all.levels.begin(), level);
        continue;
      }
      *known += level;
    }
  }
  double watched = 0;
  for (const KernelReport& kernel : report.kernels) watched += kernel.watched_seconds;
  if (!(watched > 0)) return all;
  for (BandwidthLevel& level : all.levels) {
    level.bytes_per_second = 0;
    level.busy_fraction = 0;
    for (const KernelReport& kernel : report.kernels)
      for (const BandwidthLevel& own : kernel.levels)
        if (own.name == level.name) {
          level.bytes_per_second += own.bytes_per_second * kernel.watched_seconds / watched;
          level.busy_fraction += own.busy_fraction * kernel.watched_seconds / watched;
        }
    // Of the mix of reads and stores of all.
    if (level.busy_fraction > 0) level.peak_bytes_per_second = level.bytes_per_second / level.busy_fraction;
  }
  all.dram_bus_share = all.levels.back().busy_fraction;
  return all;
}

}  // namespace

object to_json(const RunReport& report) {
  object written = document(report.heading);
  written["what"] = report.subtitle;
  written["time_ns"] = json_number(report.seconds * 1e9);
  written["cycles"] = json_number(report.cycles);
  array kernels;
  for (const KernelReport& kernel : report.kernels) kernels.push_back(kernel_json(kernel, highest_peak(report)));
  written["kernels"] = kernels;
  array peaks;
  for (const ComputePeak& peak : report.peaks)
    peaks.push_back({{"name", peak.name}, {"flops_per_second", json_number(peak.flops_per_second)}});
  written["peaks"] = peaks;
  const KernelReport all = together(report);
  written["transactions"] = all.transactions;
  written["sectors"] = all.sectors;
  written["levels"] = report::to_json(all.levels);
  written["dram"] = dram(all);
  written["latency"] = latency(all);
  written["host"] =
      object{{"seconds", json_number(report.host_seconds)},
             {"transactions_per_second", json_number(static_cast<double>(report.transactions) / report.host_seconds)},
             {"peak_rss_bytes", report.peak_rss_bytes}};
  add_settings(written, report.settings);
  return written;
}

}  // namespace strata::report
