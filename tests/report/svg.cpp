// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "report/sample.hpp"
#include "report/svg/chart_layout.hpp"
#include "report/svg/curve.hpp"
#include "report/text/text.hpp"

using namespace strata::report;
using namespace strata::report::sample;

namespace {
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("a_measured_point_is_at_the_position_of_its_footprint_on_the_axes") {
  GIVEN("a chart from 1 KiB to 4 GiB with a measured point at 1 MiB, 300 cycles") {
    const Chart chart = latency_chart(curve());
    const Layout plot = layout(chart);
    WHEN("it is drawn") {
      const std::string text = svg(chart);
      THEN("its mark stands 10 of 22 octaves into the plot, at log(300) of its height") {
        const double x = plot.left + (20.0 - 10.0) / (32.0 - 10.0) * plot.width;
        const double up = std::log10(300.0 / 20) / std::log10(1000.0 / 20);
        const double y = plot.top + plot.headroom + (1 - up) * (plot.height - plot.headroom);
        CHECK(contains(text, fmt::format("translate({} {})", coordinate(x), coordinate(y))));
      }
      THEN("the plot ends at the right margin and above the lower one") {
        CHECK(plot.left == 72);
        CHECK(plot.left + plot.width == chart.width - right_margin);
        CHECK(plot.top + plot.height == chart.height - bottom_margin);
      }
    }
  }
}

TEST_CASE("measured_points_are_drawn_over_predicted_lines_and_say_their_error") {
  const std::string text = svg(latency_chart(curve()));
  CHECK(text.find("class=\"point f1\"") > text.rfind("class=\"line s0\" d="));
  CHECK(contains(text, "<title>measured, b200.csv: 1 KiB, 50 cycles\npredicted 40 cycles, -20.0 %</title>"));
  CHECK(contains(text, "<title>Strata, predicted: 1 MiB, 301 cycles\nL1 25.0 %, L2 75.0 %</title>"));
}

TEST_CASE("capacities_and_plateaus_are_labelled") {
  const std::string text = svg(latency_chart(curve()));
  CHECK(count(text, "class=\"capacity\"") == 2);
  CHECK(contains(text, ">L1 216 KiB</text>"));
  CHECK(contains(text, ">L2 126 MiB</text>"));
  CHECK(count(text, "class=\"plateau\"") == 1);
  CHECK(contains(text, ">L1 40</text>"));
}

TEST_CASE("capacity_labels_close_to_one_another_take_separate_rows") {
  GIVEN("three capacities within one octave and one far away") {
    Chart chart = latency_chart(curve());
    chart.capacities = {
        {40 * MiB, "third from the right"}, {50 * MiB, "second from the right"}, {60 * MiB, "right"}, {4 * KiB, "far"}};
    const Layout plot = layout(chart);
    const auto labels = place_capacities(chart, plot.x, plot.width);
    THEN("they are in order, and each stands above those it would cross") {
      REQUIRE(labels.size() == 4);
      CHECK(labels[0].row == 0);
      CHECK(labels[1].row == 2);
      CHECK(labels[2].row == 1);
      CHECK(labels[3].row == 0);
      CHECK(labels[1].marker->label == "third from the right");
    }
    THEN("the plot gives up a row of height for each") {
      chart.capacities.resize(1);
      CHECK(layout(chart).height == plot.height + 2 * capacity_row);
    }
  }
}

TEST_CASE("a_capacity_off_the_axis_is_omitted") {
  Chart chart = latency_chart(curve());
  chart.capacities = {{512, "too small"}, {8 * GiB, "too large"}};
  CHECK(count(svg(chart), "class=\"capacity\"") == 0);
}

TEST_CASE("a_legend_too_long_for_a_row_continues_in_the_next") {
  Chart chart = latency_chart(curve());
  chart.series.assign(3, {std::string(70, 'x'), Style::line, {{1024, 40, ""}}, {}});
  const auto entries = place_legend(chart);
  CHECK(entries[0].x == entries[1].x);
  CHECK(entries[1].y == entries[0].y + legend_row);
  CHECK(entries[2].y == entries[1].y + legend_row);
}

TEST_CASE("a_value_that_cannot_be_drawn_breaks_the_line") {
  Chart chart;
  chart.series = {{"one", Style::line, {{1, 1, ""}, {2, 2, ""}, {3, none, ""}, {4, 4, ""}, {5, 5, ""}}, {}}};
  const std::string text = svg(chart);
  const std::string path = text.substr(text.find(" d=\"") + 4);
  CHECK(count(path.substr(0, path.find('"')), "M") == 2);
  CHECK(count(path.substr(0, path.find('"')), "L") == 2);
}

TEST_CASE("several_gpus_share_a_chart_with_one_colour_each") {
  std::vector<CurveReport> reports{curve(), curve()};
  reports[1].heading.gpu = "mi300x";
  const Chart chart = latency_chart(reports, LatencyUnit::cycles);
  REQUIRE(chart.series.size() == 4);
  CHECK(chart.series[0].name == "b200");
  CHECK(chart.series[1].name == "b200, measured");
  CHECK(chart.series[1].colour == chart.series[0].colour);
  CHECK(chart.series[2].colour != chart.series[0].colour);
  WHEN("the chart is in ns, and the measured points are in cycles") {
    THEN("they are left out rather than drawn in the wrong unit") {
      CHECK(latency_chart(reports, LatencyUnit::ns).series.size() == 2);
    }
  }
}

TEST_CASE("a_drawing_is_well_formed_whatever_the_names_are") {
  Chart chart = latency_chart(curve());
  REQUIRE(fault_in_markup(svg(chart)).empty());
  chart.title = chart.subtitle = chart.x.title = chart.y.title = chart.y.unit = hostile;
  chart.capacities[0].label = chart.plateaus[0].label = hostile;
  for (Series& series : chart.series) {
    series.name = hostile;
    series.points[0].note = hostile;
  }
  const std::string text = svg(chart);
  CHECK(fault_in_markup(text) == "");
  CHECK_FALSE(contains(text, "<script"));
  CHECK_FALSE(contains(text, "\x1b"));
  CHECK_FALSE(contains(text, "\xff"));
}

TEST_CASE("an_empty_chart_is_still_a_drawing") { CHECK(fault_in_markup(svg(Chart{})) == ""); }

TEST_CASE("a_drawing_loads_no_resources_and_supports_dark_pages") {
  const std::string text = svg(latency_chart(curve()));
  CHECK(contains(text, "prefers-color-scheme:dark"));
  CHECK_FALSE(contains(text, "href"));
  CHECK_FALSE(contains(text, "url("));
  CHECK_FALSE(contains(text, "<script"));
  CHECK(count(text, "http") == 1);  // the namespace
}
