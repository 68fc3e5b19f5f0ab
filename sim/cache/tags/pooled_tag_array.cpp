// SPDX-License-Identifier: Apache-2.0
#include "cache/tags/pooled_tag_array.hpp"

#include <algorithm>
#include <bit>

namespace strata::cache {

template <replacement::ReplacementPolicy Policy>
PooledTags<Policy>::PooledTags(const DataPoolSpec& spec, std::uint32_t ways, std::uint64_t data_lines,
                               std::uint64_t seed, std::string_view policy)
    : tags_(spec.tag_sets, ways, seed, policy),
      sets_of_group_(spec.sets_of_group()),
      group_shift_(static_cast<unsigned>(std::countr_zero(sets_of_group_))),
      data_lines_(data_lines),
      guarantee_(std::min(spec.guarantee, data_lines / spec.groups)),
      groups_(spec.groups),
      movable_((spec.tag_sets + 63) / 64) {}

template <replacement::ReplacementPolicy Policy>
std::uint32_t PooledTags<Policy>::lines_of(std::uint64_t set) const {
  std::uint32_t lines = ways();
  if constexpr (in_order_of_use) {
    while (lines > 0 && LineWord::empty(word(set, lines - 1))) --lines;
  } else {
    for (std::uint32_t way = 0; way < ways(); ++way) lines -= LineWord::empty(word(set, way)) ? 1 : 0;
  }
  return lines;
}

/// The line of a set that loses its data to a new one, or no_way.
template <replacement::ReplacementPolicy Policy>
std::uint32_t PooledTags<Policy>::victim_of(std::uint64_t set) const {
  if constexpr (!in_order_of_use) return tags_.victim_among_lines(set);
  for (std::uint32_t way = ways(); way-- > 0;) {
    const std::uint64_t line = word(set, way);
    if (!LineWord::empty(line) && !LineWord::pending(line)) return way;
  }
  return no_way;
}

template <replacement::ReplacementPolicy Policy>
bool PooledTags<Policy>::any_movable(std::uint64_t set) const {
  if constexpr (in_order_of_use) return victim_of(set) != no_way;
  for (std::uint32_t way = 0; way < ways(); ++way) {
    const std::uint64_t line = word(set, way);
    if (!LineWord::empty(line) && !LineWord::pending(line)) return true;
  }
  return false;
}

/// The group with the most lines, the first of equals.
template <replacement::ReplacementPolicy Policy>
std::uint64_t PooledTags<Policy>::largest() const {
  std::uint64_t most = 0;
  for (std::uint64_t group = 1; group < groups_.size(); ++group) {
    if (groups_[group].lines > groups_[most].lines) most = group;
  }
  return most;
}

template <replacement::ReplacementPolicy Policy>
PooledRoom PooledTags<Policy>::room(std::uint64_t set, LineNumber) const {
  PooledRoom room;
  const std::uint64_t own = group_of(set);
  const Group& group = groups_[own];
  const std::uint32_t lines = lines_of(set);
  room.below_guarantee = group.below_guarantee;
  const auto within_set = [&](std::uint32_t way) {
    if (way != no_way) room.leaving = word(set, way);
    room.way = way;
    return room;
  };
  if (lines == ways()) return within_set(victim_of(set));
  room.set_alone = false;
  if (used_ < data_lines_) {
    room.way = in_order_of_use ? lines : tags_.victim(set);
    return room;
  }
  const std::uint64_t most = largest();
  if (group.lines < guarantee_) room.below_guarantee = true;
  if (group.lines >= groups_[most].lines) room.below_guarantee = false;
  if (!room.below_guarantee) {
    if (const std::uint32_t way = victim_of(set); way != no_way) return within_set(way);
  }
  const bool gives = last_giver_ != no_group && last_giver_ != own && groups_[last_giver_].lines > guarantee_;
  const std::uint64_t first = gives ? last_giver_ : most;
  for (std::uint64_t step = 0; step < groups_.size() && !room.taken; ++step) {
    const std::uint64_t asked = first + step;
    take_from(asked < groups_.size() ? asked : asked - groups_.size(), room);
  }
  if (room.taken) {
    if constexpr (in_order_of_use) {
      room.way = room.set == set ? lines - 1 : lines;
    } else {
      room.way = tags_.victim(set);  // an empty one
    }
  }
  return room;
}

/// Finds a line that may be evicted, from the next set in turn.
template <replacement::ReplacementPolicy Policy>
void PooledTags<Policy>::take_from(std::uint64_t group, PooledRoom& room) const {
  if (groups_[group].lines == 0) return;
  const std::uint64_t first = group * sets_of_group_;
  const std::uint64_t end = first + sets_of_group_;
  const std::uint64_t turn = first + (groups_[group].next_set & (sets_of_group_ - 1));
  std::uint64_t set = next_movable(turn, end);
  if (set == end) {
    set = next_movable(first, turn);
    if (set == turn) return;
  }
  room.taken = true;
  room.set = set;
  room.set_way = victim_of(set);
  room.leaving = word(set, room.set_way);
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
  const std::uint64_t own = group_of(set);
  groups_[own].below_guarantee = room.below_guarantee;
  if (LineWord::empty(room.leaving)) {
    ++used_;
    ++groups_[own].lines;
  } else if (room.taken) {
    Group& giver = groups_[group_of(room.set)];
    tags_.remove(room.set, room.set_way);
    note(room.set);
    --giver.lines;
    giver.next_set = (room.set & (sets_of_group_ - 1)) + 1;
    ++groups_[own].lines;
  } else {
    last_giver_ = own;
  }
  set_movable(set);  // the new line itself, unless it is held
  return tags_.install(set, room, line, sectors, kind);
}

template <replacement::ReplacementPolicy Policy>
Victim PooledTags<Policy>::remove(std::uint64_t set, std::uint32_t way) {
  --used_;
  --groups_[group_of(set)].lines;
  const Victim victim = tags_.remove(set, way);
  note(set);
  return victim;
}

template <replacement::ReplacementPolicy Policy>
void PooledTags<Policy>::clear() {
  tags_.clear();
  used_ = 0;
  last_giver_ = no_group;
  std::fill(groups_.begin(), groups_.end(), Group{});
  std::fill(movable_.begin(), movable_.end(), 0U);
}

template class PooledTags<replacement::TrueLru>;
template class PooledTags<replacement::AnyPolicy>;

}  // namespace strata::cache
