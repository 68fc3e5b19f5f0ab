// SPDX-License-Identifier: Apache-2.0
#include "report/svg/heat_map.hpp"

#include <string>

#include "catch.hpp"
#include "report/sweep/sweep.hpp"
#include "sample.hpp"

namespace strata::report {
namespace {

// n x m points whose figure is 10 x the first choice + the second, in the order of the grid.
SweepReport grid(std::size_t columns, std::size_t rows) {
  SweepReport report;
  report.title = "a grid";
  report.figures = {{"latency_ns", "latency", "ns"}};
  SweepParameter x{"a", "a", SweepPart::configuration, {}, "", 1, false, false},
      y{"b", "b", SweepPart::configuration, {}, "", 1, false, false};
  for (std::size_t i = 0; i < columns; ++i) x.values.push_back({std::to_string(i), static_cast<double>(i)});
  for (std::size_t i = 0; i < rows; ++i) y.values.push_back({std::to_string(i), static_cast<double>(i)});
  report.parameters = {x, y};
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = 0; j < rows; ++j)
      report.points.push_back({{i, j}, {10.0 * static_cast<double>(i) + static_cast<double>(j) + 1}, {}, {}});
  return report;
}

}  // namespace

TEST_CASE("shades_run_from_pale_to_dark") {
  CHECK(shade(0) == "#e3eef7");
  CHECK(shade(1) == "#08306b");
  const auto grey = [](const std::string& colour) {
    const auto part = [&](std::size_t at) { return std::stoi(colour.substr(at, 2), nullptr, 16); };
    return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5);
  };
  for (int i = 0; i < 10; ++i) CHECK(grey(shade(i / 10.0)) > grey(shade((i + 1) / 10.0)) + 10);
}

TEST_CASE("a_sweep_over_two_numbers_has_a_map_with_a_cell_a_point") {
  const std::vector<HeatMap> maps = sweep_maps(grid(5, 4));
  REQUIRE(maps.size() == 1);
  const HeatMap& map = maps[0];
  CHECK(map.x.title == "a");
  CHECK(map.y.title == "b");
  REQUIRE(map.cells.size() == 20);
  CHECK(map.cells[0].value == 1.0);
  CHECK(map.cells[4].value == 41.0);          // the last column of the first row
  CHECK(map.cells[3 * 5 + 2].value == 24.0);  // a = 2, b = 3
  CHECK(map.least == 1);
  CHECK(map.most == 44);
  CHECK(map.logarithmic);  // more than a decade
  const std::string drawn = svg(map);
  CHECK(sample::fault_in_markup(drawn).empty());
  CHECK(sample::count(drawn, "crispEdges") == 20);
  CHECK(sample::count(drawn, "<title>a 2, b 3: 24.0 ns</title>") == 1);
  CHECK(sample::count(drawn, ">24.0</text>") == 1);  // it fits into the cell
}

TEST_CASE("an_axis_of_a_map_grows_whatever_the_order_of_its_values") {
  SweepReport report = grid(3, 3);
  std::swap(report.parameters[0].values[0], report.parameters[0].values[2]);
  const HeatMap map = sweep_maps(report).at(0);
  CHECK(map.x.labels == std::vector<std::string>{"0", "1", "2"});
  CHECK(map.cells[0].value == 21.0);  // choice 2 of the first thing is now its value 0
}

TEST_CASE("values_without_a_number_are_last_on_an_axis_of_a_map") {
  SweepReport report = grid(3, 3);
  report.parameters[1].values = {{"4", 4}, {"none", sample::none}, {"2", 2}};
  CHECK(sweep_maps(report).at(0).y.labels == std::vector<std::string>{"2", "4", "none"});
}

TEST_CASE("a_sweep_without_a_figure_has_no_map") {
  SweepReport report = grid(3, 3);
  for (SweepPoint& point : report.points) point.figures[0] = sample::none;
  CHECK(sweep_maps(report).empty());
}

TEST_CASE("a_point_that_was_not_run_leaves_its_cell_empty") {
  SweepReport report = grid(3, 3);
  report.points.erase(report.points.begin() + 4);
  const HeatMap map = sweep_maps(report).at(0);
  CHECK(!map.cells[4].value);
  CHECK(sample::count(svg(map), "crispEdges") == 8);
}

TEST_CASE("curves_that_cannot_be_distinguished_are_drawn_as_a_map") {
  CHECK(sweep_charts(grid(3, 15)).empty());
  CHECK(why_not_drawn(grid(3, 15).parameters).empty());
  CHECK(sample::count(svg(grid(3, 15)), "crispEdges") == 45);
  CHECK(sample::count(svg(grid(3, 14)), "crispEdges") == 0);    // as curves
  CHECK(sample::count(html(grid(3, 14)), "crispEdges") == 42);  // a page has both
  CHECK(!why_not_drawn(grid(2, 15).parameters).empty());
  CHECK(!why_not_drawn(grid(3, 201).parameters).empty());
}

TEST_CASE("a_large_map_has_small_cells_and_some_labels") {
  const HeatMap map = sweep_maps(grid(100, 100)).at(0);
  const std::string drawn = svg(map);
  CHECK(sample::count(drawn, "crispEdges") == 10000);
  CHECK(sample::count(drawn, "class=\"tick\"") < 120);
  CHECK(drawn_height(map) < 720);
  CHECK(drawn.size() < 2'000'000);
}

TEST_CASE("lines_of_a_chart_differ_without_colour_and_have_labels_at_their_ends") {
  const SweepReport report = grid(4, 3);
  const std::string drawn = svg(report);
  CHECK(sample::count(drawn, "stroke-dasharray=\"9 5\"") == 2);  // the second line and its place in the legend
  CHECK(sample::count(drawn, "class=\"point f2\"") == 5);        // its four points, and the legend
  for (const char* const label : {">0</text>", ">1</text>", ">2</text>"})
    CHECK(sample::count(drawn, std::string("text-anchor=\"end\"") + label) >= 1);
  CHECK(sample::count(svg(grid(4, 1)), "stroke-dasharray=\"9 5\"") == 0);
}

}  // namespace strata::report
