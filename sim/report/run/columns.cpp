// SPDX-License-Identifier: Apache-2.0
#include "report/run/columns.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "report/bandwidth/levels_html.hpp"
#include "report/run/run.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

using Row = KernelReport;

void add_levels(Columns<Row>& columns, const RunReport& report) {
  const auto widest = std::max_element(report.kernels.begin(), report.kernels.end(),
                                       [](const Row& a, const Row& b) { return a.levels.size() < b.levels.size(); });
  using Count = std::uint64_t BandwidthLevel::*;
  const std::pair<const char*, Count> counts[] = {{"requests", &BandwidthLevel::requests},
                                                  {"sectors", &BandwidthLevel::sectors},
                                                  {"hits", &BandwidthLevel::hits},
                                                  {"bytes_read", &BandwidthLevel::bytes_read},
                                                  {"bytes_written", &BandwidthLevel::bytes_written}};
  for (const BandwidthLevel& level : widest->levels)
    for (const auto& [what, count] : counts)
      columns.push_back({{level.name + "_" + what}, [name = level.name, count = count](const Row& row) {
                           const auto own = std::find_if(row.levels.begin(), row.levels.end(),
                                                         [&](const BandwidthLevel& l) { return l.name == name; });
                           return own == row.levels.end() ? Datum{} : as_whole((*own).*count);
                         }});
}

Datum share_bar(const NamedShare& share) { return as_cell(share_cell(share.share, false)); }

}  // namespace

Columns<KernelReport> kernel_columns(const RunReport& report) {
  Columns<Row> columns{
      {{"kernel", {"", Align::left}, "Kernel"}, as_text(&Row::name)},
      {{"time_ns", {}, "Time"}, [](const Row& row) { return as_real(row.seconds * 1e9, time_label(row.seconds)); }},
      {{"cycles", {}, "Cycles"}, as_real(&Row::cycles, 0)},
      {{"blocks", {}, "Blocks"}, as_whole(&Row::blocks)},
      {{"warp_instructions", {}, "Warp instructions"}, as_whole(&Row::warp_instructions)},
      {{"transactions", {}, "Line requests"}, as_whole(&Row::transactions)},
      {{"sectors"}, as_whole(&Row::sectors)},
      {{"flops"}, as_whole(&Row::flops)},
      {{"mean_latency_ns"}, as_real(&Row::latency_mean_ns, 1)},
      {{"", {}, "DRAM"},
       [](const Row& row) { return as_cell(figure_cell(rate_label(row.levels.back().bytes_per_second))); }},
      {{"bottleneck", {"", Align::left}, "Bottleneck"},
       [](const Row& row) { return as_text(bottleneck_in_words(row.watched())); }},
  };
  add_levels(columns, report);
  if (std::none_of(report.kernels.begin(), report.kernels.end(), [](const Row& k) { return k.sampling.has_value(); }))
    return columns;
  columns.push_back({{"blocks_run"}, [](const Row& row) {
                       return as_whole(row.sampled_in_part() ? row.sampling->blocks_run : row.blocks);
                     }});
  columns.push_back(
      {{"spread"}, [](const Row& row) { return as_real(row.sampled_in_part() ? row.sampling->spread : 0, 1); }});
  return columns;
}

Columns<NamedShare> stage_share_columns() {
  return {
      {{"stage", {"", Align::left}, "Line requests are in"}, as_text(&NamedShare::name)},
      {{"mean_ns"}, as_real(&NamedShare::mean_ns, 2)},
      {{"share", {}, "Share [%]"}, as_real(&NamedShare::share, percent)},
      {{"", {"", Align::left}, ""}, share_bar},
      {{"", {}, "Mean [ns]"}, as_real(&NamedShare::mean_ns, 2)},
  };
}

Columns<NamedShare> stall_columns() {
  return {
      {{"stall", {"", Align::left}, "Warps wait for"}, as_text(&NamedShare::name)},
      {{"share", {}, "Share [%]"}, as_real(&NamedShare::share, percent)},
      {{"", {"", Align::left}, ""}, share_bar},
      {{"", {"", Align::left}, "That is"},
       [](const NamedShare& stall) { return as_cell(text_cell(stall.meaning, "source")); }},
  };
}

}  // namespace strata::report
