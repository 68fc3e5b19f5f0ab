// SPDX-License-Identifier: Apache-2.0
#include "study/resource_use.hpp"

#include <algorithm>
#include <map>

namespace strata::study {

std::vector<ResourceUse> resource_use(const stats::Snapshot& between, Duration watched) {
  std::map<std::string, std::vector<const stats::Figure*>> families;
  for (const stats::Figure& figure : between.figures())
    if (figure.kind == stats::Kind::resource && figure.served > 0)
      families[stats::family(figure.path)].push_back(&figure);

  const auto time = static_cast<double>(watched.ticks);
  std::vector<ResourceUse> uses;
  for (const auto& [family, figures] : families) {
    const stats::Figure* const busiest =
        *std::max_element(figures.begin(), figures.end(),
                          [](const auto* a, const auto* b) { return a->value < b->value; });
    ResourceUse use{family, busiest->path, 0, static_cast<double>(busiest->value) / time, 0};
    std::uint64_t busy = 0;
    for (const stats::Figure* figure : figures) {
      if (figure->value * 2 < busiest->value) continue;
      busy += figure->value;
      ++use.instances;
    }
    use.busy_fraction = static_cast<double>(busy) / static_cast<double>(use.instances) / time;
    uses.push_back(std::move(use));
  }
  std::stable_sort(uses.begin(), uses.end(),
                   [](const auto& a, const auto& b) { return a.busy_fraction > b.busy_fraction; });
  return uses;
}

}  // namespace strata::study
