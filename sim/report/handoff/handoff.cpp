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
#include "report/text/csv.hpp"
#include "report/text/table.hpp"
#include "report/text/text.hpp"

namespace strata::report {

namespace {

// "crossbar 41.2, L2 hit 60.0": the stages that take most, with the rest as one.
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
  std::vector<std::vector<std::string>> rows;
  for (const HandoffRelation& relation : report.relations)
    rows.push_back({relation.name, fmt::format("{}", relation.pairs), fixed(relation.least_ns, 1),
                    fixed(relation.mean_ns, 1), fixed(relation.most_ns, 1), fixed(relation.mean_cycles, 1),
                    fixed(relation.mean_attempts, 2), stages_in_words(relation, 3)});
  return incomplete_line(report.heading) +
         fmt::format("{}\n{}; {}\n\n", clean(report.title), clean(report.subtitle), measured_in_words(report)) +
         table({{"two cores", Align::left},
                {"pairs"},
                {"least [ns]"},
                {"mean [ns]"},
                {"most [ns]"},
                {"mean [clk]"},
                {"attempts"},
                {"stages of an attempt [ns]", Align::left}},
               rows) +
         "\nA thread finds its turn at its first attempt after the other's: a hand-off takes half of an attempt and\n"
         "loop of the slower thread.\n";
}

std::string csv(const HandoffReport& report) {
  std::string text = incomplete_comment(report.heading) + "first,second,relation,handoff_ns,handoff_cycles,attempts\n";
  for (const HandoffRow& pair : report.pairs)
    text += fmt::format("{},{},{},{},{},{}\n", pair.first, pair.second, csv_field(report.relations[pair.relation].name),
                        shortest(pair.ns), shortest(pair.cycles), shortest(pair.attempts));
  return text;
}

std::string json(const HandoffReport& report) {
  using boost::json::array;
  using boost::json::object;
  object written = document(report.heading);
  written["question"] = valid_utf8(report.subtitle);
  written["all_pairs"] = report.all_pairs;
  array relations;
  for (const HandoffRelation& relation : report.relations) {
    array stages;
    for (const auto& [name, ns] : relation.stages)
      stages.push_back(object{{"stage", valid_utf8(name)}, {"ns", json_number(ns)}});
    relations.push_back(object{{"relation", valid_utf8(relation.name)},
                               {"pairs", relation.pairs},
                               {"least_ns", json_number(relation.least_ns)},
                               {"mean_ns", json_number(relation.mean_ns)},
                               {"most_ns", json_number(relation.most_ns)},
                               {"mean_cycles", json_number(relation.mean_cycles)},
                               {"mean_attempts", json_number(relation.mean_attempts)},
                               {"stages", stages}});
  }
  written["relations"] = relations;
  double width = 1;
  array bins;
  for (const HandoffBin& bin : histogram(report.pairs, width))
    bins.push_back(object{{"from_ns", json_number(bin.from_ns)}, {"pairs", bin.pairs}});
  written["histogram"] = object{{"width_ns", json_number(width)}, {"bins", bins}};
  array pairs;
  for (const HandoffRow& pair : report.pairs)
    pairs.push_back(object{{"first", pair.first},
                           {"second", pair.second},
                           {"relation", valid_utf8(report.relations[pair.relation].name)},
                           {"handoff_ns", json_number(pair.ns)},
                           {"handoff_cycles", json_number(pair.cycles)},
                           {"attempts", json_number(pair.attempts)}});
  written["pairs"] = pairs;
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
  page.section("Where an attempt spends its time");
  for (const HandoffRelation& relation : report.relations) {
    if (relation.stages.empty()) continue;
    std::vector<PageRow> rows;
    for (const auto& [name, ns] : relation.stages) rows.push_back({{text_cell(name), figure_cell(fixed(ns, 1))}, ""});
    page.paragraph(relation.name);
    page.card(Page::table({"stage", "#ns"}, rows));
  }
  add_settings(page, report.settings);
  return page.finish();
}

}  // namespace strata::report
