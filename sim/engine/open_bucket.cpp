// SPDX-License-Identifier: Apache-2.0
#include "engine/open_bucket.hpp"

#include <algorithm>
#include <utility>

namespace strata::engine {

namespace {
bool earlier(const Event& a, const Event& b) { return a.key < b.key; }
}  // namespace

void OpenBucket::make_room(std::size_t count) {
  if (room_.size() <= count) room_.resize(std::max<std::size_t>(2 * count, 64));
  next_ = end_ = room_.data() + 1;  // one slot in front for the first inserted event
  limit_ = room_.data() + room_.size();
}

// Steps are ordered, so an event moves only a short distance.
void OpenBucket::order_steps() {
  for (Event* at = next_ + 1; at < end_; ++at) {
    if (at[-1].key <= at->key) continue;
    // Many events may share an instant: a distant position is found by binary search.
    const Event moved = *at;
    Event* to = at - 1;
    constexpr std::ptrdiff_t near = 8;
    const Event* const nearest = at - next_ > near ? at - near : next_;
    while (to != nearest && moved.key < to[-1].key) --to;
    if (to == nearest && to != next_) to = std::upper_bound(next_, to, moved, earlier);
    std::move_backward(to, at, at + 1);
    *to = moved;
  }
}

void OpenBucket::shuffle_ties(RandomSequence& random) {
  for (Event* first = next_; first != end_;) {
    Event* last = first + 1;
    while (last != end_ && last->key == first->key) ++last;
    for (Event* at = last - 1; at > first; --at)
      std::swap(*at, first[random.below(static_cast<std::uint64_t>(at - first) + 1)]);
    first = last;
  }
}

void OpenBucket::insert_between(const Event& event) {
  if (next_ == room_.data() || end_ == limit_) {
    make_way();
    return insert(event);
  }
  // Nearly all belong to the first few or, with a clock's delay, near the end.
  constexpr std::ptrdiff_t front = 4;
  if (end_ - next_ <= front || event.key < next_[front - 1].key) {
    // Those before it move into the slot of the event that was served last.
    Event* at = next_;
    for (; at != end_ && at->key <= event.key; ++at) at[-1] = *at;
    --next_;
    at[-1] = event;
    return;
  }
  constexpr std::ptrdiff_t near = 16;
  Event* at = end_++;
  const Event* const nearest = at - next_ > near ? at - near : next_;
  for (; at != nearest && event.key < at[-1].key; --at) *at = at[-1];
  if (at == nearest) {
    Event* const farther = std::upper_bound(next_, at, event, earlier);
    std::move_backward(farther, at, at + 1);
    at = farther;
  }
  *at = event;
}

// The events move to where a quarter of the capacity lies in front of them.
void OpenBucket::make_way() {
  const auto count = static_cast<std::size_t>(end_ - next_);
  const auto before = static_cast<std::size_t>(next_ - room_.data());
  if (2 * count >= room_.size()) room_.resize(std::max<std::size_t>(2 * room_.size(), 64));
  Event* const begin = room_.data() + before;
  next_ = room_.data() + room_.size() / 4;
  std::memmove(next_, begin, count * sizeof(Event));
  end_ = next_ + count;
  limit_ = room_.data() + room_.size();
}

}  // namespace strata::engine
