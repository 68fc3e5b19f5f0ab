// SPDX-License-Identifier: Apache-2.0
#include "report/bandwidth/data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "report/text/text.hpp"

namespace strata::report {

namespace {
// "slice response" of "slice * response".
std::string without_stars(std::string_view name) {
  std::string out(name);
  for (std::size_t at = out.find(" *"); at != std::string::npos; at = out.find(" *")) out.erase(at, 2);
  return out == "*" ? std::string() : out;
}

bool says_only_where(std::string_view first) { return first == "die" || first == "memory die" || first == "network"; }

bool is_saturated(const BandwidthResource* resource) {
  return resource != nullptr && resource->busy_fraction >= saturated_from;
}
}  // namespace

const BandwidthResource* Watched::bottleneck() const { return resources.empty() ? nullptr : &resources.front(); }

const BandwidthResource* Watched::beside(const BandwidthResource& of, std::string_view name) const {
  const std::string family = of.family.substr(0, of.family.rfind('/') + 1) + std::string(name);
  const auto found = std::find_if(resources.begin(), resources.end(),
                                  [&](const BandwidthResource& resource) { return resource.family == family; });
  return found == resources.end() ? nullptr : &*found;
}

const BandwidthResource* Watched::full_bus() const {
  for (const BandwidthResource& bus : resources) {
    if (bus.origin.block != stats::Block::dram_data_bus) continue;
    double busy = bus.busy_fraction;
    for (const char* const other : {"bus turnaround", "refresh"})
      if (const BandwidthResource* resource = beside(bus, other)) busy += resource->busy_fraction;
    if (busy >= saturated_from) return &bus;
  }
  return nullptr;
}

const BandwidthLevel* Watched::level_at_peak() const {
  const BandwidthLevel* nearest = nullptr;
  for (const BandwidthLevel& level : levels) {
    if (!(level.share_of_peak() >= saturated_from)) continue;
    if (nearest == nullptr || level.share_of_peak() > nearest->share_of_peak()) nearest = &level;
  }
  return nearest;
}

bool Watched::saturated() const {
  return is_saturated(bottleneck()) || level_at_peak() != nullptr || full_bus() != nullptr;
}

std::string resource_in_words(const BandwidthResource& resource) {
  std::string words;
  std::string_view rest = resource.family;
  bool first = true;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string name = without_stars(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool passed_over = first && says_only_where(name) && !rest.empty();
    first = false;
    if (passed_over || name.empty()) continue;
    words += fmt::format("{}{}", words.empty() ? "" : " ", name);
  }
  return words;
}

std::string bottleneck_in_words(const Watched& watched) {
  const BandwidthResource* resource = watched.bottleneck();
  if (!is_saturated(resource)) {
    if (const BandwidthLevel* level = watched.level_at_peak())
      return fmt::format("{}, {} % of its peak", level->name, percent(level->share_of_peak()));
    if (const BandwidthResource* bus = watched.full_bus()) {
      std::string words = fmt::format("{}, busy {} %", resource_in_words(*bus), percent(bus->busy_fraction));
      for (const char* const other : {"bus turnaround", "refresh"})
        if (const BandwidthResource* beside = watched.beside(*bus, other))
          words += fmt::format(", {} {} %", other, percent(beside->busy_fraction));
      return words;
    }
  }
  if (resource == nullptr) return "-";
  const std::string words = resource_in_words(*resource);
  const std::string busy = percent(resource->busy_fraction);
  if (is_saturated(resource)) return fmt::format("{}, busy {} %", words, busy);
  if (watched.waits != nullptr)
    return fmt::format("warps wait for {} {} %; busiest: {} {} %", watched.waits->name, percent(watched.waits->share),
                       words, busy);
  const std::string limit =
      fmt::format("{}; busiest: {} {} %", watched.queues ? "queues" : "bytes in flight", words, busy);
  return watched.shortages.empty() ? limit : fmt::format("{}; {}", limit, fmt::join(watched.shortages, "; "));
}

std::string steadiness_in_words(const BandwidthPoint& point) {
  if (!point.steadiness) return "-";
  const auto [steady, halves_differ, queues_grow] = *point.steadiness;
  if (steady) return "yes";
  if (halves_differ > stats::Steadiness::within)
    return fmt::format("no: halves differ by {} %", percent(halves_differ));
  if (queues_grow > stats::Steadiness::within)
    return fmt::format("no: queues grow by {} % of the window", percent(queues_grow));
  // What agrees within the required tolerance is then too short to judge.
  return "no: the window is shorter than two accesses";
}

const BandwidthPoint* greatest(const std::vector<BandwidthPoint>& points) {
  const auto found = std::max_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return a.bytes_per_second < b.bytes_per_second;
  });
  return found == points.end() ? nullptr : &*found;
}

