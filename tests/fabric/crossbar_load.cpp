// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "catch.hpp"
#include "closed_loop.hpp"

namespace strata::fabric {
namespace {

using memory::Operation;
using test::all_of;
using test::ClosedLoop;
using test::Load;
using test::World;

// One side of an H200: 66 SMs, 47 slices, all in cycles of the L2's clock.
constexpr double core_clock = 1000.0 / 863;  // 1980 MHz over 1709 MHz, in whole ticks

CrossbarSpec hopper() {
  CrossbarSpec spec;
  spec.request_latency = Cycles{95};
  spec.response_latency = Cycles{95};
  spec.span = Cycles{30};
  spec.source_request_width = BytesPerClock{32};
  spec.source_write_width = BytesPerClock{32};
  spec.source_response_width = BytesPerClock{128};
  return spec;
}

CrossbarShape one_side(std::vector<std::uint32_t> groups = {16, 18, 16, 16}) {
  CrossbarShape shape;
  shape.sources = std::accumulate(groups.begin(), groups.end(), 0U);
  shape.destinations = 47;
  shape.group_sizes = std::move(groups);
  shape.source_clock = engine::Clock(Duration{863});
  return shape;
}

// Bytes a core clock from bytes an L2 clock.
double by_core_clock(double rate) { return rate / core_clock; }

TEST_CASE("random_blocks_reach_the_slices_peak_when_enough_is_in_flight") {
  GIVEN("66 SMs without a group limit and 47 slices of 64 B/clk") {
    const double peak = 47 * 64;
    const auto fraction = [&](std::uint32_t in_flight) {
      ClosedLoop bench(hopper(), one_side(), 2, 30, all_of(66), Load{.in_flight = in_flight});
      bench.run();
      REQUIRE(bench.answers() == 66 * 4000);
      return bench.rate() / peak;
    };
    THEN("few in flight are bounded by Little's law, many come near the peak") {
      const double unloaded = 95 + 30 + 95;
      CHECK(fraction(8) == Approx(66 * 8 * 128 / unloaded / peak).epsilon(0.03));
      CHECK(fraction(64) > 0.7);
      CHECK(fraction(64) < std::min(1.0, 66 * 64 * 128 / unloaded / peak));
      CHECK(fraction(256) > 0.96);
      CHECK(fraction(256) <= 1);
    }
  }
}

TEST_CASE("the_largest_group_sets_the_pace_of_work_shared_out_evenly") {
  GIVEN("groups of 16 and one of 18 SMs, each with 645 B a core clock") {
    CrossbarSpec spec = hopper();
    spec.group_response_width = BytesPerClock{645};
    WHEN("all SMs read as much") {
      ClosedLoop bench(spec, one_side(), 2, 30, all_of(66), Load{.in_flight = 192});
      bench.run();
      THEN("the 18 have 35.8 B a clock each and all 66 together 0.91 of the slices' peak") {
        const double slowest = 645.0 / 18;
        CHECK(by_core_clock(bench.rate()) / 66 == Approx(slowest).epsilon(0.01));
        CHECK(bench.rate() / (47 * 64) == Approx(66 * slowest * core_clock / (47 * 64)).epsilon(0.01));
      }
      THEN("SMs of smaller groups are done sooner, each group at its width") {
        CHECK(*std::max_element(bench.finished.begin(), bench.finished.begin() + 16) < 0.95 * bench.finished[20]);
      }
    }
    WHEN("one SM reads alone") {
      ClosedLoop bench(spec, one_side(), 2, 30, {3}, Load{.in_flight = 512, .share = 40000});
      bench.run();
      THEN("it has its own wire's 128 B a core clock") {
        CHECK(by_core_clock(bench.rate()) == Approx(128).epsilon(0.02));
        CHECK(by_core_clock(bench.rate()) <= 128);
      }
    }
  }
}

TEST_CASE("stores_of_a_cluster_share_its_write_width") {
  GIVEN("a GPC of three clusters of 6, 6 and 4 SMs that write 156.4 B a core clock each") {
    CrossbarSpec spec = hopper();
    spec.cluster_write_width = BytesPerClock{156.4};
    CrossbarShape shape = one_side({16});
    shape.sources_per_cluster = 6;
    const auto per_core = [&](const std::vector<std::uint32_t>& cores) {
      ClosedLoop bench(spec, shape, 1, 30, cores, {128, 4000, Operation::store});
      bench.run();
      return by_core_clock(bench.rate()) / static_cast<double>(cores.size());
    };
    THEN("up to four of a cluster write 32 B a clock each, headers beside") {
      CHECK(per_core({0}) == Approx(32).epsilon(0.01));
      CHECK(per_core({0}) <= 32);
      CHECK(per_core({0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15}) == Approx(32).epsilon(0.01));
    }
    THEN("where one has six the slowest have a sixth of its width, whatever the others") {
      CHECK(per_core({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15}) == Approx(156.4 / 6).epsilon(0.01));
      CHECK(per_core(all_of(16)) == Approx(156.4 / 6).epsilon(0.01));
    }
  }
}

TEST_CASE("requests_in_packets_take_a_clock_of_a_slice_each") {
  CrossbarSpec spec = hopper();
  spec.destination_request_width = BytesPerClock{32};
  const auto blocks_in_a_clock = [&](Bytes packet, Operation operation) {
    spec.request_packet = packet;
    ClosedLoop bench(spec, {8, 8, 1}, 0, 30, all_of(8), Load{.in_flight = 64, .operation = operation});
    bench.run();
    return bench.rate() / memory::block_bytes;
  };
  // A header of 8 B and 128 B of data: by bytes, and in whole packets, whose header is beside them.
  CHECK(blocks_in_a_clock(Bytes{0}, Operation::store) == Approx(32.0 / 136).epsilon(0.01));
  CHECK(blocks_in_a_clock(Bytes{32}, Operation::store) == Approx(32.0 / 128).epsilon(0.01));
  spec.destination_response_width = BytesPerClock{0};
  spec.source_response_width = BytesPerClock{0};
  spec.source_request_width = BytesPerClock{0};
  CHECK(blocks_in_a_clock(Bytes{32}, Operation::load) == Approx(1).epsilon(0.02));
}

TEST_CASE("no_core_starves_at_a_hot_slice") {
  GIVEN("twelve cores that all read one slice with eight places in front of it") {
    CrossbarSpec spec = hopper();
    spec.depth = 8;
    spec.stand_aside = GENERATE(0U, 3U, 64U);
    ClosedLoop bench(spec, {12, 4, 1}, 2, 30, all_of(12), Load{.in_flight = 16, .share = 500});
    WHEN("each reads 500 blocks") {
      bench.run();
      THEN("all end within the time in which each core's last requests pass") {
        CHECK(bench.answers() == 12 * 500);
        const auto [first, last] = std::minmax_element(bench.finished.begin(), bench.finished.end());
        CHECK(*first > *last * 0.9);
      }
    }
  }
}

TEST_CASE("bytes_that_leave_the_slices_reach_groups_and_cores") {
  CrossbarSpec spec = hopper();
  spec.group_response_width = BytesPerClock{645};
  ClosedLoop bench(spec, one_side(), 2, 30, all_of(66), Load{.in_flight = 32, .share = 200});
  bench.run();
  stats::Collector collector;
  bench.crossbar->collect(collector);
  const stats::Snapshot& all = collector.snapshot();
  const std::uint64_t bytes = 66 * 200 * 128;
  CHECK(all.sum("slice * response/bytes") == bytes);
  CHECK(all.sum("group * response/bytes") == bytes);
  CHECK(all.sum("core * response/bytes") == bytes);
  CHECK(all.sum("core * request/bytes") == 66 * 200 * spec.request_header.value);
  const stats::Figure* wire = all.find("core 12 response");
  REQUIRE(wire != nullptr);
  CHECK(wire->kind == stats::Kind::resource);
  CHECK(wire->served == 200);
  CHECK(std::abs(static_cast<double>(wire->value) - 200 * 863) <= 1);  // a block in a core clock
}

// Behind a group's port that has far more than it can pass, answers are booked on the cores' ports for later, with
// idle spans between them.
TEST_CASE("cores_behind_a_slow_group_are_busy_with_what_has_reached_them") {
  CrossbarSpec spec = hopper();
  spec.group_response_width = BytesPerClock{128};
  ClosedLoop bench(spec, one_side({66}), 2, 30, all_of(66), Load{.in_flight = 32, .share = 200});
  bench.run_until(1500);
  stats::Collector collector;
  bench.crossbar->collect(collector);
  const stats::Snapshot& all = collector.snapshot();
  REQUIRE(bench.answers() > 1000);
  CHECK(static_cast<double>(all.sum("core * response")) ==
        Approx(863.0 * static_cast<double>(bench.answers())).epsilon(0.01));  // a block in a core clock
  CHECK(static_cast<double>(all.sum("group * response")) ==
        Approx(863.0 * static_cast<double>(bench.answers())).epsilon(0.01));
}

TEST_CASE("a_preparation_that_varies_leaves_no_wire_idle") {
  GIVEN("one core whose every request is announced 40 cycles before it is ready") {
    CrossbarSpec spec = hopper();
    spec.source_request_width = BytesPerClock{8};  // a header a cycle of the core
    ClosedLoop bench(spec, {1, 1, 8}, 1, 30, {0}, {512, 20000, Operation::load, 40});
    bench.run();
    THEN("its request wire still passes a header a cycle") { CHECK(bench.last() == Approx(20000).epsilon(0.03)); }
  }
}

TEST_CASE("a_full_slice_takes_stores_of_cores_clusters_or_groups_in_turn") {
  GIVEN("a slice that cannot keep up with a group in clusters of four and two cores, and with a group of two") {
    struct Case {
      Arbitration arbitration;
      std::uint32_t grants;
      Operation operation;
      double fifth, seventh;  ///< what those cores get of what the first does
    };
    const Case c = GENERATE(
        Case{Arbitration::first_come, 1, Operation::store, 1, 1}, Case{Arbitration::core, 1, Operation::store, 1, 1},
        // A third for each cluster: of four cores, of two and of two.
        Case{Arbitration::cluster, 1, Operation::store, 2, 2}, Case{Arbitration::cluster, 4, Operation::atomic, 2, 2},
        Case{Arbitration::cluster, 1, Operation::load, 1, 1},
        // A half for each group: of six cores and of two.
        Case{Arbitration::group, 1, Operation::store, 1, 3});
    CrossbarSpec spec = hopper();
    spec.depth = 32;
    spec.arbitration = c.arbitration;
    spec.grants = c.grants;
    const CrossbarShape shape{.sources = 8, .destinations = 1, .group_sizes = {6, 2}, .sources_per_cluster = 4};
    ClosedLoop bench(spec, shape, 10, 30, all_of(8), Load{.in_flight = 32, .share = 600, .operation = c.operation});
    bench.run_until(20000);
    THEN("cores share what their cluster or group gets, loads come as they came, and the slice is never idle") {
      const auto of = [&](std::uint32_t core) { return static_cast<double>(bench.answered_to(core)); };
      CHECK(of(4) / of(0) == Approx(c.fifth).epsilon(0.05));
      CHECK(of(6) / of(0) == Approx(c.seventh).epsilon(0.05));
      CHECK(static_cast<double>(bench.answers()) == Approx(2000).epsilon(0.02));
    }
  }
}

TEST_CASE("a_stopped_port_keeps_order_and_stalls_no_other") {
  GIVEN("a slice that holds its requests, two entries in front of it, two requests that may wait aside") {
    World world;
    CrossbarSpec spec;
    spec.depth = 2;
    spec.stand_aside = 2;
    test::Slice silent(world, 0, true);
    test::Slice open(world, 0);
    const std::array handlers{silent.handler(), open.handler()};
    Crossbar crossbar(world.simulation, world.clock, spec, {2, 1, 2}, handlers, world.stages, "xbar");
    test::Requester first(world);
    test::Requester second(world);
    WHEN("core 0 sends ten requests to it and then one elsewhere, core 1 one elsewhere") {
      for (int i = 0; i < 10; ++i) crossbar.send(first.make(), 0, 0, Time{});
      crossbar.send(first.make(), 0, 1, Time{});
      crossbar.send(second.make(), 1, 1, Time{});
      world.simulation.run();
      THEN("two arrive, three wait aside, the rest of core 0 waits, core 1 does not") {
        CHECK(silent.arrivals() == 2);
        CHECK(crossbar.ports()[0]->waiting().size() == 3);
        CHECK(open.arrivals() == 1);
        CHECK(second.answers() == 1);
        CHECK(first.answers() == 0);
      }
    }
  }
}

TEST_CASE("groups_must_add_up_to_the_cores") {
  World world;
  test::Slice slice(world, 0);
  const std::array handlers{slice.handler()};
  CrossbarShape shape{6, 3, 1};
  const auto build = [&] { Crossbar(world.simulation, world.clock, {}, shape, handlers, world.stages, "xbar"); };
  CHECK_NOTHROW(build());
  shape.group_sizes = {2, 4};
  CHECK_NOTHROW(build());
  shape.group_sizes = {2, 5};
  CHECK_THROWS_AS(build(), std::invalid_argument);
  shape.group_sizes = {6, 0};
  CHECK_THROWS_AS(build(), std::invalid_argument);
}

TEST_CASE("a_slice_limited_by_its_depth_is_reported") {
  const auto shortage = [](std::uint32_t depth) {
    CrossbarSpec spec = hopper();
    spec.depth = depth;
    return ClosedLoop(spec, one_side(), 2, 30, {}, {}).crossbar->shortage();
  };
  // 64 B/clk over a flight of 95 + 30 / 2 cycles: 55 blocks.
  CHECK(shortage(0).empty());
  CHECK(shortage(55).empty());
  CHECK(shortage(54) ==
        "xbar: 54 requests in flight limit a slice to 62.8 of its 64 B/clk: depth of 55 or more, or 0 for enough, "
        "reaches the full width");
}

}  // namespace
}  // namespace strata::fabric
