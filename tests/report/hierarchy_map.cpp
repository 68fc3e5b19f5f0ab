// SPDX-License-Identifier: Apache-2.0
// The map of the hierarchy: its figures are those of the JSON document.
#include "report/bandwidth/hierarchy_map.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/parse.hpp>

#include "catch.hpp"
#include "report/bandwidth/bandwidth.hpp"
#include "report/level_sample.hpp"
#include "report/sample.hpp"
#include "report/text/text.hpp"

using namespace strata::report;
using namespace strata::report::sample;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

using strata::stats::Block;
using strata::stats::Owner;

strata::stats::Origin of(Block block, Owner owner = Owner::machine, std::string name = {}) {
  return {block, owner, std::move(name)};
}

// Chiplets with links between the L2 and a cache in front of memory.
BandwidthReport chiplets() {
  BandwidthReport report;
  report.heading = {"0.1.0", "mi300x", "00ff"};
  report.title = "read bandwidth";
  BandwidthPoint point;
  point.footprint_bytes = 1 << 20;
  point.cores = 304;
  point.seconds = 2e-6;
  // name, requests, sectors, hits, misses, read, written, rate, peak, busy
  point.levels = {level("L1", {100, 400, 75, 25, 1500000, 500000}, 1e12, 2.5e12, 0.4),
                  level("L2", {80, 320, 160, 160, 1200000, 400000}, 8e11, 1e12, 0.8),
                  level("MALL", {40, 160, 0, 160, 800000, 0}, 4e11, 8e11, 0.5),
                  level("DRAM", {40, 160, 120, 40, 700000, 100000}, 2e11, 4e11, 0.5)};
  // family, busiest, busy, busiest busy, instances, bytes, origin
  point.resources = {
      {"network/row 0>1", "network/row 0>1", 0.9, 0.9, 1, 300000, of(Block::link)},
      {"die */L2 slice */data", "die 0/L2 slice 1/data", 0.8, 0.85, 16, 0, of(Block::cache, Owner::die, "L2")},
      {"die */crossbar/slice * response", "die 0/crossbar/slice 1 response", 0.7, 0.75, 16, 1100000,
       of(Block::crossbar, Owner::die)},
      {"network/row 1>0", "network/row 1>0", 0.6, 0.6, 1, 100000, of(Block::link)},
      {"memory die */MALL slice */data", "memory die 0/MALL slice 1/data", 0.5, 0.5, 16, 0,
       of(Block::cache, Owner::memory_die, "MALL")},
      {"memory die */DRAM channel */data bus", "memory die 0/DRAM channel 0/data bus", 0.45, 0.5, 16, 0,
       of(Block::dram_data_bus, Owner::memory_die)},
      {"die */crossbar/core * request", "die 0/crossbar/core 3 request", 0.4, 0.5, 304, 200000,
       of(Block::crossbar_source, Owner::die)},
      {"core */L1/data", "core 3/L1/data", 0.35, 0.4, 304, 0, of(Block::cache, Owner::core, "L1")},
      {"die */crossbar/core * response", "die 0/crossbar/core 3 response", 0.3, 0.5, 304, 1000000,
       of(Block::crossbar_source, Owner::die)},
      {"core */L1/tags", "core 3/L1/tags", 0.2, 0.2, 304, 0, of(Block::cache, Owner::core, "L1")},
      {"core */load/store unit", "core 0/load/store unit", 0.1, 0.1, 304, 0, of(Block::core, Owner::core)}};
  report.points = {point};
  return report;
}

HierarchyMap map_of(const BandwidthReport& report) {
  std::vector<Watched> all;
  for (const BandwidthPoint& point : report.points) all.push_back(point.watched());
  const BandwidthPoint& point = report.points.front();
  return hierarchy_map(point.watched(), parts_of(all), point.cores, point.seconds);
}

std::vector<std::string> names_of(const HierarchyMap& map) {
  std::vector<std::string> names;
  for (const MapBox& box : map.boxes) names.push_back(box.name);
  return names;
}

