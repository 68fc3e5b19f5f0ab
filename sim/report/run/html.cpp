// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "report/bandwidth/hierarchy_map.hpp"
#include "report/bandwidth/levels_html.hpp"
#include "report/html/page.hpp"
#include "report/html/parts.hpp"
#include "report/html/stages.hpp"
#include "report/run/columns.hpp"
#include "report/run/run.hpp"
#include "report/svg/bars.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

// The stages of the mean line request, in the order in which requests reach them.
std::vector<JourneyStage> stages_in_order(const KernelReport& kernel) {
  std::vector<NamedShare> stages = kernel.stages;
  std::stable_sort(stages.begin(), stages.end(),
                   [](const NamedShare& a, const NamedShare& b) { return a.begins_ns < b.begins_ns; });
  const double cycles_per_ns = kernel.cycles / (kernel.seconds * 1e9);
  std::vector<JourneyStage> ordered;
  for (const NamedShare& stage : stages)
    ordered.push_back({stage.name, stage.mean_ns * cycles_per_ns, stage.mean_ns, {}});
  return ordered;
}

void add_waterfall(Page& page, const KernelReport& kernel) {
  if (kernel.stages.empty()) return;
  const std::vector<JourneyStage> stages = stages_in_order(kernel);
  double cycles = 0;
  double ns = 0;
  for (const JourneyStage& stage : stages) {
    cycles += stage.cycles;
    ns += stage.ns;
  }
  page.details(
      fmt::format("{}, the mean line request: {} ns, stage by stage", kernel.name, readable(ns)),
      waterfall(stages, cycles, ns,
                "<div class=\"keys\"><span>Means over the sampled requests, in the order in which the stages begin "
                "on average; a stage that a request enters twice has one bar.</span></div>"));
}

std::string roofline_table(const KernelReport& kernel) {
  std::vector<PageRow> rows;
  const double rate = static_cast<double>(kernel.flops) / kernel.seconds;
  for (const BandwidthLevel& level : kernel.levels) {
    if (level.bytes_read + level.bytes_written == 0 || !(level.peak_bytes_per_second > 0)) continue;
    const double bound = kernel.flops_per_byte(level) * level.peak_bytes_per_second;
    rows.push_back({{text_cell(level.name), figure_cell(readable(kernel.flops_per_byte(level))),
                     figure_cell(readable(bound * 1e-12)), figure_cell(percent(rate / bound))},
                    ""});
  }
  for (const stats::PipeRoof& pipe : kernel.pipes)
    rows.push_back({{text_cell(fmt::format("{} of {} cores", pipe.in_words(), kernel.cores)), figure_cell("-"),
                     figure_cell(readable(pipe.flops_per_second * 1e-12)), figure_cell(percent(pipe.busy_fraction))},
                    ""});
  return Page::table({"Roof", "#FLOP/B", "#At its peak [TFLOP/s]", "#Achieved [%]"}, rows);
}

const KernelReport& longest_of(const RunReport& report) {
  return *std::max_element(report.kernels.begin(), report.kernels.end(),
                           [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
}

// The longest kernel's map is always open.
void add_maps(Page& page, const RunReport& report) {
  std::vector<Watched> all;
  for (const KernelReport& kernel : report.kernels) all.push_back(kernel.watched());
  const MapParts parts = parts_of(all);
  page.section("Hierarchy");
  page.paragraph(
      "From the cores to memory: the bytes moved, their rate and the busy share of the path. Lines are as wide as "
      "their rate; "
      "bars are the busy share of the busiest resource of a box, and a heavy frame marks the busiest of all.");
  for (const KernelReport* kernel : shown_kernels(report)) {
    HierarchyMap map = hierarchy_map(kernel->watched(), parts, kernel->cores, kernel->watched_seconds);
    map.title = kernel->name;
    const std::string card = map_card(map, kernel->watched());
    if (kernel == &longest_of(report)) {
      page.card(card);
      page.details(fmt::format("{}: the map in figures", kernel->name), map_table(map));
    } else {
      page.details(fmt::format("{}: hierarchy map", kernel->name), card + "\n" + map_table(map));
    }
  }
}

void add_tiles(Page& page, const RunReport& report) {
  page.open_tiles();
  const bool one = report.kernels.size() == 1;
  page.tile("Time", readable(report.seconds * 1e6), "us",
            one ? fmt::format("{} cycles", fixed(report.cycles, 0))
                : fmt::format("{} kernels, {} cycles", report.kernels.size(), fixed(report.cycles, 0)),
            "headline");
  const KernelReport& longest = longest_of(report);
  const std::string of = one ? std::string() : fmt::format("of {}, the longest", longest.name);
  const BandwidthLevel& dram = longest.levels.back();
  page.tile("DRAM", rate_unit(dram.bytes_per_second).show(dram.bytes_per_second), rate_unit(dram.bytes_per_second).name,
            fmt::format("{} % of its peak{}{}", percent(dram.share_of_peak()), one ? "" : ", ", of));
  if (const BandwidthResource* busiest = longest.resources.empty() ? nullptr : &longest.resources.front())
    page.tile("Busiest", percent(busiest->busy_fraction), "%", resource_in_words(*busiest));
  if (!longest.stalls.empty())
    page.tile("Warps wait", percent(longest.stalls.front().share), "%",
              fmt::format("for {}", longest.stalls.front().name));
  page.close_tiles();
}

}  // namespace

std::string html(const RunReport& report) {
  Page page(report.title, report.subtitle, report.heading);
  add_tiles(page, report);
  if (const auto roofline = roofline_chart(report)) page.card(svg(*roofline));
  page.section("Kernels");
  page.card(page_table(tabulate(kernel_columns(report), report.kernels)));
  for (const KernelReport& kernel : report.kernels)
    if (kernel.sampling)
      page.paragraph(fmt::format("{} {}: {}.", kernel.name,
                                 kernel.sampled_in_part() ? "is an estimate" : "was run whole",
                                 sampling_in_words(kernel)));
  add_maps(page, report);
  page.section("Where the time went");
  const std::vector<const KernelReport*> kernels = shown_kernels(report);
  if (kernels.size() < report.kernels.size())
    page.paragraph(fmt::format("The {} longest of {} kernels; --json has all.", kernels.size(), report.kernels.size()));
  for (const KernelReport* kernel : kernels) {
    page.card(svg(where_the_time_went(*kernel)));
    page.details(fmt::format("{} in figures: {}", kernel->name, bottleneck_in_words(kernel->watched())),
                 level_table(kernel->watched()) + "\n" + resource_table(kernel->watched()) + "\n" +
                     page_table(tabulate(stall_columns(), kernel->stalls)) + "\n" +
                     page_table(tabulate(stage_share_columns(), kernel->stages)) +
                     (kernel->flops > 0 ? "\n" + roofline_table(*kernel) : std::string()));
    add_waterfall(page, *kernel);
  }
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
