// SPDX-License-Identifier: Apache-2.0
#include "study/latency/plateaus.hpp"

#include "catch.hpp"
#include "machine/tiny_machine.hpp"

namespace strata::study {
namespace {

LatencyPoint point(std::uint64_t footprint, double latency, double l1, double l2) {
  LatencyPoint p;
  p.footprint_bytes = footprint;
  p.latency_ns = latency;
  p.latency_cycles = 2 * latency;
  p.served_by = {{"L1", l1}, {"L2", l2}, {"DRAM", 1 - l1 - l2}};
  return p;
}

}  // namespace

TEST_CASE("points_of_one_level_make_a_plateau") {
  const auto found = plateaus({point(1, 10, 1, 0), point(2, 12, 1, 0), point(4, 100, 0, 1), point(8, 104, 0, 1)});
  REQUIRE(found.size() == 2);
  CHECK(found[0].level == "L1");
  CHECK(found[0].from_bytes == 1);
  CHECK(found[0].to_bytes == 2);
  CHECK(found[0].latency_ns == Approx(11));
  CHECK(found[0].latency_cycles == Approx(22));
  CHECK(found[1].level == "L2");
  CHECK(found[1].latency_ns == Approx(102));
}

TEST_CASE("a_slope_is_no_plateau") {
  const auto found = plateaus({point(1, 10, 1, 0), point(2, 10, 1, 0), point(3, 30, 0.7, 0.3), point(4, 60, 0.4, 0.6),
                               point(5, 100, 0, 1), point(6, 100, 0, 1)});
  REQUIRE(found.size() == 2);
  CHECK(found[0].to_bytes == 2);
  CHECK(found[1].from_bytes == 5);
}

TEST_CASE("a_steady_mixture_is_named_by_its_levels") {
  const auto found = plateaus({point(1, 50, 0, 0.5), point(2, 50, 0, 0.51), point(3, 50, 0.01, 0.49)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == "L2 + DRAM");
}

TEST_CASE("one_point_is_no_plateau") {
  CHECK(plateaus({}).empty());
  CHECK(plateaus({point(1, 10, 1, 0)}).empty());
}

TEST_CASE("a_drift_does_not_stretch_a_plateau") {
  // Each step is small, but the shares drift away from those of the plateau's first point.
  std::vector<LatencyPoint> points;
  for (unsigned i = 0; i < 30; ++i) points.push_back(point(i + 1, 10, 1 - 0.01 * i, 0.01 * i));
  const auto found = plateaus(points);
  REQUIRE(found.size() > 5);
  for (const Plateau& plateau : found) CHECK(plateau.to_bytes - plateau.from_bytes <= 2);
}

TEST_CASE("the_curve_of_a_machine_has_a_plateau_for_each_level") {
  using namespace machine::test;
  const machine::MachineSpec spec = monolithic();
  std::vector<LatencyPoint> points;
  for (const std::uint64_t footprint : footprints(512_B, 128_KiB, 2, Bytes{128}))
    points.push_back(measure_latency(spec, {}, footprint));
  const auto found = plateaus(points);
  REQUIRE(found.size() >= 3);
  CHECK(found.front().level == "L1");
  CHECK(found.front().latency_cycles == spec.core.load_store.scalar_address.value + spec.l1.cache.hit_latency.value);
  CHECK(found.front().to_bytes == 2048);
  CHECK(found.back().level == "DRAM");
  const machine::Machine machine(spec);
  bool l2 = false;
  for (const Plateau& plateau : found)
    if (plateau.level == "L2") {
      l2 = true;
      CHECK(plateau.latency_ns == Approx(machine.timebase().to_nanoseconds(Way(machine).l2_hit())));
    }
  CHECK(l2);
}

}  // namespace strata::study
