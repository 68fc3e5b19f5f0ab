// SPDX-License-Identifier: Apache-2.0
// strata-bench: what the engine and whole machines cost on this host, in
// processor time. Compare figures of one run, as ratios.
#include <fmt/format.h>
#include <sys/resource.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>

#include "bench.hpp"
#include "report/json.hpp"

int main(int count, char** words) {
  using namespace strata;
  const bool as_json = count > 1 && std::strcmp(words[1], "--json") == 0;
  if (count > 2 || (count == 2 && !as_json)) {
    std::cerr << "usage: strata-bench [--json]\n";
    return 2;
  }
  try {
    std::vector<bench::Figure> figures = bench::event_queue_figures(3);
    for (const bench::Figure& figure : bench::chase_figures(3)) figures.push_back(figure);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    figures.push_back({"peak memory", static_cast<double>(usage.ru_maxrss) * 1024, "B"});
    boost::json::array rows;
    for (const bench::Figure& figure : figures) {
      if (!as_json) std::cout << fmt::format("{:42} {:14.4g} {}\n", figure.name, figure.value, figure.unit);
      rows.push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
    }
    if (as_json) std::cout << report::pretty(boost::json::object{{"figures", rows}}) << '\n';
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
