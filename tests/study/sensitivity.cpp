// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a sensitivity analysis: the values to which a number is moved or drawn, and
// the evaluation of the results.
#include "study/sweep/sensitivity.hpp"

#include <cmath>

#include "catch.hpp"

using namespace strata::study;
namespace config = strata::config;

namespace {

std::vector<std::string> texts(const std::vector<Move>& moves) {
  std::vector<std::string> all;
  for (const Move& move : moves) all.push_back(move.text);
  return all;
}

}  // namespace

TEST_CASE("a_number_is_moved_by_the_factor_asked_for_before_any_other_step") {
  const std::vector<Move> down = moves("28 clk", config::cycles_kind, Direction::down, 0.2);
  REQUIRE(!down.empty());
  CHECK(down.front().text == "22.4 clk");
  CHECK(down.front().number == 22.4);
  CHECK(down.front().by_factor);
  CHECK(moves("28 clk", config::cycles_kind, Direction::up, 0.2).front().text == "33.6 clk");
  // 0.75 and 0.875 lie nearer to 0.8 than a half does: by 1.4 and 2.1 of 28 cycles.
  CHECK(texts(down) == std::vector<std::string>{"22.4 clk", "21 clk", "24.5 clk", "14 clk"});
  CHECK(!down[1].by_factor);
}

TEST_CASE("a_whole_number_is_rounded_and_takes_the_next_one_where_that_changes_nothing") {
  // 0.8 * 96 = 76.8
  CHECK(moves("96", config::count_kind, Direction::down, 0.2).front().text == "77");
  CHECK(moves("96", config::count_kind, Direction::down, 0.2).front().by_factor);
  // 1.2 * 2 = 2.4, which is 2 again.
  const std::vector<Move> two = moves("2", config::count_kind, Direction::up, 0.2);
  REQUIRE(!two.empty());
  CHECK(two.front().text == "3");
  CHECK(!two.front().by_factor);
}

TEST_CASE("no_number_is_moved_to_or_from_zero") {
  CHECK(moves("1", config::count_kind, Direction::down, 0.2).empty());
  CHECK(moves("0 clk", config::cycles_kind, Direction::up, 0.2).empty());
  CHECK(moves("0", config::count_kind, Direction::up, 0.2).empty());
}

TEST_CASE("a_draw_lies_in_its_range_and_depends_on_seed_draw_and_path_alone") {
  double least = 1e9;
  double most = 0;
  double sum_of_logs = 0;
  constexpr std::uint64_t draws = 2000;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const Move move = drawn("l1.hit", "100 clk", config::cycles_kind, 0.25, 7, i);
    least = std::min(least, move.number);
    most = std::max(most, move.number);
    sum_of_logs += std::log(move.number / 100);
    CHECK(move.number == drawn("l1.hit", "100 clk", config::cycles_kind, 0.25, 7, i).number);
  }
  CHECK(least >= 100 / 1.25);
  CHECK(most <= 100 * 1.25);
  // It fills the range: of 2000 draws some lie within 1 % of each end.
  CHECK(least < 100 / 1.25 * 1.01);
  CHECK(most > 100 * 1.25 / 1.01);
  // Uniform in the logarithm: standard error ln(1.25) / sqrt(3 * 2000) = 0.0029.
  CHECK(std::abs(sum_of_logs / static_cast<double>(draws)) < 4 * 0.0029);
  CHECK(drawn("l1.hit", "100 clk", config::cycles_kind, 0.25, 7, 0).text !=
        drawn("l1.hit", "100 clk", config::cycles_kind, 0.25, 8, 0).text);
  CHECK(drawn("l1.hit", "100 clk", config::cycles_kind, 0.25, 7, 0).text !=
        drawn("l2.hit", "100 clk", config::cycles_kind, 0.25, 7, 0).text);
}

TEST_CASE("elasticity_is_the_exponent_of_a_power_law") {
  // answer = 3 * setting^2, then answer = 5 / setting
  CHECK(std::abs(elasticity(2, 12, 8, 192) - 2) < 1e-12);
  CHECK(std::abs(elasticity(2, 2.5, 10, 0.5) + 1) < 1e-12);
  CHECK(elasticity(2, 7, 8, 7) == 0);
  CHECK(std::isnan(elasticity(2, 0, 8, 7)));
  CHECK(std::isnan(elasticity(2, 7, 2, 8)));
}

TEST_CASE("quantiles_are_linear_between_neighbours") {
  const std::vector<double> sorted{10, 20, 40};
  CHECK(quantile(sorted, 0) == 10);
  CHECK(quantile(sorted, 0.5) == 20);
  CHECK(quantile(sorted, 0.75) == 30);
  CHECK(quantile(sorted, 1) == 40);
  CHECK(std::isnan(quantile({}, 0.5)));
}
