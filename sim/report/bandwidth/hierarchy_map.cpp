// SPDX-License-Identifier: Apache-2.0
#include "report/bandwidth/hierarchy_map.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "report/text/text.hpp"

namespace strata::report {

namespace {
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view shared_memory = "shared memory";

bool is_crossbar(std::string_view family) { return family.starts_with("die */crossbar"); }
bool is_link(std::string_view family) { return family.starts_with("network/") || family.starts_with("host/"); }
bool is_core(std::string_view family) { return family.starts_with("core "); }

// "die */L2 slice */data" of L2.
bool is_slice(std::string_view family, std::string_view die, std::string_view level) {
  return family.starts_with(fmt::format("{} */{} slice ", die, level));
}

// A level that a core or a group of cores has for itself: "core */L1.5 slice */data", "die */group */L1.5 slice */data".
bool is_inner_slice(std::string_view family, std::string_view level) {
  return (is_core(family) || family.starts_with("die */group ")) &&
         family.find(fmt::format("/{} slice ", level)) != std::string_view::npos;
}

// Where a kind of resource belongs; the first of these names that fits.
class Stations {
 public:
  Stations(const Watched& watched, const MapParts& parts) : watched_(watched), parts_(parts) {}

  // The busiest kind of a box; null where none served anything.
  template <typename Belongs>
  const BandwidthResource* busiest(const Belongs& belongs) const {
    const auto found = std::find_if(watched_.resources.begin(), watched_.resources.end(),
                                    [&](const BandwidthResource& resource) { return belongs(resource.family); });
    return found == watched_.resources.end() ? nullptr : &*found;
  }
  bool beyond_links(const std::string& level) const { return parts_.memory_side.contains(level); }
  bool of_level(std::string_view family, const BandwidthLevel& level, bool first, bool last) const {
    if (last) return family.starts_with("memory die */DRAM");
    if (first)
      return is_core(family) && is_cache_of_core(family) &&
             std::none_of(parts_.inner.begin(), parts_.inner.end(),
                          [&](const std::string& inner) { return is_inner_slice(family, inner); });
    return is_slice(family, "die", level.name) || is_slice(family, "memory die", level.name) ||
           is_inner_slice(family, level.name);
  }
  bool is_inner(const BandwidthLevel& level) const { return parts_.inner.contains(level.name); }
  // The caches of a core have tags and data; what else is of a core is the core itself.
  bool is_cache_of_core(std::string_view family) const {
    for (const BandwidthResource& resource : watched_.resources) {
      const std::string_view other = resource.family;
      if (!is_core(other) || !other.ends_with("/tags")) continue;
      if (family.starts_with(other.substr(0, other.size() - std::string_view("tags").size()))) return true;
    }
    return false;
  }

 private:
  const Watched& watched_;
  const MapParts& parts_;
};

std::string hits_in_words(const BandwidthLevel& level, bool dram) {
  if (level.requests == 0 || !(level.hits + level.misses > 0)) return {};
  return fmt::format("{} {} %", dram ? "row hits" : "hits", percent(level.hit_rate()));
}

MapEdge edge_of(const BandwidthLevel& level, bool dram) {
  MapEdge edge;
  edge.bytes = level.bytes_read + level.bytes_written;
  edge.bytes_per_second = level.bytes_per_second;
  edge.busy_fraction = level.busy_fraction;
  edge.busy = fmt::format("{} data {}", level.name, dram ? "buses" : "ports");
  edge.traffic = fmt::format("{} read, {} written", size_label(static_cast<double>(level.bytes_read)),
                             size_label(static_cast<double>(level.bytes_written)));
  return edge;
}

// What was counted on ports or links of some kinds, and the busiest of them.
template <typename Belongs>
MapEdge edge_of(const Watched& watched, double seconds, std::string_view over, const Belongs& belongs) {
  MapEdge edge;
  edge.busy_fraction = unknown;
  for (const BandwidthResource& resource : watched.resources) {
    if (!belongs(resource.family)) continue;
    edge.bytes += resource.bytes;
    if (!edge.busy.empty()) continue;
    edge.busy_fraction = resource.busy_fraction;
    edge.busy = resource_in_words(resource);
  }
  edge.bytes_per_second = static_cast<double>(edge.bytes) / seconds;
  edge.traffic = fmt::format("{} over {}", size_label(static_cast<double>(edge.bytes)), over);
  return edge;
}
}  // namespace

MapParts parts_of(std::span<const Watched> all) {
  MapParts parts;
  for (const Watched& watched : all) {
    for (const BandwidthResource& resource : watched.resources) {
      parts.crossbar |= is_crossbar(resource.family);
      parts.links |= is_link(resource.family);
      for (const BandwidthLevel& level : watched.levels)
        if (is_slice(resource.family, "memory die", level.name))
          parts.memory_side.insert(level.name);
        else if (is_inner_slice(resource.family, level.name))
          parts.inner.insert(level.name);
    }
  }
  return parts;
}

HierarchyMap hierarchy_map(const Watched& watched, const MapParts& parts, std::uint64_t cores, double seconds) {
  const Stations stations(watched, parts);
  HierarchyMap map;
  const auto add = [&](std::string name, std::string note, const BandwidthResource* resource) {
    MapBox box{std::move(name), std::move(note), std::nullopt, resource != nullptr && resource == watched.bottleneck()};
    if (resource != nullptr) box.resource = *resource;
    map.boxes.push_back(std::move(box));
  };
  add(cores == 0 ? std::string("Cores") : fmt::format("{} core{}", cores, cores == 1 ? "" : "s"), "",
      stations.busiest([&](std::string_view family) { return is_core(family) && !stations.is_cache_of_core(family); }));
  std::vector<const BandwidthLevel*> levels;
  for (const BandwidthLevel& level : watched.levels)
    if (level.name != shared_memory) levels.push_back(&level);
  bool links_drawn = !parts.links;
  bool crossbar_drawn = !parts.crossbar;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const BandwidthLevel& level = *levels[i];
    const bool dram = i + 1 == levels.size();
    if (!crossbar_drawn && i > 0 && !stations.is_inner(level)) {
      crossbar_drawn = true;
      map.edges.push_back(edge_of(watched, seconds, "core ports, with headers", [](std::string_view family) {
        return is_crossbar(family) &&
               (family.find("/core ") != std::string_view::npos || family.find("/source ") != std::string_view::npos);
      }));
      if (map.edges.back().bytes == 0 && level.requests > 0) {
        map.edges.back().traffic = "bytes are not counted here";
        map.edges.back().bytes_per_second = unknown;
      }
      add("Crossbar", "", stations.busiest(is_crossbar));
    }
    if (!links_drawn && i > 0 && (dram || stations.beyond_links(level.name))) {
      map.edges.push_back(edge_of(watched, seconds, "all links, with headers", is_link));
      add("Links between dies", "", stations.busiest(is_link));
      links_drawn = true;
    }
    map.edges.push_back(edge_of(level, dram));
    add(level.name, hits_in_words(level, dram),
        stations.busiest([&](std::string_view family) { return stations.of_level(family, level, i == 0, dram); }));
  }
  return map;
}

}  // namespace strata::report
