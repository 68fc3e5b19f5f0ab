// SPDX-License-Identifier: Apache-2.0
#include "engine/clock.hpp"

#include <array>
#include <cstdint>
#include <stdexcept>

#include "catch.hpp"

using namespace strata;
using namespace strata::engine;

TEST_CASE("clocks_without_a_whole_number_of_picoseconds_do_not_drift") {
  // GIVEN the core and memory clocks of a B200
  const std::array<std::uint64_t, 2> hertz{1'965'000'000, 3'996'000'000};
  const Timebase base{hertz};
  // THEN one simulated second is the stated number of cycles of each, to the tick
  for (const std::uint64_t f : hertz) {
    const auto second = static_cast<std::int64_t>(base.ticks_per_second());
    CHECK(base.clock(f).period() * static_cast<std::int64_t>(f) == Duration{second});
  }
  // AND the tick is the least common multiple: 1965 = 3*5*131, 3996 = 4*27*37
  CHECK(base.ticks_per_second() == 4ULL * 27 * 5 * 37 * 131 * 1'000'000);
}

TEST_CASE("an_edge_is_the_first_multiple_of_the_period_at_or_after") {
  const Clock clock{Duration{10}};
  CHECK(clock.edge(Time{0}) == Time{0});
  CHECK(clock.edge(Time{1}) == Time{10});
  CHECK(clock.edge(Time{10}) == Time{10});
  CHECK(clock.edge(Time{11}) == Time{20});
}

TEST_CASE("clocks_without_a_common_tick_are_refused") {
  const std::array<std::uint64_t, 3> primes{1'999'999'973, 1'999'999'943, 1'999'999'927};
  CHECK_THROWS_AS(Timebase{primes}, std::domain_error);
  const std::array<std::uint64_t, 1> stopped{0};
  CHECK_THROWS_AS(Timebase{stopped}, std::domain_error);
}

TEST_CASE("nanoseconds_and_ticks_convert_both_ways") {
  const std::array<std::uint64_t, 2> hertz{1'980'000'000, 1'709'000'000};
  const Timebase base{hertz};
  const double tick_ns = 1e9 / static_cast<double>(base.ticks_per_second());
  CHECK(base.to_nanoseconds(base.nanoseconds(437.0)) == Approx(437.0).margin(tick_ns));
}
