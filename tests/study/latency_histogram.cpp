// SPDX-License-Identifier: Apache-2.0
#include "study/latency/histogram.hpp"

#include <cmath>

#include "catch.hpp"

using strata::study::LatencyHistogram;

TEST_CASE("a_quantile_of_latencies_is_known_to_half_a_percent") {
  LatencyHistogram latencies;
  CHECK(std::isnan(latencies.quantile(0.5)));
  for (int ns = 1; ns <= 1000; ++ns) latencies.add(ns);
  CHECK(latencies.mean() == Approx(500.5));
  CHECK(latencies.quantile(0.5) == Approx(500).epsilon(0.006));
  CHECK(latencies.quantile(0.99) == Approx(990).epsilon(0.006));
}

TEST_CASE("the_quantiles_of_one_access_are_that_access") {
  LatencyHistogram latencies;
  latencies.add(361.25);
  CHECK(latencies.quantile(0.5) == 361.25);
  CHECK(latencies.quantile(0.99) == 361.25);
}

// One access of a machine whose link carries 522 bytes a second took 13 s, and the output was "inf".
TEST_CASE("a_quantile_beyond_a_second_is_the_longest_latency") {
  LatencyHistogram latencies;
  for (int i = 0; i < 98; ++i) latencies.add(400);
  latencies.add(13e9);
  latencies.add(11e9);
  CHECK(latencies.quantile(0.98) == Approx(400).epsilon(0.006));
  CHECK(latencies.quantile(0.99) == 13e9);
  CHECK(latencies.quantile(1) == 13e9);
}
