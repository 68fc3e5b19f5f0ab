// SPDX-License-Identifier: Apache-2.0
// The bucket of the event queue that is being served: its events in order,
// served from the front. What was pushed in any order is put in order as the
// bucket is opened: dealt out over 64 equal steps of the bucket's time (a
// counting sort: events are many, their times few), then moved to its place
// within the step. What is pushed while it is open goes to its place at once;
// mostly that is at the very front, where served events have left free places.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/random.hpp"
#include "engine/event.hpp"

namespace strata::engine {

class OpenBucket {
 public:
  bool empty() const { return next_ == end_; }
  /// The earliest; there must be one.
  const Event& front() const { return *next_; }
  /// The same, taken out.
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
    if (count <= most_in_bytes) {
      deal<std::uint8_t>(events, fine, each);
    } else {
      deal<std::uint32_t>(events, fine, each);
    }
    if (fine != 0) order_steps();
  }
  /// Takes out the events of this key or later and calls place with each, in order.
  template <class Place>
  void give_up_from(std::uint64_t key, const Place& place) {
    Event* first = end_;
    while (first != next_ && first[-1].key >= key) --first;
    const Event* const end = end_;
    end_ = first;
    for (const Event* event = first; event != end; ++event) place(*event);
  }
  /// Puts the events of each key into an order drawn by the sequence.
  void shuffle_ties(RandomSequence& random);

 private:
  static constexpr std::size_t few = 8;
  static constexpr std::size_t most_in_bytes = 255;
  static constexpr unsigned step_bits = 6;
  static constexpr std::size_t steps = std::size_t{1} << step_bits;
  static constexpr std::ptrdiff_t look_ahead = 6;

  /// The counting sort over steps; Count holds the number of all events.
  template <class Count, class Each>
  void deal(Event* events, unsigned fine, const Each& each) {
    const auto step_of = [fine](const Event& event) {
      return static_cast<std::size_t>(event.key >> fine & (steps - 1));
    };
    std::array<Count, steps> places{};
    each([&](const Event& event) { ++places[step_of(event)]; });
    sum(places);
    each([&](const Event& event) { events[places[step_of(event)]++] = event; });
  }
  /// Makes of each count the sum of those before it.
  template <class Count>
  static void sum(std::array<Count, steps>& counts) {
    if constexpr (sizeof(Count) == 1 && std::endian::native == std::endian::little) {
      // Eight to a word: a product with ones in all bytes sums them up.
      constexpr std::uint64_t ones = 0x0101'0101'0101'0101U;
      std::uint64_t before = 0;  // in every byte
      for (std::size_t step = 0; step < steps; step += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, &counts[step], sizeof eight);
        const std::uint64_t sums = eight * ones + before;
        const std::uint64_t starts = sums - eight;
        std::memcpy(&counts[step], &starts, sizeof starts);
        before = (sums >> 56U) * ones;
      }
    } else {
      Count before = 0;
      for (Count& count : counts) {
        const Count here = count;
        count = before;
        before = static_cast<Count>(before + here);
      }
    }
  }
  /// Brings what an event to come will work on to the host's caches: with
  /// thousands of messages under way each is met cold otherwise.
  void expect(const Event* event) const {
#if defined(__GNUC__)
    if (event >= end_) return;
    // As a number: there may be none, and behind nothing there is no address.
    const auto argument = reinterpret_cast<std::uintptr_t>(event->argument);
    // NOLINTBEGIN(performance-no-int-to-ptr): an address that is prefetched is never read through
    __builtin_prefetch(reinterpret_cast<const void*>(argument));
    __builtin_prefetch(reinterpret_cast<const void*>(argument + 64));
    // NOLINTEND(performance-no-int-to-ptr)
#endif
  }
  void make_room(std::size_t count);
  void order_steps();
  void insert_between(const Event& event);
  void make_way();

  std::vector<Event> room_;  ///< the events lie within, with free places in front
  Event* next_ = nullptr;
  Event* end_ = nullptr;
  Event* limit_ = nullptr;
};

}  // namespace strata::engine
