// SPDX-License-Identifier: Apache-2.0
#include "cache/tags/pooled_tag_array.hpp"

#include <algorithm>
#include <bit>

namespace strata::cache {

namespace {

/// A line with data that no fetch holds.
bool movable(std::uint64_t word) {
  return !LineWord::empty(word) && !LineWord::pending(word) && !LineWord::no_data(word);
}

}  // namespace

template <replacement::ReplacementPolicy Policy>
PooledTags<Policy>::PooledTags(const DataPoolSpec& spec, std::uint32_t ways, std::uint64_t data_lines,
                               std::uint64_t seed, std::string_view policy)
    : tags_(spec.tag_sets, ways, seed, policy), data_lines_(data_lines), movable_((spec.tag_sets + 63) / 64) {}

/// The line of a set that loses its data to one of another set, or no_way.
template <replacement::ReplacementPolicy Policy>
std::uint32_t PooledTags<Policy>::victim_of(std::uint64_t set) const {
  if constexpr (!in_order_of_use) return tags_.victim_with_data(set, tags_.policy() == replacement::TrueLru::name);
  std::uint32_t oldest = no_way;
  for (std::uint32_t way = ways(); way-- > 0;) {
    const std::uint64_t line = word(set, way);
    if (!movable(line)) continue;
    if (!LineWord::reused(line)) return way;
    if (oldest == no_way) oldest = way;
  }
  return oldest;
}

template <replacement::ReplacementPolicy Policy>
bool PooledTags<Policy>::any_movable(std::uint64_t set) const {
  for (std::uint32_t way = 0; way < ways(); ++way)
    if (movable(word(set, way))) return true;
  return false;
}

template <replacement::ReplacementPolicy Policy>
PooledRoom PooledTags<Policy>::room(std::uint64_t set, LineNumber line) const {
  PooledRoom room;
  room.way = tags_.find(set, line);  // its tag may have stayed
  if (room.way == no_way) room.way = tags_.victim(set);
  if (room.way == no_way) return room;
  const std::uint64_t there = word(set, room.way);
  if (!LineWord::empty(there) && !LineWord::no_data(there)) {
    room.leaving = there;
    return room;
  }
  room.set_alone = false;
  if (used_ < data_lines_) return room;
  std::uint64_t giver = next_movable(next_set_, sets());
  if (giver == sets()) giver = next_movable(0, next_set_);
  if (giver == next_set_ && !any_movable(giver)) {
    room.way = no_way;
    return room;
  }
  room.taken = true;
  room.set = giver;
  room.set_way = victim_of(giver);
  room.leaving = word(giver, room.set_way);
  return room;
}

/// The first set from `from` to before `end` with a line that may be evicted, or `end`.
template <replacement::ReplacementPolicy Policy>
std::uint64_t PooledTags<Policy>::next_movable(std::uint64_t from, std::uint64_t end) const {
  while (from < end) {
    const std::uint64_t rest = movable_[from >> 6U] >> (from & 63U);
    if (rest != 0) {
      return std::min(end, from + static_cast<std::uint64_t>(std::countr_zero(rest)));
    }
    from = (from | 63U) + 1;
  }
  return end;
}

/// The lines of a set, or their reservations, have changed.
template <replacement::ReplacementPolicy Policy>
void PooledTags<Policy>::note(std::uint64_t set) {
  const std::uint64_t bit = std::uint64_t{1} << (set & 63U);
  std::uint64_t& word = movable_[set >> 6U];
  word = any_movable(set) ? word | bit : word & ~bit;
}

template <replacement::ReplacementPolicy Policy>
Access PooledTags<Policy>::install(std::uint64_t set, const PooledRoom& room, LineNumber line, SectorMask sectors,
                                   Kind kind) {
  if (room.taken) {
    tags_.drop_data(room.set, room.set_way);
    note(room.set);
    next_set_ = room.set + 1 == sets() ? 0 : room.set + 1;
  } else if (LineWord::empty(room.leaving)) {
    ++used_;
  }
  set_movable(set);  // the new line itself, unless it is held
  return tags_.install(set, room, line, sectors, kind);
}

template <replacement::ReplacementPolicy Policy>
Victim PooledTags<Policy>::remove(std::uint64_t set, std::uint32_t way) {
  --used_;
  const Victim victim = tags_.remove(set, way);
  note(set);
  return victim;
}

template <replacement::ReplacementPolicy Policy>
void PooledTags<Policy>::clear() {
  tags_.clear();
  used_ = 0;
  next_set_ = 0;
  std::fill(movable_.begin(), movable_.end(), 0U);
}

template class PooledTags<replacement::TrueLru>;
template class PooledTags<replacement::AnyPolicy>;

}  // namespace strata::cache
