// SPDX-License-Identifier: Apache-2.0
#include "report/svg/axis.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "report/sample.hpp"
#include "report/svg/curve.hpp"

using namespace strata::report;
using namespace strata::report::sample;

namespace {
std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> found;
  for (const Tick& tick : axis.ticks()) {
    if (!tick.label.empty()) found.push_back(tick.label);
  }
  return found;
}

AxisSpec scaled(Scale scale) {
  AxisSpec spec;
  spec.scale = scale;
  return spec;
}
}  // namespace

TEST_CASE("footprint_axis_runs_between_powers_of_two_and_labels_sizes") {
  GIVEN("footprints from a little over 1 KiB to a little under 4 GiB") {
    const std::vector<double> values{1.1 * KiB, 3.9 * GiB};
    const Axis axis(footprint_axis(), values);
    THEN("the ends are 1 KiB and 4 GiB, and every second octave is labelled") {
      CHECK(axis.lower() == 1 * KiB);
      CHECK(axis.upper() == 4 * GiB);
      CHECK(labels(axis) == std::vector<std::string>{"1 KiB", "4 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB", "4 MiB",
                                                     "16 MiB", "64 MiB", "256 MiB", "1 GiB", "4 GiB"});
      CHECK(axis.ticks().size() == 32 - 10 + 1);
    }
  }
}

TEST_CASE("log2_fraction_is_octaves_over_octaves") {
  const std::vector<double> values{1 * KiB, 4 * GiB};
  const Axis axis(footprint_axis(), values);
  CHECK(axis.fraction(1 * KiB) == 0);
  CHECK(axis.fraction(4 * GiB) == 1);
  CHECK(axis.fraction(2 * MiB) == Approx((21.0 - 10.0) / (32.0 - 10.0)));
}

TEST_CASE("log10_axis_widens_to_the_1_2_5_series") {
  const std::vector<double> values{39.6, 859.5};
  const Axis axis(scaled(Scale::log10), values);
  CHECK(labels(axis) == std::vector<std::string>{"20", "50", "100", "200", "500", "1000"});
  CHECK(axis.lower() == 20);
  CHECK(axis.upper() == 1000);
  CHECK(axis.fraction(100) == Approx(std::log(100.0 / 20) / std::log(1000.0 / 20)));
}

TEST_CASE("log10_axis_keeps_a_value_of_the_series_as_its_end") {
  const std::vector<double> values{0.02, 500};
  const Axis axis(scaled(Scale::log10), values);
  CHECK(axis.lower() == 0.02);
  CHECK(axis.upper() == 500);
}

TEST_CASE("log10_axis_over_many_decades_labels_powers_of_ten_alone") {
  const std::vector<double> values{1, 1e6};
  CHECK(labels(Axis(scaled(Scale::log10), values)) ==
        std::vector<std::string>{"1", "10", "100", "1000", "10000", "100000", "1000000"});
}

TEST_CASE("linear_axis_starts_at_zero_and_steps_evenly") {
  const std::vector<double> values{300, 950};
  const Axis axis(scaled(Scale::linear), values);
  CHECK(labels(axis) == std::vector<std::string>{"0", "200", "400", "600", "800", "1000"});
  CHECK(axis.fraction(250) == 0.25);
}

TEST_CASE("given_ends_are_kept_and_values_beyond_them_are_not_shown") {
  AxisSpec spec = footprint_axis();
  spec.lower = 1 * KiB;
  spec.upper = 1 * MiB;
  const std::vector<double> values{16, 4 * GiB};
  const Axis axis(spec, values);
  CHECK(axis.lower() == 1 * KiB);
  CHECK(axis.upper() == 1 * MiB);
  CHECK_FALSE(axis.shows(16));
  CHECK(axis.shows(1 * MiB));
}

TEST_CASE("values_that_cannot_be_drawn_never_widen_an_axis") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values{none, infinity, -infinity, 0, -5, 4, 8, 5e-324, 1e308};
  const Axis axis(scaled(Scale::log2), values);
  CHECK(axis.lower() == 4);
  CHECK(axis.upper() == 8);
  CHECK_FALSE(axis.shows(none));
  CHECK_FALSE(axis.shows(0));
}

TEST_CASE("an_axis_without_values_or_with_one_still_has_two_ends") {
  for (const Scale scale : {Scale::linear, Scale::log2, Scale::log10}) {
    const std::vector<double> one{64};
    const Axis empty(scaled(scale), {});
    const Axis single(scaled(scale), one);
    CHECK(empty.upper() > empty.lower());
    CHECK(single.upper() > single.lower());
    CHECK(single.shows(64));
    CHECK(empty.ticks().size() >= 2);
  }
}

TEST_CASE("a_linear_axis_of_huge_values_has_few_ticks") {
  AxisSpec spec = scaled(Scale::linear);
  spec.lower = 1e17;
  spec.upper = 1e17 + 64;
  CHECK(Axis(spec, {}).ticks().size() <= 14);
}
