// SPDX-License-Identifier: Apache-2.0
#include "engine/port.hpp"

#include <array>
#include <deque>
#include <vector>

#include "catch.hpp"

using namespace strata;
using namespace strata::engine;

namespace {

// A receiver that records arrivals and frees a buffer slot only on request.
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

TEST_CASE("a_message_may_wait_behind_another_than_the_last") {
  Simulation simulation{Duration{8}};
  Mock mock{simulation, {}, {}};
  Port port{simulation, "narrow", mock.on_arrival, Duration{1}, 1};
  Message holder, a, b, c, d;
  port.send(holder, Time{0}, Duration{0});
  port.send(a, Time{0}, Duration{0});
  port.send(b, Time{0}, Duration{0});
  port.wait_behind(&a, c, Time{0});
  port.wait_behind(&b, d, Time{0});
  CHECK(port.waited() == 4);
  std::vector<const Message*> order;
  for (const Message* next = &port.waiting().front(); next != nullptr; next = next->next) order.push_back(next);
  CHECK(order == std::vector<const Message*>{&a, &c, &b, &d});
  Message last;
  port.wait_behind(nullptr, last, Time{0});
  CHECK(d.next == &last);
  CHECK(port.waiting().size() == 5);
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
  // WHEN b requests the second buffer it keeps its slot in the first
  far.send(b, simulation.now(), Duration{0});
  simulation.run();
  CHECK(near.waiting().size() == 1);
  CHECK(b.holds == &near);
  // THEN freeing the second lets b continue and c take its slot
  second.free_one();
  simulation.run();
  CHECK(b.holds == &far);
  CHECK(c.holds == &near);
  CHECK(near.waiting().empty());
}

TEST_CASE("a_port_reports_when_the_last_waiting_message_is_sent") {
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
  mock.free_one();  // one of the two waiting messages is sent
  CHECK(ear.calls == 0);
  simulation.run();
  mock.free_one();
  CHECK(ear.calls == 1);
  simulation.run();
  mock.free_one();  // no message waited
  CHECK(ear.calls == 1);
  CHECK(port.credits() == 1);
}

TEST_CASE("messages_that_arrive_together_share_an_event_and_come_in_order") {
  Simulation simulation{Duration{8}};
  Mock mock{simulation, {}, {}};
  Port port{simulation, "wide", mock.on_arrival, Duration{10}, 8};
  std::array<Message, 5> messages;
  // Three for one instant, one later, and one more for the first instant.
  for (unsigned i = 0; i < 3; ++i) port.send(messages[i], Time{0}, Duration{0});
  port.send(messages[3], Time{0}, Duration{0}, Duration{5});
  port.send(messages[4], Time{0}, Duration{0});
  simulation.run();
  CHECK(mock.arrivals == std::vector<Time>{Time{10}, Time{10}, Time{10}, Time{10}, Time{15}});
  CHECK(mock.held[1] == &messages[1]);
  CHECK(mock.held[3] == &messages[4]);
  CHECK(mock.held[4] == &messages[3]);
  CHECK(simulation.events_served() == 3);
}

TEST_CASE("a_message_after_others_have_arrived_has_a_separate_event") {
  Simulation simulation{Duration{8}};
  Mock mock{simulation, {}, {}};
  Port port{simulation, "near", mock.on_arrival, Duration{0}, 8};
  Message first, second;
  port.send(first, Time{0}, Duration{0});
  simulation.run();
  port.send(second, Time{0}, Duration{0});
  simulation.run();
  CHECK(mock.held.size() == 2);
  CHECK(first.next == nullptr);
}

TEST_CASE("a_direct_delivery_needs_a_credit_but_no_event") {
  Simulation simulation{Duration{8}};
  Mock mock{simulation, {}, {}};
  Port port{simulation, "hand", mock.on_arrival, Duration{0}, 1};
  Message first, second;
  port.hand_over(first);
  CHECK(mock.held.size() == 1);
  CHECK(first.holds == &port);
  CHECK(simulation.idle());
  port.hand_over(second);  // no free slot: it waits like any other
  CHECK(mock.held.size() == 1);
  CHECK(port.waiting().size() == 1);
  mock.free_one();
  simulation.run();
  CHECK(mock.held.size() == 1);
  CHECK(second.holds == &port);
}
