// SPDX-License-Identifier: Apache-2.0
#include "engine/port.hpp"

#include <array>
#include <deque>
#include <vector>

#include "catch.hpp"

using namespace strata;
using namespace strata::engine;

namespace {

// A receiver that notes arrivals and frees a buffer slot only when told to.
struct Mock {
  Simulation& simulation;
  std::vector<Time> arrivals;
  std::deque<Message*> held;
  Handler on_arrival = handler<&Mock::arrive>(*this);
  void arrive(Message& message) {
    arrivals.push_back(simulation.now());
    held.push_back(&message);
  }
  void free_one() {
    held.front()->release();
    held.pop_front();
  }
};

}  // namespace

TEST_CASE("messages_follow_each_other_at_the_pace_of_the_wire") {
  Simulation simulation{Duration{8}};
  Mock mock{simulation, {}, {}};
  Port port{simulation, "wire", mock.on_arrival, Duration{100}, 8};
  std::array<Message, 3> messages;
  for (Message& message : messages) port.send(message, Time{5}, Duration{10});
  simulation.run();
  CHECK(mock.arrivals == std::vector<Time>{Time{105}, Time{115}, Time{125}});
}

TEST_CASE("a_full_buffer_holds_the_sender_until_a_credit_returns") {
  Simulation simulation{Duration{8}};
  Mock mock{simulation, {}, {}};
  Port port{simulation, "narrow", mock.on_arrival, Duration{1}, 2};
  std::array<Message, 3> messages;
  for (Message& message : messages) port.send(message, Time{0}, Duration{0});
  simulation.run();
  CHECK(mock.arrivals.size() == 2);
  CHECK(port.waiting().size() == 1);
  CHECK(port.credits() == 0);
  mock.free_one();
  simulation.run();
  CHECK(mock.arrivals.size() == 3);
  CHECK(port.credits() == 0);
}

TEST_CASE("a_message_gives_back_its_credit_when_the_next_port_launches_it") {
  // GIVEN two buffers of depth one in a row, the second one occupied
  Simulation simulation{Duration{8}};
  Mock first{simulation, {}, {}};
  Mock second{simulation, {}, {}};
  Port near{simulation, "near", first.on_arrival, Duration{1}, 1};
  Port far{simulation, "far", second.on_arrival, Duration{1}, 1};
  Message a, b, c;
  far.send(a, Time{0}, Duration{0});
  near.send(b, Time{0}, Duration{0});
  near.send(c, Time{0}, Duration{0});
  simulation.run();
  // WHEN b asks for the second buffer it keeps its place in the first
  far.send(b, simulation.now(), Duration{0});
  simulation.run();
  CHECK(near.waiting().size() == 1);
  CHECK(b.holds == &near);
  // THEN freeing the second lets b go on and c take b's place
  second.free_one();
  simulation.run();
  CHECK(b.holds == &far);
  CHECK(c.holds == &near);
  CHECK(near.waiting().empty());
}

TEST_CASE("a_port_says_when_the_last_message_that_waited_has_gone") {
  Simulation simulation{Duration{8}};
  Mock mock{simulation, {}, {}};
  Port port{simulation, "narrow", mock.on_arrival, Duration{1}, 1};
  struct Ear {
    unsigned calls = 0;
    void hear() { ++calls; }
  } ear;
  port.when_drained(handler<&Ear::hear>(ear));
  std::array<Message, 3> messages;
  for (Message& message : messages) port.send(message, Time{0}, Duration{0});
  simulation.run();
  mock.free_one();  // one of the two that wait goes
  CHECK(ear.calls == 0);
  simulation.run();
  mock.free_one();
  CHECK(ear.calls == 1);
  simulation.run();
  mock.free_one();  // nobody waited
  CHECK(ear.calls == 1);
  CHECK(port.credits() == 1);
}
