// SPDX-License-Identifier: Apache-2.0
// The hand-off's table, CSV, JSON and page.
#include "report/handoff/handoff.hpp"

#include <algorithm>
#include <cmath>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "report/html/page.hpp"
#include "report/html/parts.hpp"
#include "report/json.hpp"
#include "report/text/columns.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

using HandoffStage = std::pair<std::string, double>;

// "crossbar 41.2, L2 hit 60.0": the longest stages, with the rest as one.
std::string stages_in_words(const HandoffRelation& relation, std::size_t most) {
  std::string words;
  double rest = 0;
  for (std::size_t i = 0; i < relation.stages.size(); ++i) {
    const auto& [name, ns] = relation.stages[i];
    if (i >= most) {
      rest += ns;
      continue;
    }
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, fixed(ns, 1));
  }
  return rest > 0 ? words + fmt::format(", others {}", fixed(rest, 1)) : words;
}

std::string measured_in_words(const HandoffReport& report) {
  return report.pairs.size() == report.all_pairs
             ? report.all_pairs == 1 ? std::string("1 pair") : fmt::format("{} pairs", report.all_pairs)
             : fmt::format("{} of {} pairs, drawn at random", report.pairs.size(), report.all_pairs);
}

constexpr Align left = Align::left;

Columns<HandoffStage> attempt_columns() {
  return {
      {{"stage", {"", left}, "stage"}, as_text(&HandoffStage::first)},
      {{"ns", {}, "ns"}, as_real(&HandoffStage::second, 1)},
  };
}

Columns<HandoffRelation> relation_columns() {
  using Row = HandoffRelation;
  return {
      {{"relation", {"two cores", left}}, as_text(&Row::name)},
      {{"pairs", {"pairs"}}, as_whole(&Row::pairs)},
      {{"least_ns", {"least [ns]"}}, as_real(&Row::least_ns, 1)},
      {{"mean_ns", {"mean [ns]"}}, as_real(&Row::mean_ns, 1)},
      {{"most_ns", {"most [ns]"}}, as_real(&Row::most_ns, 1)},
      {{"mean_cycles", {"mean [clk]"}}, as_real(&Row::mean_cycles, 1)},
      {{"mean_attempts", {"attempts"}}, as_real(&Row::mean_attempts, 2)},
      {{"stages", {"stages of an attempt [ns]", left}},
       [](const Row& row) {
         return Datum{json_rows(tabulate(attempt_columns(), row.stages)), stages_in_words(row, 3)};
       }},
  };
}

Columns<HandoffRow> pair_columns(const HandoffReport& report) {
  using Row = HandoffRow;
  return {
      {{"first"}, as_whole(&Row::first)},
      {{"second"}, as_whole(&Row::second)},
      {{"relation"}, [&report](const Row& row) { return as_text(report.relations[row.relation].name); }},
      {{"handoff_ns"}, as_real(&Row::ns, 1)},
      {{"handoff_cycles"}, as_real(&Row::cycles, 1)},
      {{"attempts"}, as_real(&Row::attempts, 1)},
  };
}

}  // namespace

std::vector<HandoffBin> histogram(const std::vector<HandoffRow>& pairs, double& width_ns) {
  std::vector<HandoffBin> bins;
  width_ns = 1;
  if (pairs.empty()) return bins;
  const auto [least, most] = std::minmax_element(pairs.begin(), pairs.end(),
                                                 [](const HandoffRow& a, const HandoffRow& b) { return a.ns < b.ns; });
  constexpr double most_bins = 40;
  for (int step = 0; (most->ns - least->ns) / width_ns > most_bins; ++step)
    width_ns *= step % 3 == 1 ? 2.5 : 2;  // 1, 2, 5, 10, 20, 50, ...
  const double from = std::floor(least->ns / width_ns);
  const auto count = static_cast<std::size_t>(std::floor(most->ns / width_ns) - from) + 1;
  for (std::size_t i = 0; i < count; ++i) bins.push_back({(from + static_cast<double>(i)) * width_ns, 0});
  for (const HandoffRow& pair : pairs) ++bins[static_cast<std::size_t>(std::floor(pair.ns / width_ns) - from)].pairs;
  return bins;
}

std::string table(const HandoffReport& report) {
  return incomplete_line(report.heading) +
         fmt::format("{}\n{}; {}\n\n", clean(report.title), clean(report.subtitle), measured_in_words(report)) +
         table(tabulate(relation_columns(), report.relations)) +
         "\nAn attempt succeeds if it is the first after a success of the other thread: a hand-off takes half of an\n"
         "attempt and loop of the slower thread.\n";
}

std::string csv(const HandoffReport& report) {
  return incomplete_comment(report.heading) + csv(tabulate(pair_columns(report), report.pairs));
}

std::string json(const HandoffReport& report) {
  using boost::json::array;
  using boost::json::object;
  object written = document(report.heading);
  written["question"] = valid_utf8(report.subtitle);
  written["all_pairs"] = report.all_pairs;
  written["relations"] = json_rows(tabulate(relation_columns(), report.relations));
  double width = 1;
  array bins;
  for (const HandoffBin& bin : histogram(report.pairs, width))
    bins.push_back(object{{"from_ns", json_number(bin.from_ns)}, {"pairs", bin.pairs}});
  written["histogram"] = object{{"width_ns", json_number(width)}, {"bins", bins}};
  written["pairs"] = json_rows(tabulate(pair_columns(report), report.pairs));
  add_settings(written, report.settings);
  return pretty(written);
}

std::string html(const HandoffReport& report) {
  Page page(report.title, report.subtitle + "; " + measured_in_words(report), report.heading);
  page.open_tiles();
  for (const HandoffRelation& relation : report.relations)
    page.tile(
        relation.name, fixed(relation.mean_ns, 1), "ns",
        fmt::format("{} to {} ns, {} pairs", fixed(relation.least_ns, 1), fixed(relation.most_ns, 1), relation.pairs));
  page.close_tiles();
  page.card(svg(report));
  page.section("Stages of an attempt");
  for (const HandoffRelation& relation : report.relations) {
    if (relation.stages.empty()) continue;
    page.paragraph(relation.name);
    page.card(page_table(tabulate(attempt_columns(), relation.stages)));
  }
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
