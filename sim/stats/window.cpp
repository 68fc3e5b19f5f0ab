// SPDX-License-Identifier: Apache-2.0
#include "stats/window.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace strata::stats {

std::vector<Statistic> statistics(const Snapshot& between, Detail detail, const Window& window) {
  std::vector<Statistic> all;
  if (detail == Detail::none) return all;
  all.push_back({"elapsed time", "ns", "length of the window of the statistics", window.ns, 1});
  all.push_back({"elapsed cycles", "cycles", "the same length, in cycles of the core clock", window.core_cycles, 1});
  constexpr std::string_view served = "/served";
  std::vector<Statistic> rows = statistics(between, detail, window.ns_per_tick);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Statistic busy = rows[i];
    all.push_back(std::move(rows[i]));
    if (i + 1 == rows.size() || rows[i + 1].path != busy.path + std::string(served)) continue;
    const double available = window.ns * static_cast<double>(busy.instances);
    all.push_back({busy.path + "/share", "fraction", "share of the elapsed time: " + busy.meaning,
                   available > 0 ? busy.value / available : 0, busy.instances});
  }
  return all;
}

Snapshot sum(const Snapshot& first, const Snapshot& second) {
  std::vector<Figure> all = first.figures();
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i) places.emplace(all[i].path, i);
  for (const Figure& figure : second.figures()) {
    const auto [found, is_new] = places.emplace(figure.path, all.size());
    if (is_new) {
      all.push_back(figure);
      continue;
    }
    Figure& known = all[found->second];
    known.value = figure.kind == Kind::highest ? std::max(known.value, figure.value) : known.value + figure.value;
    known.served += figure.served;
  }
  Snapshot total;
  for (Figure& figure : all) total.add(std::move(figure));
  return total;
}

}  // namespace strata::stats
