// SPDX-License-Identifier: Apache-2.0
// The event queue: a two-level timing wheel (Varghese and Lauck: Hashed and
// Hierarchical Timing Wheels, 1987) with a sorted tail for the far future.
// Events come out in the total order (time, priority, sequence of pushes),
// which makes a run the same on every compiler. An event is 24 bytes; a push
// is one write at the end of a bucket. A bucket is sorted, stably, only when
// it is opened and only if its events were not pushed in order: spread over
// finer steps of time first, as its events are many and their times few.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.hpp"

namespace strata::engine {

/// Who is called when an event falls due. A block embeds its handlers, so the
/// pointer stays valid for the block's life.
struct Handler {
  using Function = void (*)(void* self, void* argument);
  Function function = nullptr;
  void* self = nullptr;
};

/// Order among events of one instant: credits and completions come before new
/// arrivals, arrivals before decisions that look at all of them.
enum class Priority : std::uint8_t { completion = 0, arrival = 1, decision = 2, observe = 3 };

struct Event {
  std::uint64_t key = 0;  ///< time in ticks * 4 + priority
  const Handler* handler = nullptr;
  void* argument = nullptr;

  static constexpr std::uint64_t make_key(Time t, Priority p) {
    return (static_cast<std::uint64_t>(t.ticks) << 2U) | static_cast<std::uint64_t>(p);
  }
  Time time() const { return {static_cast<std::int64_t>(key >> 2U)}; }
};

class EventQueue {
 public:
  /// grain: the span of one bucket, rounded down to a power of two of ticks;
  /// about an eighth of the period of the fastest clock serves well. grain >= 1 tick.
  explicit EventQueue(Duration grain);

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  /// Neither before the event popped last (std::logic_error).
  void push(const Event& event) {
    if (size_++ == 0) {
      if (event.key < popped_) refuse();
      lone_ = event;
      has_lone_ = true;
      return;
    }
    if (has_lone_) place_lone();
    place(event);
  }

  /// The earliest event; the queue must not be empty.
  Event pop() {
    --size_;
    if (has_lone_) {
      has_lone_ = false;
      popped_ = lone_.key;
      return lone_;
    }
    if (!late_.empty()) return pop_late();
    if (open_next_ == open_.size()) open_bucket();
    popped_ = open_[open_next_].key;
    expect(open_next_ + look_ahead);
    return open_[open_next_++];
  }

 private:
  void place(const Event& event) {
    const std::uint64_t slot = event.key >> shift_;
    if (slot > cursor_ && slot < near_end_) {
      insert(near_, near_occupied_, slot & near_mask, event);
    } else {
      push_slow(event, slot);
    }
  }

  /// Brings what an event to come will work on to the host's caches: with
  /// thousands of messages under way each is met cold otherwise.
  void expect(std::size_t index) const {
#if defined(__GNUC__)
    if (index >= open_.size()) return;
    const auto* const argument = static_cast<const char*>(open_[index].argument);
    __builtin_prefetch(argument);
    __builtin_prefetch(argument + 64);
#endif
  }
  static constexpr std::size_t look_ahead = 6;

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
    std::uint64_t last_key = 0;  ///< of the event pushed last; disordered once one came early
  };
  static constexpr std::uint64_t disordered = ~std::uint64_t{0};
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

  void insert(std::vector<Bucket>& wheel, Occupancy& occupied, std::uint64_t index,
              const Event& event) {
    Bucket& bucket = wheel[index];
    if (bucket.first == nullptr) {
      occupied.set(index);
      bucket.first = bucket.last = take_chunk();
      bucket.last_key = event.key;
    } else {
      bucket.last_key = event.key < bucket.last_key ? disordered : event.key;
      if (bucket.last->count == Chunk::capacity) bucket.last = bucket.last->next = take_chunk();
    }
    bucket.last->events[bucket.last->count++] = event;
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
  /// Hands every event of the bucket to place, in the order of pushes, and empties it.
  template <class Place>
  void empty_out(Bucket& bucket, const Place& place) {
    for (Chunk* chunk = bucket.first; chunk != nullptr;) {
      for (std::uint32_t i = 0; i < chunk->count; ++i) place(chunk->events[i]);
      Chunk* const next = chunk->next;
      chunk->next = free_;
      free_ = chunk;
      chunk = next;
    }
    bucket.first = nullptr;
  }
  void push_slow(const Event& event, std::uint64_t slot);
  Event pop_late();
  void place_lone();
  [[noreturn]] static void refuse();
  void open_bucket();
  void sort_open();
  void enter_revolution(std::uint64_t revolution);
  void spread(std::uint64_t revolution);
  std::uint64_t next_far_revolution() const;

  // An event pushed into an empty queue waits beside the wheels: a lone
  // dependent chase never touches them. It moves in when another one comes.
  Event lone_;
  bool has_lone_ = false;
  std::uint64_t popped_ = 0;  ///< key of the event that left last

  // The near wheel holds the revolution of the cursor and the one after it,
  // the far wheel one bucket for each later revolution.
  unsigned shift_;
  std::uint64_t cursor_ = 0;  ///< the slot that is open
  std::uint64_t near_end_ = near_slots;
  std::size_t size_ = 0;
  std::size_t open_next_ = 0;
  std::vector<Event> open_;  ///< the open bucket, in order
  std::vector<Event> late_;  ///< pushed into it since it was opened: sorted, latest first
  std::vector<Event> sorting_;
  std::vector<Bucket> near_;
  std::vector<Bucket> far_;
  Occupancy near_occupied_;
  Occupancy far_occupied_;
  Chunk* free_ = nullptr;
  std::vector<std::unique_ptr<Chunk[]>> slabs_;
  std::vector<Event> beyond_;  ///< past both wheels: sorted, latest first
};

}  // namespace strata::engine
