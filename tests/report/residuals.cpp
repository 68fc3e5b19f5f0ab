// SPDX-License-Identifier: Apache-2.0
// The panel beneath a curve: the error of the model at each measured point.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "catch.hpp"
#include "report/bandwidth/bandwidth.hpp"
#include "report/bandwidth_sample.hpp"
#include "report/latency/html.hpp"
#include "report/sample.hpp"
#include "report/svg/chart_layout.hpp"
#include "report/svg/curve.hpp"
#include "report/text/text.hpp"

using namespace strata::report;
using namespace strata::report::sample;

namespace {
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string stem(double x, double zero, double y) {
  return fmt::format("<line class=\"stem s1\" x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\"/>", coordinate(x),
                     coordinate(zero), coordinate(y));
}
}  // namespace

TEST_CASE("residuals_are_percent_of_the_measured_value_on_the_footprint_axis_of_the_curve") {
  GIVEN("measured 50 and 300 cycles where the model has 40 and 301") {
    const Chart chart = latency_chart(curve());
    const Layout plot = layout(chart);
    REQUIRE(plot.residuals);
    const ResidualPanel& panel = *plot.residuals;
    THEN("the axis is symmetric and holds the largest error, -20 %") {
      CHECK(panel.y.lower() == -20);
      CHECK(panel.y.upper() == 20);
      CHECK(panel.py(0) == Approx(panel.top + panel.height / 2));
    }
    THEN("each mark is above or below its measured point, at its error") {
      const std::string text = svg(chart);
      const double first = plot.px(1024);
      const double second = plot.px(1 << 20);
      const double down = panel.top + panel.height;  // -20 % is the lower end
      const double up = panel.top + panel.height * (0.5 - (1.0 / 3) / 40);
      CHECK(contains(text, stem(first, panel.py(0), down)));
      CHECK(contains(text, stem(second, panel.py(0), up)));
      CHECK(contains(text, fmt::format("translate({} {})", coordinate(first), coordinate(down))));
      CHECK(contains(text, fmt::format("translate({} {})", coordinate(second), coordinate(up))));
      CHECK(contains(text, "<title>error: 1 KiB, -20.0 %\npredicted 40 cycles, measured 50 cycles</title>"));
      CHECK(count(text, "class=\"zero\"") == 1);
      CHECK(contains(text, ">Error [%]</text>"));
    }
  }
}

TEST_CASE("the_panel_is_beneath_the_plot_and_inside_the_drawing") {
  const Chart chart = latency_chart(curve());
  const Layout plot = layout(chart);
  REQUIRE(plot.residuals);
  CHECK(plot.residuals->top == plot.top + plot.height + residual_gap);
  CHECK(plot.residuals->top + plot.residuals->height + bottom_margin == drawn_height(chart));
  // The footprint axis is labelled once, beneath the panel.
  const std::string text = svg(chart);
  CHECK(count(text, ">Footprint</text>") == 1);
  CHECK(text.find(fmt::format("viewBox=\"0 0 960 {}\"", coordinate(drawn_height(chart)))) != std::string::npos);
  CHECK(
      contains(text, fmt::format("y=\"{}\" text-anchor=\"middle\">Footprint<", coordinate(drawn_height(chart) - 16))));
}

TEST_CASE("without_a_measured_point_there_is_no_panel") {
  CurveReport alone = curve();
  alone.comparison.reset();
  const Chart chart = latency_chart(alone);
  CHECK_FALSE(layout(chart).residuals);
  CHECK(drawn_height(chart) == chart.height);
  CHECK_FALSE(contains(svg(chart), "Error [%]"));
  WHEN("every measured value is zero, so that no error exists") {
    CurveReport zero = curve();
    for (ComparedPoint& point : zero.comparison->points) point.measured = 0;
    THEN("there is none either") { CHECK_FALSE(layout(latency_chart(zero)).residuals); }
  }
  WHEN("the model is exact") {
    CurveReport exact = curve();
    for (ComparedPoint& point : exact.comparison->points) point.measured = point.predicted;
    THEN("the marks are on the zero line of an axis of one percent") {
      const Layout plot = layout(latency_chart(exact));
      REQUIRE(plot.residuals);
      CHECK(plot.residuals->y.upper() == 1);
      CHECK(contains(svg(latency_chart(exact)), stem(plot.px(1024), plot.residuals->py(0), plot.residuals->py(0))));
    }
  }
}

TEST_CASE("every_chart_with_measured_points_has_the_panel") {
  const Layout plot = layout(bandwidth_chart(bandwidth()));  // 1 TB/s measured, 2 predicted
  REQUIRE(plot.residuals);
  CHECK(plot.residuals->y.upper() == 100);
  for (const std::string& page : {html(curve()), html(validation()), html(bandwidth())})
    CHECK(count(page, "class=\"zero\"") == 1);
}

TEST_CASE("residuals_of_several_gpus_have_the_colours_of_their_curves") {
  std::vector<CurveReport> reports{curve(), curve()};
  const Chart chart = latency_chart(reports, LatencyUnit::cycles);
  REQUIRE(chart.residuals.size() == 2);
  CHECK(chart.residuals[0].colour == chart.series[1].colour);
  CHECK(chart.residuals[1].colour == chart.series[3].colour);
  CHECK(latency_chart(reports, LatencyUnit::ns).residuals.empty());
}
