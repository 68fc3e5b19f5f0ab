// SPDX-License-Identifier: Apache-2.0
#include "engine/event_queue.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace strata::engine {

namespace {
bool later_first(const Event& a, const Event& b) { return a.key > b.key; }
}  // namespace

EventQueue::EventQueue(Duration grain)
    // bit_width - 1 is the power of two; the key carries two bits of priority.
    : shift_(static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(grain.ticks < 1 ? 1 : grain.ticks)) + 1)),
      near_(near_slots),
      far_(far_slots),
      near_occupied_(near_slots),
      far_occupied_(far_slots) {}

void EventQueue::Occupancy::clear(std::uint64_t slot) {
  std::uint64_t& word = words_[slot >> 6U];
  word &= ~(std::uint64_t{1} << (slot & 63U));
  if (word == 0) summary_[slot >> 12U] &= ~(std::uint64_t{1} << ((slot >> 6U) & 63U));
}

std::uint64_t EventQueue::Occupancy::scan(std::uint64_t from) const {
  const std::uint64_t word = words_[from >> 6U] >> (from & 63U);
  if (word != 0) return from + static_cast<std::uint64_t>(std::countr_zero(word));
  std::uint64_t index = (from >> 6U) + 1;  // the first whole word after
  while (index < words_.size()) {
    const std::uint64_t rest = summary_[index >> 6U] >> (index & 63U);
    if (rest != 0) {
      index += static_cast<std::uint64_t>(std::countr_zero(rest));
      return index * 64 + static_cast<std::uint64_t>(std::countr_zero(words_[index]));
    }
    index = (index | 63U) + 1;
  }
  return none;
}

std::uint64_t EventQueue::Occupancy::next(std::uint64_t from) const {
  const std::uint64_t found = scan(from);
  return found != none || from == 0 ? found : scan(0);
}

bool EventQueue::keep_among_few(Event event) {
  if (size_ == 1) few_ = !ties_;
  if (!few_) return false;
  if (size_ > most_few) {
    spread_out();
    return false;
  }
  insert_now(event);
  return true;
}

// The wheels are empty: they are set to the present first, so what comes next is in reach of the near wheel.
void EventQueue::spread_out() {
  few_ = false;
  const std::uint64_t now = std::max(popped_ >> shift_, cursor_);
  if (now != cursor_) {
    cursor_ = now;
    near_end_ = (now >> slot_bits << slot_bits) + near_slots;
  }
  open_.give_up_from((now + 1) << shift_, [this](const Event& event) { place(event); });
}

std::uint64_t EventQueue::at_once(std::uint64_t key) const {
  if (key >> 2U < popped_ >> 2U) throw std::logic_error("an event was pushed into the past");
  return popped_;
}

void EventQueue::push_slow(Event event, std::uint64_t slot) {
  if (slot <= cursor_) return insert_now(event);
  const std::uint64_t revolution = slot >> slot_bits;
  if (revolution - (cursor_ >> slot_bits) < far_slots) {
    insert(far_, far_occupied_, revolution & far_mask, event);
  } else {
    // Equal keys: the one pushed later is nearer the front and is popped later.
    beyond_.insert(std::lower_bound(beyond_.begin(), beyond_.end(), event, later_first), event);
  }
}

void EventQueue::open_bucket() {
  std::uint64_t from = cursor_ + 1;
  for (;;) {
    const std::uint64_t index = near_occupied_.next(from & near_mask);
    if (index == Occupancy::none) {
      enter_revolution(next_far_revolution());
      from = cursor_;
      continue;
    }
    const std::uint64_t slot = from + ((index - from) & near_mask);
    if ((slot >> slot_bits) != (cursor_ >> slot_bits)) enter_revolution(slot >> slot_bits);
    cursor_ = slot;
    Bucket& bucket = near_[index];
    near_occupied_.clear(index);
    std::size_t count = 0;
    for (const Chunk* chunk = bucket.first; chunk != nullptr; chunk = chunk->next) {
      count += chunk->count;
    }
    open_.fill(count, shift_, [&bucket](const auto& place) { each(bucket, place); });
    if (ties_) open_.shuffle_ties(*ties_);
    empty_out(bucket);
    return;
  }
}

void EventQueue::grow() {
  constexpr std::size_t slab = 256;
  // Uninitialised: a chunk is written before it is read.
  slabs_.push_back(std::make_unique_for_overwrite<Chunk[]>(slab));
  for (std::size_t i = slab; i-- > 0;) {
    slabs_.back()[i].next = free_;
    free_ = &slabs_.back()[i];
  }
}

// The cursor moves to the start of a revolution. The next revolution comes within reach of the
// near wheel, so its events move there before others are pushed: the order of pushes is kept.
void EventQueue::enter_revolution(std::uint64_t revolution) {
  const std::uint64_t reached = near_end_ >> slot_bits;
  cursor_ = revolution << slot_bits;
  near_end_ = cursor_ + near_slots;
  for (std::uint64_t r = std::max(reached, revolution); r < revolution + 2; ++r) spread(r);
}

std::uint64_t EventQueue::next_far_revolution() const {
  const std::uint64_t now = cursor_ >> slot_bits;
  const std::uint64_t index = far_occupied_.next(now & far_mask);
  std::uint64_t next = index == Occupancy::none ? Occupancy::none : now + ((index - now) & far_mask);
  if (!beyond_.empty()) next = std::min(next, beyond_.back().key >> shift_ >> slot_bits);
  if (next == Occupancy::none) throw std::logic_error("pop from an empty event queue");
  return next;
}

void EventQueue::spread(std::uint64_t revolution) {
  const auto place = [this](const Event& event) {
    insert(near_, near_occupied_, (event.key >> shift_) & near_mask, event);
  };
  // The tail was pushed before any event of this revolution could reach the far wheel, so it is
  // served first.
  while (!beyond_.empty() && (beyond_.back().key >> shift_ >> slot_bits) == revolution) {
    place(beyond_.back());
    beyond_.pop_back();
  }
  Bucket& bucket = far_[revolution & far_mask];
  if (bucket.first != nullptr && (bucket.first->events[0].key >> shift_ >> slot_bits) == revolution) {
    each(bucket, place);
    empty_out(bucket);
    far_occupied_.clear(revolution & far_mask);
  }
}

}  // namespace strata::engine