std::vector<std::string> levels_of(const std::vector<BandwidthPoint>& points) {
  std::vector<std::string> levels;
  for (const BandwidthPoint& point : points) {
    for (const BandwidthLevel& level : point.levels) {
      if (level.requests == 0) continue;
      if (std::find(levels.begin(), levels.end(), level.name) == levels.end()) levels.push_back(level.name);
    }
  }
  return levels;
}

const BandwidthLevel* level_of(const BandwidthPoint& point, const std::string& name) {
  const auto found = std::find_if(point.levels.begin(), point.levels.end(),
                                  [&](const BandwidthLevel& level) { return level.name == name; });
  return found == point.levels.end() ? nullptr : &*found;
}

std::string RateUnit::show(double rate) const { return fixed(rate / bytes_per_second, decimals); }

RateUnit rate_unit(double largest) {
  if (std::isfinite(largest) && largest >= 1e12) return {1e12, "TB/s", 3};
  return {};
}

RateUnit rate_unit(const std::vector<BandwidthPoint>& points) {
  const BandwidthPoint* most = greatest(points);
  return rate_unit(most == nullptr ? 0 : most->bytes_per_second);
}

std::string injected_rate(const LoadedPoint& point, const RateUnit& unit) {
  return std::isinf(point.injected_bytes_per_second) ? "max" : unit.show(point.injected_bytes_per_second);
}

std::string served_by_note(const LoadedReport& report) {
  constexpr double differs_by = 0.05;  // of all loads
  const auto idle = std::find_if(report.points.begin(), report.points.end(),
                                 [](const LoadedPoint& point) { return !(point.injected_bytes_per_second > 0); });
  if (idle == report.points.end()) return {};
  const LoadedPoint* furthest = nullptr;
  double most = differs_by;
  for (const LoadedPoint& point : report.points)
    for (std::size_t i = 0; i < std::min(point.hit_level_shares.size(), idle->hit_level_shares.size()); ++i)
      if (const double apart = std::abs(point.hit_level_shares[i].second - idle->hit_level_shares[i].second);
          apart > most) {
        most = apart;
        furthest = &point;
      }
  if (furthest == nullptr) return {};
  const RateUnit unit = rate_unit(report.points);
  return fmt::format(
      "the levels that serve the loads differ from those without load: {} without load; {} at {} {} achieved. The "
      "streams change the contents of caches, so the latencies are not those of one level; use a --footprint far above "
      "or far below the capacity of the cache",
      served_by(idle->hit_level_shares), served_by(furthest->hit_level_shares), unit.show(furthest->bytes_per_second),
      unit.name);
}

RateUnit rate_unit(const std::vector<LoadedPoint>& points) {
  double largest = 0;
  for (const LoadedPoint& point : points) largest = std::max(largest, point.bytes_per_second);
  return rate_unit(largest);
}

Comparison in(const RateUnit& unit, Comparison comparison) {
  comparison.unit = unit.name;
  for (ComparedPoint& point : comparison.points) {
    point.measured /= unit.bytes_per_second;
    point.predicted /= unit.bytes_per_second;
  }
  return comparison;
}

}  // namespace strata::report
