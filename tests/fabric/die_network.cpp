// SPDX-License-Identifier: Apache-2.0
#include "fabric/die_network.hpp"

#include <memory>

#include "base/random.hpp"
#include "catch.hpp"
#include "fabric_fixture.hpp"

namespace strata::fabric {
namespace {

using test::Requester;
using test::Slice;
using test::World;

LinkSpec link(std::uint32_t from, std::uint32_t to, double bytes_per_ns, double latency, std::uint32_t depth = 64) {
  LinkSpec spec;
  spec.from = from;
  spec.to = to;
  spec.bandwidth = BytesPerSecond{bytes_per_ns * 1e9};
  spec.latency = Nanoseconds{latency};
  spec.depth = depth;
  return spec;
}

// Dies 0 1 above 2 3; x links first.
DieNetworkSpec mesh(double x_width, double y_width, std::uint32_t depth = 64) {
  DieNetworkSpec spec;
  spec.links = {link(0, 1, x_width, 10, depth), link(2, 3, x_width, 10, depth), link(0, 2, y_width, 7, depth),
                link(1, 3, y_width, 7, depth)};
  spec.request_header = Bytes{0};
  return spec;
}

struct Bench : World {
  Bench(const DieNetworkSpec& spec, std::uint32_t nodes, double service = 0) : requester(*this) {
    network =
        std::make_unique<DieNetwork>(processes, timebase, clock, spec, nodes, std::span<const std::uint32_t>{}, stages);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      slices.emplace_back(*this, service);
      network->attach(i, slices.back().sink());
    }
  }
  memory::Transaction& send(Requester& by, std::uint32_t from, std::uint32_t to,
                            memory::Operation operation = memory::Operation::load) {
    memory::Transaction& transaction = by.make(operation);
    transaction.home_die = static_cast<std::uint8_t>(to);
    network->send(transaction, from, simulation.now());
    return transaction;
  }
  std::deque<Slice> slices;
  Requester requester;
  std::unique_ptr<DieNetwork> network;
};

TEST_CASE("two_hops_cost_two_latencies_each_way") {
  GIVEN("a 2x2 mesh with 10 ns along x and 7 ns along y") {
    Bench bench(mesh(1000, 1000), 4);
    WHEN("a load goes to the diagonal die") {
      bench.send(bench.requester, 0, 3);
      bench.simulation.run();
      THEN("it arrives after 17 ns and is answered after 34") {
        CHECK(bench.slices[3].first() == Approx(10 + 7));
        CHECK(bench.requester.last() == Approx(2 * (10 + 7)).margin(0.002));
        CHECK(bench.network->flight(0, 3) == bench.timebase.nanoseconds(17));
      }
    }
    WHEN("a load stays on its die") {
      bench.send(bench.requester, 2, 2);
      bench.simulation.run();
      THEN("the network adds nothing") { CHECK(bench.requester.last() <= 0.001); }
    }
  }
}

TEST_CASE("a_mesh_listed_x_first_is_routed_x_first") {
  Bench bench(mesh(1, 1), 4);
  const auto& routing = bench.network->routing();
  // Entry e of the spec is link 2e in its direction and 2e + 1 in the opposite one.
  CHECK(routing.route(0, 3) == std::vector<std::uint32_t>{0, 6});  // 0>1, 1>3
  CHECK(routing.route(3, 0) == std::vector<std::uint32_t>{3, 5});  // 3>2, 2>0
  CHECK(routing.route(1, 2) == std::vector<std::uint32_t>{1, 4});  // 1>0, 0>2
  CHECK(routing.route(1, 1).empty());
}

TEST_CASE("the_last_links_listed_give_the_other_order_of_dimensions") {
  Bench bench(mesh(1, 1), 4);
  std::vector<DirectedLink> links;
  for (const auto& [from, to] : {std::pair{0U, 1U}, {2U, 3U}, {0U, 2U}, {1U, 3U}}) {
    links.push_back({from, to});
    links.push_back({to, from});
  }
  const Routing routing(4, links, Preferred::last);
  CHECK(routing.route(0, 3) == std::vector<std::uint32_t>{4, 2});  // 0>2, 2>3
  CHECK(routing.route(0, 1) == std::vector<std::uint32_t>{0});
}

TEST_CASE("routes_that_could_deadlock_are_refused") {
  GIVEN("a ring of five dies, whose shortest routes chase each other round") {
    std::vector<DirectedLink> ring;
    for (std::uint32_t i = 0; i < 5; ++i) {
      ring.push_back({i, (i + 1) % 5});
      ring.push_back({(i + 1) % 5, i});
    }
    THEN("it is refused, a line of five is not") {
      CHECK_THROWS_AS(Routing(5, ring), std::invalid_argument);
      ring.resize(8);
      CHECK_NOTHROW(Routing(5, ring));
    }
  }
}

TEST_CASE("the_answer_goes_back_over_the_links_it_came_by") {
  GIVEN("a mesh") {
    Bench bench(mesh(1000, 1000), 4);
    WHEN("one full block is read over the diagonal, 0 to 3") {
      bench.send(bench.requester, 0, 3);
      bench.simulation.run();
      THEN("its data crossed 1>0 and 3>1, and no other link") {
        const auto bytes = bench.network->bytes();
        CHECK(bytes[0].back == 128);
        CHECK(bytes[3].back == 128);
        CHECK(bytes[1].there + bytes[1].back + bytes[2].there + bytes[2].back == 0);
      }
    }
  }
}

TEST_CASE("a_link_carries_its_width_and_no_more") {
  GIVEN("two dies, 64 B/ns, 10 ns") {
    DieNetworkSpec spec;
    spec.links = {link(0, 1, 64, 10)};
    spec.request_header = Bytes{0};
    const auto operation = GENERATE(memory::Operation::load, memory::Operation::store);
    Bench bench(spec, 2);
    WHEN("200 blocks cross at once") {
      for (unsigned i = 0; i < 200; ++i) bench.send(bench.requester, 0, 1, operation);
      bench.simulation.run();
      THEN("the last follows the first by 199 times 128 B / width") {
        CHECK(bench.requester.last() == Approx(20 + 199 * 128.0 / 64));
        const auto wires = bench.network->wires();
        const std::size_t data = operation == memory::Operation::load ? 1 : 0;
        CHECK(wires[data].use->busy() == bench.timebase.nanoseconds(200 * 128.0 / 64));
        CHECK(wires[1 - data].use->busy() == Duration{});
      }
    }
  }
}

TEST_CASE("requests_that_go_apart_leave_the_wire_to_data") {
  GIVEN("two dies, 64 B/ns, requests of 16 B on wires of their own") {
    DieNetworkSpec spec;
    spec.links = {link(0, 1, 64, 10)};
    spec.request_header = Bytes{16};
    spec.requests_apart = true;
    const auto operation = GENERATE(memory::Operation::load, memory::Operation::store);
    Bench bench(spec, 2);
    WHEN("200 blocks cross at once") {
      for (unsigned i = 0; i < 200; ++i) bench.send(bench.requester, 0, 1, operation);
      bench.simulation.run();
      THEN("load requests have no size, stores have their header and their data") {
        const auto wires = bench.network->wires();
        const double there = operation == memory::Operation::load ? 0 : 200 * (16 + 128.0) / 64;
        CHECK(wires[0].use->busy() == bench.timebase.nanoseconds(there));
      }
    }
  }
}

TEST_CASE("reads_of_one_side_and_writes_of_the_other_share_a_wire") {
  GIVEN("two dies, 64 B/ns") {
    DieNetworkSpec spec;
    spec.links = {link(0, 1, 64, 10)};
    spec.request_header = Bytes{0};
    Bench bench(spec, 2);
    WHEN("die 0 reads 100 blocks of die 1 while die 1 writes 100 blocks of die 0") {
      for (unsigned i = 0; i < 100; ++i) {
        bench.send(bench.requester, 0, 1, memory::Operation::load);
        bench.send(bench.requester, 1, 0, memory::Operation::store);
      }
      bench.simulation.run();
      THEN("all 200 blocks pass one after the other from die 1 to die 0") {
        CHECK(bench.requester.last() >= 199 * 128.0 / 64 + 10);
        CHECK(bench.network->wires()[1].use->busy() == bench.timebase.nanoseconds(200 * 128.0 / 64));
      }
    }
  }
}

TEST_CASE("random_traffic_over_a_mesh_with_buffers_of_one_drains") {
  GIVEN("a 2x2 mesh with a buffer for one request at each hop and slow slices") {
    const std::uint32_t depth = GENERATE(1U, 2U, 5U);
    const RouteRule routing = GENERATE(RouteRule::first_listed, RouteRule::balanced);
    DieNetworkSpec spec = mesh(32, 16, depth);
    spec.routing = routing;
    Bench bench(spec, 4, 3);
    RandomSequence random(depth);
    WHEN("20000 loads and stores go everywhere at once") {
      for (unsigned i = 0; i < 20000; ++i) {
        const auto from = static_cast<std::uint32_t>(random.below(4));
        const auto to = static_cast<std::uint32_t>(random.below(4));
        bench.send(bench.requester, from, to,
                   random.below(2) == 0 ? memory::Operation::load : memory::Operation::store);
      }
      bench.simulation.run();
      THEN("each is answered once and every credit is back") {
        CHECK(bench.requester.answers() == 20000);
        for (const engine::Port* port : bench.network->ports()) {
          CHECK(port->credits() == port->depth());
          if (routing == RouteRule::first_listed) CHECK(port->waited() > 0);
        }
      }
    }
  }
}

TEST_CASE("halving_a_link_never_speeds_the_mesh_up") {
  const auto run = [](double x_width, double y_width, std::uint32_t depth) {
    Bench bench(mesh(x_width, y_width, depth), 4);
    RandomSequence random(3);
    for (unsigned i = 0; i < 4000; ++i) {
      const auto from = static_cast<std::uint32_t>(random.below(4));
      const auto to = static_cast<std::uint32_t>(random.below(4));
      bench.send(bench.requester, from, to, random.below(2) == 0 ? memory::Operation::load : memory::Operation::store);
    }
    bench.simulation.run();
    return bench.requester.last();
  };
  for (const std::uint32_t depth : {1U, 8U}) {
    const double before = run(64, 64, depth);
    CHECK(run(32, 64, depth) >= before);
    CHECK(run(64, 32, depth) >= before);
  }
  CHECK(run(16, 16, 256) > 3.9 * run(64, 64, 256));
}

TEST_CASE("milestones_tile_a_journey_over_two_loaded_links") {
  Bench bench(mesh(16, 16, 1), 4, 5);
  memory::Journey journey;
  for (unsigned i = 0; i < 50; ++i) bench.send(bench.requester, 0, 3);
  journey.begin(bench.simulation.now());
  Requester observed(bench);
  memory::Transaction& load = observed.make();
  load.home_die = 3;
  load.journey = &journey;
  bench.network->send(load, 0, Time{});
  bench.simulation.run();
  REQUIRE(!journey.milestones().empty());
  Time last{};
  for (const memory::Milestone& milestone : journey.milestones()) {
    CHECK(milestone.from == last);
    last = milestone.until;
  }
  CHECK(bench.clock.count(last - Time{}) == Approx(observed.last()));
}

}  // namespace
}  // namespace strata::fabric
