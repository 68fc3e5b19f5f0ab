// SPDX-License-Identifier: Apache-2.0
// The bucket of the event queue that is being served: its events in order,
// served from the front. What was pushed in any order is put in order as the
// bucket is opened: dealt out over 64 equal steps of the bucket's time (a
// counting sort: events are many, their times few), then moved to its place
// within the step. What is pushed while it is open goes to its place at once;
// mostly that is at the very front, where the events served have left room.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/event.hpp"

namespace strata::engine {

class OpenBucket {
 public:
  bool empty() const { return next_ == end_; }
  /// The earliest; there must be one.
  const Event& pop() {
    expect(next_ + look_ahead);
    return *next_++;
  }
  /// Behind all events of its key or earlier.
  void insert(const Event& event) {
    if (end_ != limit_ && (next_ == end_ || end_[-1].key <= event.key)) {
      *end_++ = event;
    } else {
      insert_between(event);
    }
  }
  /// Takes `count` events over: each(place) calls place with every one of them,
  /// in the order of pushes, and is called twice at most. All keys agree above
  /// their lowest `bits`. The bucket must be empty.
  template <class Each>
  void fill(std::size_t count, unsigned bits, const Each& each) {
    make_room(count);
    Event* const events = next_;
    end_ = next_ + count;
    if (count <= few) {
      Event* end = events;
      each([&end, events](const Event& event) {
        Event* at = end++;
        for (; at != events && event.key < at[-1].key; --at) *at = at[-1];
        *at = event;
      });
      return;
    }
    const unsigned fine = bits > step_bits ? bits - step_bits : 0;
    const auto step_of = [fine](const Event& event) {
      return static_cast<std::size_t>(event.key >> fine & (steps - 1));
    };
    std::array<std::uint32_t, steps + 1> ends{};
    each([&](const Event& event) { ++ends[step_of(event) + 1]; });
    for (std::size_t step = 1; step <= steps; ++step) ends[step] += ends[step - 1];
    each([&](const Event& event) { events[ends[step_of(event)]++] = event; });
    if (fine != 0) order_steps();
  }

 private:
  static constexpr std::size_t few = 12;
  static constexpr unsigned step_bits = 6;
  static constexpr std::size_t steps = std::size_t{1} << step_bits;
  static constexpr std::ptrdiff_t look_ahead = 6;

  /// Brings what an event to come will work on to the host's caches: with
  /// thousands of messages under way each is met cold otherwise.
  void expect(const Event* event) const {
#if defined(__GNUC__)
    if (event >= end_) return;
    const auto* const argument = static_cast<const char*>(event->argument);
    __builtin_prefetch(argument);
    __builtin_prefetch(argument + 64);
#endif
  }
  void make_room(std::size_t count);
  void order_steps();
  void insert_between(const Event& event);
  void make_way();

  std::vector<Event> room_;  ///< the events lie within, and may leave room in front
  Event* next_ = nullptr;
  Event* end_ = nullptr;
  Event* limit_ = nullptr;
};

}  // namespace strata::engine
