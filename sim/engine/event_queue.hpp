// SPDX-License-Identifier: Apache-2.0
// The event queue: a two-level timing wheel (Varghese and Lauck: Hashed and
// Hierarchical Timing Wheels, 1987) with a sorted tail for the far future.
// Events come out in the total order (time, priority, sequence of pushes),
// which makes a run the same on every compiler. An event is 24 bytes; a push
// is one write at the end of a bucket. A bucket is put in order only when it is
// opened (see open_bucket.hpp).
//
// shuffle_ties() replaces the sequence of pushes by a drawn order. No document says in which
// order a machine serves what falls on one instant, so what such orders change is the
// uncertainty of a result, not a property of the machine.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "base/time.hpp"
#include "engine/event.hpp"
#include "engine/open_bucket.hpp"

namespace strata::engine {

class EventQueue {
 public:
  /// grain: the span of one bucket, rounded down to a power of two of ticks;
  /// about an eighth of the period of the fastest clock serves well. grain >= 1 tick.
  explicit EventQueue(Duration grain);

  /// From now on, events of one time and priority come out in an order drawn by the seed, but for
  /// those that are pushed while their bucket is open. Before the first event.
  void shuffle_ties(std::uint64_t seed) { ties_.emplace(seed); }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  /// Not at a time before that of the event popped last (std::logic_error). One
  /// of the same time but an earlier priority, as a step that takes no time
  /// causes, is popped as if it had that event's priority.
  void push(const Event& event) {
    if (size_++ <= most_few && keep_among_few(event)) return;
    place(event);
  }

  /// The key of the earliest event; the queue must not be empty.
  std::uint64_t next_key() {
    if (open_.empty()) open_bucket();
    return open_.front().key;
  }

  /// The earliest event, to be read before the next call; nullptr: none has a key below the bound.
  const Event* pop_before(std::uint64_t bound) {
    if (open_.empty()) {
      if (size_ == 0) return nullptr;
      open_bucket();
    }
    return open_.front().key < bound ? &take_first() : nullptr;
  }

  /// The earliest event, to be read before the next call; the queue must not be empty.
  const Event& pop() {
    if (open_.empty()) open_bucket();
    return take_first();
  }

 private:
  const Event& take_first() {
    --size_;
    const Event& event = open_.pop();
    popped_ = event.key;
    return event;
  }
  void place(const Event& event) {
    const std::uint64_t slot = event.key >> shift_;
    if (slot > cursor_ && slot < near_end_) {
      insert(near_, near_occupied_, slot & near_mask, event);
    } else {
      push_slow(event, slot);
    }
  }

  static constexpr unsigned slot_bits = 12;  ///< a revolution is 4096 buckets
  static constexpr std::uint64_t near_slots = std::uint64_t{2} << slot_bits;
  static constexpr std::uint64_t near_mask = near_slots - 1;
  static constexpr std::uint64_t far_slots = std::uint64_t{1} << slot_bits;
  static constexpr std::uint64_t far_mask = far_slots - 1;

  /// A bucket is a chain of chunks. Chunks go back to a free list as soon as
  /// they are emptied and are taken from it last in, first out, so the memory
  /// in use follows the events outstanding and stays warm in the host's caches.
  struct Chunk {
    static constexpr std::uint32_t capacity = 10;
    std::array<Event, capacity> events;
    std::uint32_t count;
    Chunk* next;
  };
  struct Bucket {
    Chunk* first = nullptr;
    Chunk* last = nullptr;
  };
  /// Which buckets of a wheel hold events, with a summary bit per 64 of them.
  class Occupancy {
   public:
    explicit Occupancy(std::uint64_t slots) : words_(slots / 64), summary_(slots / 4096) {}
    void set(std::uint64_t slot) {
      words_[slot >> 6U] |= std::uint64_t{1} << (slot & 63U);
      summary_[slot >> 12U] |= std::uint64_t{1} << ((slot >> 6U) & 63U);
    }
    void clear(std::uint64_t slot);
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    /// The first occupied slot at or after from, going round; none when empty.
    std::uint64_t next(std::uint64_t from) const;

   private:
    std::uint64_t scan(std::uint64_t from) const;
    std::vector<std::uint64_t> words_;
    std::vector<std::uint64_t> summary_;
  };

  void insert(std::vector<Bucket>& wheel, Occupancy& occupied, std::uint64_t index, const Event& event) {
    Bucket& bucket = wheel[index];
    if (bucket.first == nullptr) {
      occupied.set(index);
      bucket.first = bucket.last = take_chunk();
    } else if (bucket.last->count == Chunk::capacity) {
      bucket.last = bucket.last->next = take_chunk();
    }
    Chunk& last = *bucket.last;
    last.events[last.count++] = event;
  }
  Chunk* take_chunk() {
    if (free_ == nullptr) grow();
    Chunk* const chunk = free_;
    free_ = chunk->next;
    chunk->next = nullptr;
    chunk->count = 0;
    return chunk;
  }
  void grow();
  /// Calls place with every event of the bucket, in the order of pushes.
  template <class Place>
  static void each(const Bucket& bucket, const Place& place) {
    for (const Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next) {
      for (std::uint32_t i = 0; i < chunk->count; ++i) place(chunk->events[i]);
    }
  }
  /// Gives its chunks back.
  void empty_out(Bucket& bucket) {
    bucket.last->next = free_;
    free_ = bucket.first;
    bucket.first = nullptr;
  }
  // By value: an event whose address is not taken is built in registers.
  void push_slow(Event event, std::uint64_t slot);
  /// An event of the bucket that is open, or any while these are few.
  void insert_now(Event event) {
    if (event.key < popped_) event.key = at_once(event.key);
    open_.insert(event);
  }
  /// Called where, this event included, one more than few may be queued; false: it belongs in a bucket.
  bool keep_among_few(Event event);
  void spread_out();
  /// The key of an event for the present moment; throws for one of the past.
  std::uint64_t at_once(std::uint64_t key) const;
  void open_bucket();
  void enter_revolution(std::uint64_t revolution);
  void spread(std::uint64_t revolution);
  std::uint64_t next_far_revolution() const;

  // From empty until more than a few events are queued, and unless ties are shuffled, the open bucket has all of them,
  // whenever they fall due: what a chase or a hand-off does never touches the wheels.
  static constexpr std::size_t most_few = 8;
  bool few_ = false;
  std::uint64_t popped_ = 0;  ///< key of the event that left last

  // The near wheel holds the revolution of the cursor and the one after it,
  // the far wheel one bucket for each later revolution.
  unsigned shift_;
  std::uint64_t cursor_ = 0;  ///< the slot that is open
  std::uint64_t near_end_ = near_slots;
  std::size_t size_ = 0;
  OpenBucket open_;
  std::optional<RandomSequence> ties_;
  std::vector<Bucket> near_;
  std::vector<Bucket> far_;
  Occupancy near_occupied_;
  Occupancy far_occupied_;
  Chunk* free_ = nullptr;
  std::vector<std::unique_ptr<Chunk[]>> slabs_;
  std::vector<Event> beyond_;  ///< past both wheels: sorted, latest first
};

}  // namespace strata::engine
