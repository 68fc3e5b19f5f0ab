// SPDX-License-Identifier: Apache-2.0
#include "observe/watchdog.hpp"

#include <array>
#include <vector>

#include "catch.hpp"

namespace strata::observe {
namespace {

// A node that passes every message on to its next port, if it has one.
struct Node {
  engine::Port* next = nullptr;
  engine::Handler handler = engine::handler<&Node::arrived>(*this);
  void arrived(engine::Message& message) {
    if (next != nullptr) next->send(message, message.ready, Duration{1});
  }
};

TEST_CASE("a_circle_of_full_buffers_is_named") {
  GIVEN("two ports, each of which feeds the other, with buffers of one") {
    engine::Simulation simulation(Duration{1});
    Node left;
    Node right;
    engine::Port to_left(simulation, "to left", left.handler, Duration{5}, 1);
    engine::Port to_right(simulation, "to right", right.handler, Duration{5}, 1);
    left.next = &to_right;
    right.next = &to_left;
    std::array<engine::Message, 3> messages;
    to_left.send(messages[0], Time{}, Duration{1});
    to_right.send(messages[1], Time{}, Duration{1});
    to_right.send(messages[2], Time{}, Duration{1});
    WHEN("nothing is left to happen") {
      simulation.run();
      const std::array<const engine::Port*, 2> ports{&to_left, &to_right};
      THEN("the report says who waits for whom") {
        CHECK(describe_waits(ports, 3) ==
              "no events are left, but transactions are outstanding: 3\n"
              "  'to left': 0 of 1 credits left, 1 waiting; they occupy 1 of 'to right'\n"
              "  'to right': 0 of 1 credits left, 2 waiting; they occupy 1 of a place outside, "
              "1 of 'to left'\n"
              "  the circle: 'to left' waits for 'to right' waits for 'to left'\n");
        CHECK_THROWS_AS(require_drained(ports, 3), Deadlock);
      }
    }
  }
}

TEST_CASE("a_block_that_keeps_its_buffer_is_distinguished_from_a_cycle") {
  engine::Simulation simulation(Duration{1});
  Node first;
  Node silent;
  engine::Port to_first(simulation, "to first", first.handler, Duration{5}, 2);
  engine::Port to_silent(simulation, "to silent", silent.handler, Duration{5}, 1);
  first.next = &to_silent;
  std::array<engine::Message, 2> messages;
  for (engine::Message& message : messages) to_first.send(message, Time{}, Duration{1});
  simulation.run();
  const std::array<const engine::Port*, 2> ports{&to_first, &to_silent};
  CHECK(describe_waits(ports, 2) ==
        "no events are left, but transactions are outstanding: 2\n"
        "  'to first': 1 of 2 credits left, 0 waiting\n"
        "  'to silent': 0 of 1 credits left, 1 waiting; they occupy 1 of 'to first'\n"
        "  no cycle: a block holds its buffer and does not respond\n");
}

TEST_CASE("a_drained_run_is_no_deadlock") {
  engine::Simulation simulation(Duration{1});
  Node node;
  const engine::Port port(simulation, "port", node.handler, Duration{5}, 1);
  const std::array<const engine::Port*, 1> ports{&port};
  CHECK_NOTHROW(require_drained(ports, 0));
  CHECK(describe_waits(ports, 1) ==
        "no events are left, but transactions are outstanding: 1\n"
        "  no buffer is occupied: a block holds them and does not respond\n");
}

}  // namespace
}  // namespace strata::observe
