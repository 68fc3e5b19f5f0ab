// SPDX-License-Identifier: Apache-2.0
#include "study/bandwidth/resource_use.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace strata::study {

std::vector<ResourceUse> resource_use(const stats::Snapshot& between, Duration watched) {
  constexpr std::string_view bytes_of = "/bytes";
  std::map<std::string, std::vector<const stats::Figure*>> families;
  std::map<std::string, std::uint64_t> bytes;
  for (const stats::Figure& figure : between.figures())
    if (figure.kind == stats::Kind::counter && figure.path.ends_with(bytes_of))
      bytes[stats::family(figure.path.substr(0, figure.path.size() - bytes_of.size()))] += figure.value;
    else if (figure.kind == stats::Kind::resource && figure.served > 0)
      families[stats::family(figure.path)].push_back(&figure);

  const auto time = static_cast<double>(watched.ticks);
  std::vector<ResourceUse> uses;
  for (const auto& [family, figures] : families) {
    const stats::Figure* const busiest = *std::max_element(
        figures.begin(), figures.end(), [](const auto* a, const auto* b) { return a->value < b->value; });
    ResourceUse use{family, busiest->path, 0, static_cast<double>(busiest->value) / time, 0, 0, busiest->origin};
    std::uint64_t busy = 0;
    for (const stats::Figure* figure : figures) {
      if (figure->value * 2 < busiest->value) continue;
      busy += figure->value;
      ++use.instances;
    }
    use.busy_fraction = static_cast<double>(busy) / static_cast<double>(use.instances) / time;
    const auto moved = bytes.find(family);
    if (moved != bytes.end()) use.bytes = moved->second;
    uses.push_back(std::move(use));
  }
  std::stable_sort(uses.begin(), uses.end(),
                   [](const auto& a, const auto& b) { return a.busy_fraction > b.busy_fraction; });
  return uses;
}

double queues_grow(const stats::Snapshot& now, const stats::Baseline& before, Duration watched) {
  struct Growth {
    std::int64_t ticks = 0;
    std::int64_t instances = 0;
  };
  std::map<std::string, Growth> growths;
  stats::Baseline::Finder earlier(before);
  const std::vector<stats::Figure>& figures = now.figures();
  for (std::size_t place = 0; place < figures.size(); ++place) {
    const stats::Figure& figure = figures[place];
    if (figure.kind != stats::Kind::resource || figure.served == 0) continue;
    const stats::Baseline::Values* const begin = earlier.find(figure, place);
    Growth& growth = growths[stats::family(figure.path)];
    growth.ticks += figure.ahead - (begin == nullptr ? 0 : begin->ahead);
    ++growth.instances;
  }
  double most = 0;
  for (const auto& [family, growth] : growths)
    most = std::max(most, static_cast<double>(growth.ticks) / static_cast<double>(growth.instances * watched.ticks));
  return most;
}

}  // namespace strata::study
