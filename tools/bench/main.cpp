// SPDX-License-Identifier: Apache-2.0
// strata-bench: processor time of the engine, of blocks and of whole machines on this host.
// Compare figures of one run, as ratios.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iostream>
#include <span>
#include <string_view>
#include <vector>
#include <boost/json.hpp>

#include "bench.hpp"
#include "report/json.hpp"

namespace {

using strata::bench::Figure;

struct Group {
  std::string_view name;
  std::vector<Figure> (*figures)();
  bool usual;  // run where no group is named
};

constexpr int repetitions = 3;

// clang-format off
constexpr std::array groups{
    Group{"engine", [] { return strata::bench::event_queue_figures(repetitions); }, true},
    Group{"chase", [] { return strata::bench::chase_figures(repetitions); }, true},
    Group{"fabric", [] { return strata::bench::fabric_figures(repetitions); }, true},
    Group{"cache", [] { return strata::bench::cache_figures(repetitions); }, true},
    Group{"dram", [] { return strata::bench::dram_figures(repetitions); }, true},
    Group{"stream", [] { return strata::bench::stream_figures(false); }, true},
    Group{"processes", [] { return strata::bench::process_figures(); }, false},
    Group{"stream-long", [] { return strata::bench::stream_figures(true); }, false},
};
// clang-format on

int usage() {
  std::cerr << "usage: strata-bench [--json] [GROUP...]; groups:";
  for (const Group& group : groups) std::cerr << ' ' << group.name;
  std::cerr << '\n';
  return 2;
}

}  // namespace

int main(int count, char** words) {
  bool as_json = false;
  std::vector<const Group*> chosen;
  for (const std::string_view word : std::span(words + 1, words + count)) {
    if (word == "--json") {
      as_json = true;
      continue;
    }
    const auto* const group =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == word; });
    if (group == groups.end()) return usage();
    chosen.push_back(group);
  }
  if (chosen.empty())
    for (const Group& group : groups)
      if (group.usual) chosen.push_back(&group);
  try {
    std::vector<Figure> figures;
    for (const Group* group : chosen)
      for (Figure& figure : group->figures()) figures.push_back(std::move(figure));
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    figures.push_back({"peak memory", static_cast<double>(use.ru_maxrss) * 1024, "B"});
    boost::json::array rows;
    for (const Figure& figure : figures) {
      if (!as_json) std::cout << fmt::format("{:42} {:14.4g} {}\n", figure.name, figure.value, figure.unit);
      rows.push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
    }
    if (as_json) std::cout << strata::report::pretty(boost::json::object{{"figures", rows}}) << '\n';
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
