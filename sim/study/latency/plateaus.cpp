// SPDX-License-Identifier: Apache-2.0
#include "study/latency/plateaus.hpp"

#include <cmath>
#include <cstddef>

namespace strata::study {

namespace {

// Shares may wander by this much within a plateau; a knee moves them further.
constexpr double steady = 0.02;
constexpr double worth_naming = 0.05;

bool same_mix(const LatencyPoint& a, const LatencyPoint& b) {
  for (std::size_t i = 0; i < a.served_by.size(); ++i)
    if (std::abs(a.served_by[i].share - b.served_by[i].share) > steady) return false;
  return true;
}

std::string name_of(const LatencyPoint& point) {
  std::string name;
  for (const LevelShare& share : point.served_by)
    if (share.share > worth_naming) name += (name.empty() ? "" : " + ") + share.level;
  return name;
}

}  // namespace

std::vector<Plateau> plateaus(const std::vector<LatencyPoint>& points) {
  std::vector<Plateau> found;
  for (std::size_t first = 0; first < points.size();) {
    std::size_t end = first + 1;
    Plateau plateau{name_of(points[first]), points[first].footprint_bytes, 0, points[first].latency_ns,
                    points[first].latency_cycles};
    for (; end < points.size() && same_mix(points[first], points[end]); ++end) {
      plateau.latency_ns += points[end].latency_ns;
      plateau.latency_cycles += points[end].latency_cycles;
    }
    const auto count = static_cast<double>(end - first);
    if (end - first >= 2) {
      plateau.to_bytes = points[end - 1].footprint_bytes;
      plateau.latency_ns /= count;
      plateau.latency_cycles /= count;
      found.push_back(std::move(plateau));
    }
    first = end;
  }
  return found;
}

}  // namespace strata::study