// An attribute of each element that has the text, as a number.
std::vector<double> numbers(const std::string& text, const std::string& element, const std::string& attribute) {
  std::vector<double> found;
  for (std::size_t at = text.find(element); at != std::string::npos; at = text.find(element, at + 1)) {
    const std::size_t from = text.find(attribute + "=\"", at) + attribute.size() + 2;
    found.push_back(std::stod(text.substr(from)));
  }
  return found;
}

}  // namespace

TEST_CASE("the_boxes_are_those_of_the_machine_from_core_to_memory") {
  CHECK(names_of(map_of(chiplets())) ==
        std::vector<std::string>{"304 cores", "L1", "Crossbar", "L2", "Links between dies", "MALL", "DRAM"});
  WHEN("there is no cache in front of memory") {
    BandwidthReport report = chiplets();
    report.points[0].levels.erase(report.points[0].levels.begin() + 2);
    std::erase_if(report.points[0].resources, [](const auto& resource) { return contains(resource.family, "MALL"); });
    THEN("the links lead to DRAM") {
      CHECK(names_of(map_of(report)) ==
            std::vector<std::string>{"304 cores", "L1", "Crossbar", "L2", "Links between dies", "DRAM"});
    }
  }
  WHEN("there is one die, and no L2") {
    BandwidthReport report = chiplets();
    report.points[0].levels.erase(report.points[0].levels.begin() + 1);
    std::erase_if(report.points[0].resources, [](const auto& resource) {
      return contains(resource.family, "L2") || contains(resource.family, "network");
    });
    THEN("there are no links") {
      CHECK(names_of(map_of(report)) == std::vector<std::string>{"304 cores", "L1", "Crossbar", "MALL", "DRAM"});
    }
  }
  WHEN("a point leaves crossbar and links idle that another one uses") {
    BandwidthReport report = chiplets();
    report.points.push_back(report.points[0]);
    std::erase_if(report.points[0].resources,
                  [](const auto& resource) { return !contains(resource.family, "core */L1"); });
    THEN("they are on its map as well, idle") {
      const HierarchyMap map = map_of(report);
      CHECK(names_of(map) ==
            std::vector<std::string>{"304 cores", "L1", "Crossbar", "L2", "Links between dies", "MALL", "DRAM"});
      CHECK_FALSE(map.boxes[4].resource);
      CHECK(contains(svg(map), ">idle</text>"));
    }
  }
}

TEST_CASE("the_figures_of_the_map_are_those_of_the_json") {
  BandwidthReport report = chiplets();
  const HierarchyMap map = map_of(report);
  REQUIRE(map.edges.size() + 1 == map.boxes.size());
  const boost::json::value document = boost::json::parse(json(report));
  const auto& point = document.at("points").at(0);
  const auto level_edge = [&](std::size_t edge, const char* name) {
    for (const auto& level : point.at("levels").as_array()) {
      if (level.at("name") != name) continue;
      CHECK(map.edges[edge].bytes ==
            level.at("bytes_read").to_number<std::uint64_t>() + level.at("bytes_written").to_number<std::uint64_t>());
      CHECK(map.edges[edge].bytes_per_second == level.at("bandwidth_bytes_per_second").to_number<double>());
      CHECK(map.edges[edge].busy_fraction == level.at("busy_fraction").to_number<double>());
      return;
    }
    FAIL(name);
  };
  level_edge(0, "L1");
  level_edge(2, "L2");
  level_edge(4, "MALL");
  level_edge(5, "DRAM");
  const auto resource = [&](const char* family) -> const boost::json::value& {
    for (const auto& one : point.at("resources").as_array())
      if (one.at("resource") == family) return one;
    FAIL(family);
    return point;
  };
  // All links together; the busiest of them.
  const auto& there = resource("network/row 0>1");
  const auto& back = resource("network/row 1>0");
  CHECK(map.edges[3].bytes ==
        there.at("bytes").to_number<std::uint64_t>() + back.at("bytes").to_number<std::uint64_t>());
  CHECK(map.edges[3].bytes_per_second == Approx(4e5 / point.at("seconds").to_number<double>()));
  CHECK(map.edges[3].busy_fraction == there.at("busy_fraction").to_number<double>());
  // Both directions of the cores' ports, and not those of the slices.
  CHECK(map.edges[1].bytes == 1200000);
  CHECK(map.edges[1].busy == "crossbar core request");
  CHECK(map.boxes[2].resource->busy_fraction ==
        resource("die */crossbar/slice * response").at("busy_fraction").to_number<double>());
  CHECK(map.boxes[3].resource->busy_fraction ==
        resource("die */L2 slice */data").at("busy_fraction").to_number<double>());
}

