// SPDX-License-Identifier: Apache-2.0
// A cache that is too small for its traffic is reported, with the sufficient number of lines: loads
// at random addresses fill some set with pending lines before they fill the cache.
#include "machine/checks/cache_shortages.hpp"

#include <charconv>
#include <string>
#include <vector>

#include "catch.hpp"
#include "tiny_machine.hpp"

using namespace strata;
using namespace strata::machine;

namespace {

// The report on a memory-side cache of that number of lines of 4 ways; empty: none.
std::string said(std::uint64_t lines) {
  MachineSpec spec = test::chiplets();
  spec.memory_side_cache->cache.size = Bytes{lines * 128};
  spec.memory_side_cache->cache.data_width = BytesPerClock{1024};
  spec.memory_side_cache->cache.mshrs = 512;
  for (const CacheShortage& shortage : cache_shortages(spec))
    if (shortage.cache == "MALL") return shortage.words;
  return {};
}

}  // namespace

TEST_CASE("a_cache_that_is_too_small_to_carry_its_traffic_names_the_size_that_is_not") {
  // 4 sets of 4 ways: a mean of m a set, whose fullest holds m + sqrt(2 m ln 4) = 4, is 1.777; 4 of those are 7.1.
  const std::string small = said(16);
  CHECK(small.starts_with("MALL: 7.1 lines of 128 B in flight, "));
  const std::string before = ": memory_side_cache.cache.size=";
  const std::size_t at = small.find(before);
  REQUIRE(at != std::string::npos);
  std::uint64_t enough = 0;
  std::from_chars(small.data() + at + before.size(), small.data() + small.size(), enough);
  CHECK(small.find("KiB or more lifts that limit") != std::string::npos);
  enough = enough * 1024 / 128;
  REQUIRE(enough > 16);
  CHECK(said(enough).empty());
  CHECK_FALSE(said(enough / 4).empty());
}

TEST_CASE("one_set_holds_as_many_pending_lines_as_it_has_ways") {
  CHECK(said(4).starts_with("MALL: 4 lines of 128 B in flight, "));
}

TEST_CASE("a_port_of_a_group_that_is_narrower_than_its_level_is_reported") {
  // The level of a group has 2 slices of 64 B/clk.
  MachineSpec spec = test::monolithic();
  CHECK(narrow_group_ports(spec).empty());
  LevelSpec level;
  level.shared_by = Sharers::group;
  level.slices = 2;
  level.cache = test::tiny_cache("L1.5", Bytes{4096}, 4, Cycles{3}, Cycles{11}, Cycles{2});
  spec.levels = {level};
  spec.crossbar.source_response_width = BytesPerClock{64};
  spec.crossbar.source_request_width = BytesPerClock{32};
  CHECK(narrow_group_ports(spec) ==
        "the sources of the crossbar are groups of cores, which have L1.5 as a level: crossbar.source_response_width = "
        "64 B/clk and crossbar.source_request_width = 32 B/clk are the ports of a whole group, less than the 128 B/clk "
        "that its L1.5 delivers: set crossbar.source_response_width=128B/clk and "
        "crossbar.source_request_width=128B/clk");
  spec.crossbar.source_response_width = BytesPerClock{128};
  CHECK(narrow_group_ports(spec).empty());
  spec.crossbar.source_response_width = BytesPerClock{0};
  CHECK(narrow_group_ports(spec).empty());
  spec.levels[0].shared_by = Sharers::core;
  spec.crossbar.source_response_width = BytesPerClock{64};
  CHECK(narrow_group_ports(spec).empty());
}
