// SPDX-License-Identifier: Apache-2.0
#include "engine/event_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::engine;

namespace {

Event event_at(std::int64_t ticks, Priority priority, std::uint64_t name) {
  return {Event::make_key(Time{ticks}, priority), nullptr, reinterpret_cast<void*>(name)};
}
std::uint64_t name_of(const Event& event) { return reinterpret_cast<std::uint64_t>(event.argument); }

// The plain definition of the order: a multimap keeps equal keys in the order
// of insertion.
struct Reference {
  std::multimap<std::uint64_t, std::uint64_t> events;
  void push(const Event& event) { events.emplace(event.key, name_of(event)); }
  std::uint64_t pop() {
    const std::uint64_t name = events.begin()->second;
    events.erase(events.begin());
    return name;
  }
};

}  // namespace

TEST_CASE("events_leave_by_time_then_priority_then_sequence") {
  EventQueue queue{Duration{16}};
  queue.push(event_at(100, Priority::decision, 1));
  queue.push(event_at(100, Priority::arrival, 2));
  queue.push(event_at(99, Priority::observe, 3));
  queue.push(event_at(100, Priority::arrival, 4));
  queue.push(event_at(100, Priority::completion, 5));
  std::vector<std::uint64_t> order;
  while (!queue.empty()) order.push_back(name_of(queue.pop()));
  CHECK(order == std::vector<std::uint64_t>{3, 5, 2, 4, 1});
}

TEST_CASE("any_mix_of_near_far_and_very_far_events_keeps_the_total_order") {
  // Delays from none to far past both wheels, drawn so that many keys are equal; queues that are often empty, that have
  // now few events and now more, and that are rarely empty.
  for (const std::size_t most : {3U, 12U, 500U}) {
    for (const std::int64_t grain : {1, 7, 64, 100000}) {
      EventQueue queue{Duration{grain}};
      Reference reference;
      RandomSequence random{static_cast<std::uint64_t>(grain)};
      std::int64_t now = 0;
      std::uint64_t name = 1;
      for (int step = 0; step < 60000; ++step) {
        const bool push = queue.empty() || (queue.size() < most && random.below(4) != 0);
        if (push) {
          const std::uint64_t reach = std::uint64_t{1} << random.below(45);
          const auto ticks = now + static_cast<std::int64_t>(random.below(reach) / 8 * 8);
          const Event event = event_at(ticks, static_cast<Priority>(random.below(4)), name++);
          if (event.key < Event::make_key(Time{now}, Priority::observe)) continue;
          queue.push(event);
          reference.push(event);
        } else {
          const Event event = queue.pop();
          REQUIRE(name_of(event) == reference.pop());
          now = event.time().ticks;
        }
      }
    }
  }
}

TEST_CASE("an_event_for_the_past_is_refused") {
  EventQueue queue{Duration{64}};
  queue.push(event_at(1000, Priority::arrival, 1));
  queue.pop();
  CHECK_THROWS_AS(queue.push(event_at(999, Priority::arrival, 2)), std::logic_error);
}

TEST_CASE("an_event_for_now_of_an_earlier_priority_is_served_next") {
  GIVEN("an event alone in the queue, and one among others") {
    for (const std::uint64_t others : {0U, 3U}) {
      EventQueue queue{Duration{64}};
      queue.push(event_at(1000, Priority::decision, 1));
      for (std::uint64_t i = 0; i < others; ++i) queue.push(event_at(1000, Priority::observe, 10 + i));
      CHECK(name_of(queue.pop()) == 1);
      WHEN("it causes an arrival at its own time") {
        queue.push(event_at(1000, Priority::arrival, 2));
        THEN("that comes next") { CHECK(name_of(queue.pop()) == 2); }
      }
    }
  }
}

TEST_CASE("an_event_for_now_is_served_before_later_ones_of_the_open_bucket") {
  EventQueue queue{Duration{1024}};
  queue.push(event_at(10, Priority::arrival, 1));
  queue.push(event_at(12, Priority::arrival, 2));
  CHECK(name_of(queue.pop()) == 1);
  queue.push(event_at(11, Priority::arrival, 3));
  CHECK(name_of(queue.pop()) == 3);
  CHECK(name_of(queue.pop()) == 2);
}

TEST_CASE("ties_are_shuffled_by_a_seed_within_their_key") {
  // Five events at each of 200 instants, pushed in turn; the name says which of the five.
  const auto served = [](std::uint64_t seed) {
    EventQueue queue{Duration{16}};
    if (seed != 0) queue.shuffle_ties(seed);
    for (std::uint64_t name = 0; name < 5; ++name)
      for (std::int64_t instant = 1; instant <= 200; ++instant)
        queue.push(event_at(100 * instant, Priority::arrival, name));
    std::vector<std::uint64_t> names;
    std::uint64_t last = 0;
    while (!queue.empty()) {
      const Event& event = queue.pop();
      CHECK(event.key >= last);
      last = event.key;
      names.push_back(name_of(event));
    }
    return names;
  };
  std::vector<int> first(5);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<std::uint64_t> names = served(seed);
    REQUIRE(names.size() == 1000);
    for (std::size_t i = 0; i < names.size(); i += 5) {
      std::vector<std::uint64_t> five(names.begin() + static_cast<std::ptrdiff_t>(i),
                                      names.begin() + static_cast<std::ptrdiff_t>(i) + 5);
      ++first[five.front()];
      std::sort(five.begin(), five.end());
      CHECK(five == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
    }
  }
  // Of 4000 instants each is first in a fifth: 800, within four standard deviations of 25.
  for (const int times : first) CHECK(std::abs(times - 800) < 100);
  CHECK(served(1) == served(1));
  CHECK(served(1) != served(2));
  CHECK(served(0) != served(1));
}
