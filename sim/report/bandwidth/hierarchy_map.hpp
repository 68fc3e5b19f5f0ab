// SPDX-License-Identifier: Apache-2.0
// The map of a memory hierarchy: boxes from the cores to DRAM, as the machine has them, and
// edges with what moved between them. A level's edge carries what the level moved, that into
// crossbar and links what was counted on their ports and wires. The busiest box is marked by
// its frame and in words. Figures are those of the documents for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "report/bandwidth/data.hpp"

namespace strata::report {

struct MapBox {
  std::string name;
  std::string note;                           // "hits 33.4 %"; may be empty
  std::optional<BandwidthResource> resource;  // the busiest kind of it; none: nothing was served
  bool busiest = false;                       // has the busiest kind of all
};

// From the box before to the box of the same number.
struct MapEdge {
  std::string traffic;  // "8 MiB read, 4 MiB written"
  std::uint64_t bytes = 0;
  double bytes_per_second = 0;
  double busy_fraction = 0;  // NaN where it is not known
  std::string busy;          // what is busy: "L1 data ports"
};

struct HierarchyMap {
  std::string title;
  std::vector<MapBox> boxes;
  std::vector<MapEdge> edges;  // one fewer than boxes
};

// What a machine has, as far as any answer of a report shows it.
struct MapParts {
  bool crossbar = false;
  bool links = false;
  std::set<std::string> inner;        // levels of a core or a group of cores, in front of the crossbar
  std::set<std::string> memory_side;  // levels of the memory dies, beyond the links
};
MapParts parts_of(std::span<const Watched> all);

// cores: 0 where their number is not known. seconds: watched.
HierarchyMap hierarchy_map(const Watched& watched, const MapParts& parts, std::uint64_t cores, double seconds);

std::string svg(const HierarchyMap& map);
// The drawing below the bottleneck in words.
std::string map_card(const HierarchyMap& map, const Watched& watched);
// The same in figures: a row for each box and edge.
std::string map_table(const HierarchyMap& map);

}  // namespace strata::report
