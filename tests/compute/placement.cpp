// SPDX-License-Identifier: Apache-2.0
#include "compute/placement.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "catch.hpp"

namespace strata::compute {
namespace {

std::vector<std::uint32_t> order_of(const char* policy, const CoreGrid& grid) {
  return find_placement(policy)->order(grid);
}

}  // namespace

TEST_CASE("every_placement_fills_each_core_once") {
  for (const PlacementPolicy& policy : placement_policies()) {
    for (const std::uint32_t dies : {1U, 2U, 8U})
      for (const std::uint32_t cores : {1U, 7U, 38U})
        for (const std::uint32_t group : {1U, 2U, 16U, 64U}) {
          CAPTURE(std::string(policy.name), dies, cores, group);
          std::vector<std::uint32_t> order = policy.order({dies, cores, group});
          REQUIRE(order.size() == dies * cores);
          std::sort(order.begin(), order.end());
          for (std::uint32_t i = 0; i < order.size(); ++i) REQUIRE(order[i] == i);
        }
  }
}

TEST_CASE("placements_are_found_by_name_alone") {
  std::set<std::string> names;
  for (const PlacementPolicy& policy : placement_policies()) {
    CHECK(find_placement(policy.name) == &policy);
    CHECK_FALSE(policy.meaning.empty());
    CHECK(names.insert(std::string(policy.name)).second);
  }
  CHECK(find_placement("no such") == nullptr);
  CHECK(find_placement("") == nullptr);
}

TEST_CASE("die_first_fills_a_die_before_the_next") {
  const CoreGrid grid{3, 5, 2};
  const auto order = order_of("die_first", grid);
  for (std::uint32_t n = 0; n < order.size(); ++n) CHECK(order[n] / grid.cores_per_die == n / grid.cores_per_die);
}

TEST_CASE("half_group_first_begins_in_the_midst_of_the_first_group_and_ends_there") {
  const CoreGrid grid{.dies = 2, .cores_per_die = 6, .cores_per_group = 4};
  CHECK(order_of("half_group_first", grid) == std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1});
}

TEST_CASE("round_robin_dies_goes_to_the_next_die_each_time") {
  const CoreGrid grid{8, 5, 2};
  const auto order = order_of("round_robin_dies", grid);
  for (std::uint32_t n = 0; n < order.size(); ++n) {
    CHECK(order[n] / grid.cores_per_die == n % grid.dies);
    CHECK(order[n] % grid.cores_per_die == n / grid.dies);
  }
}

TEST_CASE("round_robin_groups_never_gives_a_group_two_more_than_another") {
  const CoreGrid grid{2, 8, 4};  // four groups of four
  const auto order = order_of("round_robin_groups", grid);
  std::map<std::uint32_t, unsigned> given;
  for (std::uint32_t group = 0; group < 4; ++group) given[group] = 0;
  for (const std::uint32_t core : order) {
    ++given[core / grid.cores_per_group];
    const auto [least, most] = std::minmax_element(given.begin(), given.end(),
                                                   [](const auto& a, const auto& b) { return a.second < b.second; });
    CHECK(most->second - least->second <= 1);
  }
}

TEST_CASE("round_robin_groups_passes_over_a_short_group_that_is_full") {
  // Five cores a die in groups of two: the last group has one.
  CHECK(order_of("round_robin_groups", {1, 5, 2}) == std::vector<std::uint32_t>{0, 2, 4, 1, 3});
}

}  // namespace strata::compute
