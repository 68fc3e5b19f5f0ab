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

using stats::Block;
using stats::Origin;
using stats::Owner;

bool is_crossbar(const Origin& of) { return of.block == Block::crossbar || of.block == Block::crossbar_source; }
bool is_crossbar_source(const Origin& of) { return of.block == Block::crossbar_source; }
bool is_link(const Origin& of) { return of.block == Block::link; }
bool is_dram(const Origin& of) { return of.block == Block::dram || of.block == Block::dram_data_bus; }
bool is_of_core(const Origin& of) { return of.owner == Owner::core; }
bool is_cache_of(const Origin& of, std::string_view level) { return of.block == Block::cache && of.name == level; }

// The box of a kind of resource; the first of these names that matches.
class Stations {
 public:
  Stations(const Watched& watched, const MapParts& parts) : watched_(watched), parts_(parts) {}

  // The busiest kind of a box; null if none served a request.
  template <typename Belongs>
  const BandwidthResource* busiest(const Belongs& belongs) const {
    const auto found = std::find_if(watched_.resources.begin(), watched_.resources.end(),
                                    [&](const BandwidthResource& resource) { return belongs(resource.origin); });
    return found == watched_.resources.end() ? nullptr : &*found;
  }
  bool beyond_links(const std::string& level) const { return parts_.memory_side.contains(level); }
  bool of_level(const Origin& of, const BandwidthLevel& level, bool first, bool last) const {
    if (last) return is_dram(of);
    if (first) return is_of_core(of) && of.block == Block::cache && !parts_.inner.contains(of.name);
    return is_cache_of(of, level.name);
  }
  bool is_inner(const BandwidthLevel& level) const { return parts_.inner.contains(level.name); }

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

// The counts of ports or links of some kinds, and the busiest of them.
template <typename Belongs>
MapEdge edge_of(const Watched& watched, double seconds, std::string_view over, const Belongs& belongs) {
  MapEdge edge;
  edge.busy_fraction = unknown;
  for (const BandwidthResource& resource : watched.resources) {
    if (!belongs(resource.origin)) continue;
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
    const auto first = std::find_if(watched.levels.begin(), watched.levels.end(),
                                    [](const BandwidthLevel& level) { return !level.shared_memory; });
    for (const BandwidthResource& resource : watched.resources) {
      const Origin& of = resource.origin;
      parts.crossbar |= is_crossbar(of);
      parts.links |= is_link(of);
      for (auto level = first; level != watched.levels.end(); ++level) {
        if (!is_cache_of(of, level->name)) continue;
        if (of.owner == Owner::memory_die)
          parts.memory_side.insert(level->name);
        else if (level != first && (of.owner == Owner::core || of.owner == Owner::group))
          parts.inner.insert(level->name);
      }
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
      stations.busiest([](const Origin& of) { return is_of_core(of) && of.block != Block::cache; }));
  std::vector<const BandwidthLevel*> levels;
  for (const BandwidthLevel& level : watched.levels)
    if (!level.shared_memory) levels.push_back(&level);
  bool links_drawn = !parts.links;
  bool crossbar_drawn = !parts.crossbar;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const BandwidthLevel& level = *levels[i];
    const bool dram = i + 1 == levels.size();
    if (!crossbar_drawn && i > 0 && !stations.is_inner(level)) {
      crossbar_drawn = true;
      map.edges.push_back(edge_of(watched, seconds, "core ports, with headers", is_crossbar_source));
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
        stations.busiest([&](const Origin& of) { return stations.of_level(of, level, i == 0, dram); }));
  }
  return map;
}

}  // namespace strata::report
