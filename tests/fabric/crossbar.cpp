// SPDX-License-Identifier: Apache-2.0
#include "fabric/crossbar.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/random.hpp"
#include "catch.hpp"
#include "fabric_fixture.hpp"

namespace strata::fabric {
namespace {

using test::Requester;
using test::Slice;
using test::World;

CrossbarSpec unlimited() {
  CrossbarSpec spec;
  for (BytesPerClock* width :
       {&spec.source_request_width, &spec.source_write_width, &spec.source_response_width, &spec.cluster_write_width,
        &spec.group_request_width, &spec.group_write_width, &spec.group_response_width, &spec.destination_request_width,
        &spec.destination_response_width}) {
    width->value = 0;
  }
  spec.request_header = Bytes{0};
  spec.response_header = Bytes{0};
  spec.depth = 1024;
  return spec;
}

struct Bench : World {
  Bench(const CrossbarSpec& spec, const CrossbarShape& shape, double service = 0, bool silent = false)
      : requester(*this) {
    std::vector<engine::Handler> handlers;
    for (std::uint32_t i = 0; i < shape.destinations; ++i) {
      slices.emplace_back(*this, service, silent);
      handlers.push_back(slices.back().handler());
    }
    crossbar = std::make_unique<Crossbar>(simulation, clock, spec, shape, handlers, stages, "xbar");
  }
  std::deque<Slice> slices;
  Requester requester;
  std::unique_ptr<Crossbar> crossbar;
};

// The cycle of the last answer of random loads and stores from all sources to all slices.
double random_traffic(const CrossbarSpec& spec, unsigned count) {
  Bench bench(spec, {6, 3, 4}, 1);
  RandomSequence random(7);
  for (unsigned i = 0; i < count; ++i) {
    auto& transaction = bench.requester.make(random.below(3) == 0 ? memory::Operation::store : memory::Operation::load);
    const auto source = static_cast<std::uint32_t>(random.below(6));
    const auto slice = static_cast<std::uint32_t>(random.below(4));
    bench.crossbar->send(transaction, source, slice, Time{});
  }
  bench.simulation.run();
  REQUIRE(bench.requester.answers() == count);
  return bench.requester.last();
}

TEST_CASE("every_core_has_the_same_mean_flight_time") {
  GIVEN("cores and slices that have no common divisor, on a ring with a span") {
    CrossbarSpec spec = unlimited();
    spec.request_latency = Cycles{90};
    spec.response_latency = Cycles{70};
    spec.span = Cycles{40};
    const std::uint32_t destinations = GENERATE(1U, 7U, 47U, 96U);
    Bench bench(spec, {13, 1, destinations});
    THEN("the mean over slices is that of the spec, and no slice is farther off than the span") {
      for (std::uint32_t source = 0; source < 13; ++source) {
        double request = 0;
        double response = 0;
        double least = 1e9;
        double most = 0;
        for (std::uint32_t slice = 0; slice < destinations; ++slice) {
          const double flight = bench.clock.count(bench.crossbar->request_flight(source, slice));
          request += flight;
          response += bench.clock.count(bench.crossbar->response_flight(source, slice));
          least = std::min(least, flight);
          most = std::max(most, flight);
        }
        CHECK(request / destinations == Approx(90).margin(0.002));
        CHECK(response / destinations == Approx(70).margin(0.002));
        CHECK(most - least <= 40.001);
        if (destinations >= 47) CHECK(most - least > 40 * (1 - 2.5 / destinations));
      }
    }
  }
}

TEST_CASE("a_mean_shorter_than_half_the_span_is_refused") {
  CrossbarSpec spec = unlimited();
  spec.request_latency = Cycles{19};
  spec.span = Cycles{40};
  CHECK_THROWS_AS(Bench(spec, {4, 1, 4}), std::invalid_argument);
  spec.request_latency = Cycles{20};
  CHECK_NOTHROW(Bench(spec, {4, 1, 4}));
}

TEST_CASE("a_lone_load_takes_the_two_flights_and_three_events") {
  GIVEN("a crossbar of 30 cycles there and 50 back") {
    CrossbarSpec spec;
    spec.request_latency = Cycles{30};
    spec.response_latency = Cycles{50};
    Bench bench(spec, {4, 2, 4}, 10);
    memory::Journey journey;
    WHEN("one load is sent") {
      auto& load = bench.requester.make();
      load.journey = &journey;
      journey.begin(Time{});
      bench.crossbar->send(load, 1, 2, Time{});
      bench.simulation.run();
      THEN("it takes 30 + 10 + 50 cycles, and one event there, one in the slice, one back") {
        CHECK(bench.slices[2].first() == Approx(30));
        CHECK(bench.requester.last() == Approx(90));
        CHECK(bench.simulation.events_served() == 3);
      }
      THEN("its milestones name the two flights and the slice") {
        REQUIRE(journey.milestones().size() == 3);
        CHECK(bench.stages[journey.milestones()[0].stage] == "xbar request");
        CHECK(bench.stages[journey.milestones()[1].stage] == "slice");
        CHECK(bench.stages[journey.milestones()[2].stage] == "xbar response");
        CHECK(journey.milestones()[2].until == Time{bench.clock.cycles(90).ticks});
      }
    }
  }
}

TEST_CASE("each_width_bounds_its_traffic_exactly") {
  GIVEN("one narrow wire and 100 full blocks that must pass it") {
    CrossbarSpec spec = unlimited();
    constexpr double width = 32;
    constexpr unsigned count = 100;
    struct Row {
      BytesPerClock CrossbarSpec::* wire;
      memory::Operation operation;
      bool one_source;
      bool one_slice;
    };
    const Row row = GENERATE(Row{&CrossbarSpec::source_request_width, memory::Operation::store, true, false},
                             Row{&CrossbarSpec::group_request_width, memory::Operation::store, false, false},
                             Row{&CrossbarSpec::destination_request_width, memory::Operation::store, false, true},
                             Row{&CrossbarSpec::source_write_width, memory::Operation::store, true, false},
                             Row{&CrossbarSpec::cluster_write_width, memory::Operation::store, false, false},
                             Row{&CrossbarSpec::group_write_width, memory::Operation::store, false, false},
                             Row{&CrossbarSpec::source_response_width, memory::Operation::load, true, false},
                             Row{&CrossbarSpec::group_response_width, memory::Operation::load, false, false},
                             Row{&CrossbarSpec::destination_response_width, memory::Operation::load, false, true});
    spec.*(row.wire) = BytesPerClock{width};
    CrossbarShape shape{4, 4, 4};
    shape.sources_per_cluster = 4;
    Bench bench(spec, shape);
    WHEN("all are sent at once") {
      for (unsigned i = 0; i < count; ++i) {
        bench.crossbar->send(bench.requester.make(row.operation), row.one_source ? 0 : i % 4, row.one_slice ? 0 : i % 4,
                             Time{});
      }
      bench.simulation.run();
      THEN("the last comes 99 times 128 B / width after the first could") {
        const double unloaded = 20 + 20;
        CHECK(bench.requester.answers() == count);
        CHECK(bench.requester.last() == Approx(unloaded + (count - 1) * 128 / width).margin(0.001));
      }
    }
  }
}

TEST_CASE("a_core_stalled_at_its_own_wire_does_not_stall_a_slice") {
  GIVEN("core 0 with 50 stores queued for its wire, all to slice 0") {
    CrossbarSpec spec = unlimited();
    spec.source_request_width = BytesPerClock{8};
    spec.destination_request_width = BytesPerClock{128};
    Bench bench(spec, {2, 1, 1});
    Requester other(bench);
    for (unsigned i = 0; i < 50; ++i) {
      bench.crossbar->send(bench.requester.make(memory::Operation::store), 0, 0, Time{});
    }
    WHEN("core 1 sends one") {
      bench.crossbar->send(other.make(memory::Operation::store), 1, 0, Time{});
      bench.simulation.run();
      THEN("it comes through at once, but for the block that was before it at the slice") {
        CHECK(other.last() <= 20 + 20 + 128.0 / 128 + 0.001);
      }
    }
  }
}

TEST_CASE("a_full_slice_pushes_back") {
  GIVEN("a slice that keeps what it has, with a buffer of 3") {
    CrossbarSpec spec = unlimited();
    spec.depth = 3;
    Bench bench(spec, {2, 1, 2}, 0, true);
    WHEN("ten requests are sent to it and one to its neighbour") {
      for (unsigned i = 0; i < 10; ++i) {
        bench.crossbar->send(bench.requester.make(), i % 2, 0, Time{});
      }
      bench.crossbar->send(bench.requester.make(), 0, 1, Time{});
      bench.simulation.run();
      THEN("three arrive, seven wait, and the neighbour is not touched by it") {
        CHECK(bench.slices[0].arrivals() == 3);
        CHECK(bench.crossbar->ports()[0]->waiting().size() == 7);
        CHECK(bench.slices[1].arrivals() == 1);
      }
    }
  }
}

TEST_CASE("halving_a_width_never_speeds_the_crossbar_up") {
  CrossbarSpec spec;
  spec.group_request_width = BytesPerClock{96};
  spec.group_response_width = BytesPerClock{96};
  spec.depth = 2;
  const double before = random_traffic(spec, 2000);
  for (auto wire : {&CrossbarSpec::source_request_width, &CrossbarSpec::source_response_width,
                    &CrossbarSpec::group_request_width, &CrossbarSpec::group_response_width,
                    &CrossbarSpec::destination_request_width, &CrossbarSpec::destination_response_width}) {
    CrossbarSpec narrow = spec;
    (narrow.*wire).value /= 2;
    CHECK(random_traffic(narrow, 2000) >= before - 1);
  }
  CrossbarSpec narrow_all = spec;
  narrow_all.destination_response_width.value /= 32;  // 2 B/clk: 2/3 x 500 loads x 64 cycles
  CHECK(random_traffic(narrow_all, 2000) > 2 * before);
}

TEST_CASE("a_width_is_exact_however_coarse_the_tick") {
  GIVEN("a tick of a whole cycle, and a wire that carries a block in 128/300 of one") {
    const engine::Clock clock(Duration{1});
    const WireTime time = WireTime::from(clock, BytesPerClock{300}, Bytes{0});
    Carry carry;
    THEN("a thousand blocks take 426.67 cycles, to a cycle") {
      Duration sum{};
      for (unsigned i = 0; i < 1000; ++i) sum += carry.whole(time(4));
      CHECK(std::abs(static_cast<double>(sum.ticks) - 1000 * 128.0 / 300) <= 1);
    }
  }
}

}  // namespace
}  // namespace strata::fabric
