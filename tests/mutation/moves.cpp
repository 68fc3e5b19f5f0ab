// SPDX-License-Identifier: Apache-2.0
// Which settings are moved, and to which values.
#include "mutation/moves.hpp"

#include <algorithm>

#include "catch.hpp"

namespace {

using strata::config::Effective;
using strata::config::Shape;
using strata::mutation::Direction;
using strata::mutation::moved;
using strata::mutation::numbers;

Effective number(const char* key, const char* bound) {
  Effective node;
  node.key = key;
  node.bound = bound;
  node.number = true;
  return node;
}

Effective branch(const char* key, Shape shape, std::vector<Effective> children) {
  Effective node;
  node.key = key;
  node.shape = shape;
  node.children = std::move(children);
  return node;
}

}  // namespace

SCENARIO("a_value_is_moved_to_half_and_to_half_as_much_again_first") {
  CHECK(moved("2460 MHz", Direction::down).front() == "1230 MHz");
  CHECK(moved("2460 MHz", Direction::up).front() == "3690 MHz");
  CHECK(moved("0.25 clk", Direction::down).front() == "0.125 clk");
}

SCENARIO("a_size_is_moved_in_bytes_so_that_half_of_an_odd_one_can_be_written") {
  CHECK(moved("105 KiB", Direction::down).front() == "53760 B");
  CHECK(moved("2 MiB", Direction::up).front() == "3145728 B");
}

SCENARIO("where_half_is_not_whole_the_nearest_whole_value_is_offered") {
  const std::vector<std::string> of_three = moved("3", Direction::down);
  CHECK(std::find(of_three.begin(), of_three.end(), "2") != of_three.end());
  const std::vector<std::string> of_one = moved("1", Direction::up);
  CHECK(std::find(of_one.begin(), of_one.end(), "2") != of_one.end());
  GIVEN("any value") {
    THEN("its own is never offered") {
      for (const char* value : {"1", "2", "3", "7", "1 clk", "4096 B"})
        for (const Direction direction : {Direction::down, Direction::up})
          for (const std::string& to : moved(value, direction)) CHECK(to != value);
    }
  }
}

SCENARIO("seeds_zeros_texts_ends_of_links_absent_settings_and_lists_of_numbers_are_not_moved") {
  GIVEN("a configuration with one of each and two numbers") {
    Effective absent = number("mshrs", "8");
    absent.absent = true;
    Effective text = number("policy", "lru");
    text.number = false;
    const Effective root = branch(
        "", Shape::map,
        {number("ways", "16"), number("seed", "1"), number("latency", "0 clk"), absent, text,
         branch("masks", Shape::list, {number("", "12"), number("", "13")}),
         branch("links", Shape::list,
                {branch("", Shape::map, {number("from", "1"), number("to", "2"), number("width", "64 B/clk")})})});
    THEN("the two are found by their paths, entries of lists by name or number") {
      const auto found = numbers(root);
      REQUIRE(found.size() == 2);
      CHECK(found[0].path == "ways");
      CHECK(found[1].path == "links.0.width");
      CHECK(found[1].value == "64 B/clk");
    }
  }
}
