// SPDX-License-Identifier: Apache-2.0
// The drawings of `run`: the roofline of all kernels, and for each a sheet of bars.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "report/run/run.hpp"
#include "report/svg/bars.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr std::size_t most_bars = 8;
constexpr double per_tera = 1e-12;

double flops_per_second(const KernelReport& kernel) { return static_cast<double>(kernel.flops) / kernel.seconds; }
bool moved(const BandwidthLevel& level) { return level.bytes_read + level.bytes_written > 0; }

std::vector<Bar> bars_of(const std::vector<NamedShare>& shares, bool times) {
  std::vector<Bar> bars;
  for (const NamedShare& share : shares) {
    if (bars.size() == most_bars) break;
    bars.push_back({share.name, share.share, fmt::format("{} %", percent(share.share)),
                    times ? fmt::format("{} ns of a request, mean", readable(share.mean_ns)) : share.meaning});
  }
  return bars;
}
}  // namespace

std::vector<const KernelReport*> shown_kernels(const RunReport& report) {
  std::vector<const KernelReport*> kernels;
  for (const KernelReport& kernel : report.kernels) kernels.push_back(&kernel);
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto* a, const auto* b) { return a->seconds > b->seconds; });
  if (kernels.size() > most_drawn_kernels) kernels.resize(most_drawn_kernels);
  // Back in the order of the run.
  std::sort(kernels.begin(), kernels.end());
  return kernels;
}

// Every level is a line that rises with the arithmetic intensity and ends at the peak of the
// cores. A kernel has a point for each level, below the line of that level.
std::optional<Chart> roofline_chart(const RunReport& report) {
  std::vector<const KernelReport*> kernels = shown_kernels(report);
  std::erase_if(kernels, [](const KernelReport* kernel) { return kernel->flops == 0; });
  if (kernels.empty()) return std::nullopt;
  Chart chart;
  chart.title = report.title + ": roofline";
  chart.subtitle = marked(
      report.heading, "rate against the operations per byte that a level moves; the lines are the peaks of the levels");
  chart.x = {"Arithmetic intensity", "FLOP/B", Scale::log10, TickLabels::number, {}, {}};
  chart.y = {"Rate", "TFLOP/s", Scale::log10, TickLabels::number, {}, {}};
  double from = 0.01;
  double to = 100;
  for (const KernelReport* kernel : kernels)
    for (const BandwidthLevel& level : kernel->levels) {
      if (!moved(level)) continue;
      from = std::min(from, kernel->flops_per_byte(level) / 2);
      to = std::max(to, kernel->flops_per_byte(level) * 2);
    }
  const double roof = highest_peak(report);
  std::size_t colour = 0;
  for (const BandwidthLevel& level : kernels.front()->levels) {
    if (!(level.peak_bytes_per_second > 0)) continue;
    Series line;
    line.name = fmt::format("{} {}", level.name, rate_label(level.peak_bytes_per_second));
    line.colour = colour++;
    const double ridge = roof > 0 ? roof / level.peak_bytes_per_second : to;
    const auto point = [&](double x) {
      const double bound = level.peak_bytes_per_second * x;
      line.points.push_back({x, (roof > 0 ? std::min(bound, roof) : bound) * per_tera, {}});
    };
    point(from);
    if (ridge > from && ridge < to) point(ridge);
    point(to);
    chart.series.push_back(std::move(line));
  }
  // A lower ceiling, of double precision, is a line of its own.
  for (const ComputePeak& peak : report.peaks) {
    Series line;
    line.name = fmt::format("{} {} TFLOP/s", peak.name, readable(peak.flops_per_second * per_tera));
    line.colour = colour++;
    for (const double x : {from, to}) line.points.push_back({x, peak.flops_per_second * per_tera, {}});
    chart.series.push_back(std::move(line));
  }
  // The rate of the pipe that binds a kernel, on the cores that it uses.
  for (const KernelReport* kernel : kernels) {
    if (!(kernel->compute_roof() > 0)) continue;
    for (const stats::PipeRoof& pipe : kernel->pipes) {
      const double rate = pipe.flops_per_second * per_tera;
      if (pipe.busy_fraction < kernel->pipes.front().busy_fraction / 10) continue;
      Series line;
      line.name =
          fmt::format("{}: {} of {} cores, {} TFLOP/s", kernel->name, pipe.in_words(), kernel->cores, readable(rate));
      line.colour = colour++;
      for (const double x : {from, to}) line.points.push_back({x, rate, {}});
      chart.series.push_back(std::move(line));
    }
  }
  for (const KernelReport* kernel : kernels) {
    Series points;
    points.name = kernel->name;
    points.style = Style::points;
    points.colour = colour++;
    for (const BandwidthLevel& level : kernel->levels)
      if (moved(level) && level.peak_bytes_per_second > 0)
        points.points.push_back({kernel->flops_per_byte(level), flops_per_second(*kernel) * per_tera,
                                 fmt::format("by bytes of {}", level.name)});
    chart.series.push_back(std::move(points));
  }
  return chart;
}