TEST_CASE("each_resource_belongs_to_its_box") {
  const HierarchyMap map = map_of(chiplets());
  const std::vector<std::string> families{"core */load/store unit",
                                          "core */L1/data",
                                          "die */crossbar/slice * response",
                                          "die */L2 slice */data",
                                          "network/row 0>1",
                                          "memory die */MALL slice */data",
                                          "memory die */DRAM channel */data bus"};
  for (std::size_t i = 0; i < families.size(); ++i) {
    REQUIRE(map.boxes[i].resource);
    CHECK(map.boxes[i].resource->family == families[i]);
    CHECK(map.boxes[i].busiest == (i == 4));
  }
}

TEST_CASE("lines_are_as_wide_as_their_rates_and_bars_as_long_as_their_busy_shares") {
  const HierarchyMap map = map_of(chiplets());
  const std::string text = svg(map);
  // L1 1 TB/s, crossbar 0.6, L2 0.8, links 0.2, MALL 0.4, DRAM 0.2.
  const std::vector<double> widths = numbers(text, "class=\"edge", "stroke-width");
  REQUIRE(widths.size() == 6);
  const std::vector<double> rates{1, 0.6, 0.8, 0.2, 0.4, 0.2};
  for (std::size_t i = 0; i < rates.size(); ++i) CHECK(widths[i] == Approx(widths[0] * rates[i]).margin(0.01));
  const std::vector<double> tracks = numbers(text, "class=\"track", "width");
  const std::vector<double> bars = numbers(text, "class=\"busy", "width");
  REQUIRE(bars.size() == map.boxes.size());
  for (std::size_t i = 0; i < bars.size(); ++i)
    CHECK(bars[i] == Approx(tracks[i] * map.boxes[i].resource->busy_fraction).margin(0.01));
}

TEST_CASE("the_busiest_box_is_marked_by_frame_and_word") {
  const std::string text = svg(map_of(chiplets()));
  CHECK(count(text, "class=\"box busiest\"") == 1);
  CHECK(contains(text, ">Links between dies (busiest)</text>"));
  CHECK(contains(map_table(map_of(chiplets())), "<td>Links between dies (busiest)</td>"));
}

TEST_CASE("the_map_states_where_no_bytes_are_counted") {
  BandwidthReport report = chiplets();
  for (BandwidthResource& resource : report.points[0].resources) resource.bytes = 0;
  const std::string text = svg(map_of(report));
  CHECK(contains(text, ">bytes are not counted here</text>"));
  CHECK(count(text, "stroke-dasharray=\"3 4\"/>") == 2);
}

TEST_CASE("a_map_is_well_formed_whatever_the_names_are") {
  BandwidthReport report = chiplets();
  report.points[0].levels[1].name = hostile;
  for (BandwidthResource& resource : report.points[0].resources) resource.family = "network/" + std::string(hostile);
  HierarchyMap map = map_of(report);
  map.title = hostile;
  for (const std::string& text : {svg(map), map_table(map), map_card(map, report.points[0].watched())}) {
    CHECK(fault_in_markup(text) == "");
    CHECK_FALSE(contains(text, "<script"));
  }
  CHECK(fault_in_markup(svg(hierarchy_map(Watched{}, MapParts{}, 0, 0))) == "");
}
