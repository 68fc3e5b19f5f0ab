// SPDX-License-Identifier: Apache-2.0
#include "study/sweep/sweep.hpp"

#include <set>

#include "catch.hpp"

using strata::study::SweepGrid;

TEST_CASE("a_grid_holds_every_combination_once_the_last_turning_fastest") {
  const SweepGrid grid({2, 3, 2});
  REQUIRE(grid.points() == 12);
  std::set<std::vector<std::size_t>> seen;
  for (std::size_t i = 0; i < grid.points(); ++i) {
    CHECK(grid.point(grid.choices(i)) == i);
    seen.insert(grid.choices(i));
  }
  CHECK(seen.size() == 12);
  CHECK(grid.choices(1) == std::vector<std::size_t>{0, 0, 1});
  CHECK(grid.choices(2) == std::vector<std::size_t>{0, 1, 0});
  CHECK(grid.choices(11) == std::vector<std::size_t>{1, 2, 1});
  CHECK(SweepGrid({}).points() == 1);
}

TEST_CASE("a_product_beyond_all_numbers_is_more_than_the_most") {
  CHECK(SweepGrid({std::size_t{1} << 40U, std::size_t{1} << 40U}).points(100) == 101);
  CHECK(SweepGrid({10, 10}).points(100) == 100);
  CHECK(SweepGrid({10, 11}).points(100) == 101);
}

TEST_CASE("what_changes_nothing_changes_nothing_anywhere") {
  const SweepGrid grid({2, 3, 1});
  // The answer is decided by the first thing alone, but for one point in the second case.
  const auto first = [&](std::size_t point) { return grid.choices(point)[0]; };
  const auto same = [&](std::size_t a, std::size_t b) { return first(a) == first(b); };
  CHECK_FALSE(grid.unchanged_by(0, same));
  CHECK(grid.unchanged_by(1, same));
  CHECK_FALSE(grid.unchanged_by(2, same));  // one value has no effect
  const auto but_for_one = [&](std::size_t a, std::size_t b) { return a != 5 && b != 5 && same(a, b); };
  CHECK_FALSE(grid.unchanged_by(1, but_for_one));
}

TEST_CASE("linked_things_take_their_values_together") {
  const SweepGrid grid({2, 3, 2}, {0, 1, 0});  // the third is linked with the first
  REQUIRE(grid.points() == 6);
  CHECK(grid.choices(0) == std::vector<std::size_t>{0, 0, 0});
  CHECK(grid.choices(2) == std::vector<std::size_t>{0, 2, 0});
  CHECK(grid.choices(3) == std::vector<std::size_t>{1, 0, 1});
  for (std::size_t i = 0; i < grid.points(); ++i) CHECK(grid.point(grid.choices(i)) == i);
  const auto second = [&](std::size_t a, std::size_t b) { return grid.choices(a)[1] == grid.choices(b)[1]; };
  CHECK(grid.unchanged_by(0, second));
  CHECK(grid.unchanged_by(2, second));
  CHECK_FALSE(grid.unchanged_by(1, second));
}