BarSheet where_the_time_went(const KernelReport& kernel) {
  BarSheet sheet;
  sheet.title =
      fmt::format("{}: {}{}", kernel.name, time_label(kernel.seconds), kernel.sampled_in_part() ? ", estimated" : "");
  sheet.subtitle = fmt::format("{} blocks, {}", kernel.blocks, kernel.occupancy);
  BarPanel levels{"Levels, share of their peak", 0, {}};
  for (const BandwidthLevel& level : kernel.levels)
    if (moved(level) && level.peak_bytes_per_second > 0)
      levels.bars.push_back(
          {level.name, level.share_of_peak(), fmt::format("{} %", percent(level.share_of_peak())),
           fmt::format("{} of {}", rate_label(level.bytes_per_second), rate_label(level.peak_bytes_per_second))});
  BarPanel resources{"Busiest resources, share of the time", 1, {}};
  for (const BandwidthResource& resource : kernel.resources) {
    if (resources.bars.size() == most_bars) break;
    resources.bars.push_back({resource_in_words(resource), resource.busy_fraction,
                              fmt::format("{} %", percent(resource.busy_fraction)),
                              fmt::format("mean of {}; {} is busy {} %", resource.instances, resource.busiest,
                                          percent(resource.busiest_busy_fraction))});
  }
  sheet.panels = {std::move(levels),
                  std::move(resources),
                  {"Warps wait for", 2, bars_of(kernel.stalls, false)},
                  {"Line requests are in", 3, bars_of(kernel.stages, true)}};
  return sheet;
}

std::string svg(const RunReport& report) {
  std::vector<std::pair<double, std::string>> drawings;  // height and text
  double width = 0;
  if (const auto roofline = roofline_chart(report)) {
    drawings.emplace_back(drawn_height(*roofline), svg(*roofline));
    width = roofline->width;
  }
  for (const KernelReport* kernel : shown_kernels(report)) {
    BarSheet sheet = where_the_time_went(*kernel);
    sheet.subtitle = marked(report.heading, sheet.subtitle);
    drawings.emplace_back(sheet.height(), svg(sheet));
    width = std::max(width, sheet.width);
  }
  if (drawings.size() == 1) return drawings.front().second;
  const double height =
      std::accumulate(drawings.begin(), drawings.end(), 0.0, [](double sum, const auto& d) { return sum + d.first; });
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" "
      "role=\"img\" aria-label=\"{2}\">\n",
      coordinate(width), coordinate(height), escape_markup(report.title));
  double top = 0;
  for (const auto& [tall, text] : drawings) {
    out += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", coordinate(top), text);
    top += tall;
  }
  return out + "</svg>\n";
}

}  // namespace strata::report
