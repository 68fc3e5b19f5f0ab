// SPDX-License-Identifier: Apache-2.0
// Tags apart from data: a tag array of fixed sets and ways whose lines draw on
// a pool of data lines that is smaller than the tags (compare the decoupled
// sectored cache of Seznec, 1994, and the V-Way cache of Qureshi et al.,
// 2005). What is left of a core's array beside its shared memory changes the
// pool alone, never the sets.
//
// The sets form groups, and data move between groups. While the pool lasts, a
// new line takes from it. Then a line of its own set is evicted, unless the
// group has fallen below its guarantee: such a group takes lines
// from others until none has more. It takes from the group that last evicted a
// line of its own, as that one does without already, or else from the largest,
// its sets in turn. The rules were found by matching measured curves
// (docs/notes/l1-knee.md).
//
// Which line of a set loses its data is the replacement policy's choice, of the
// same table as in other caches: it is asked for a victim among the lines that
// are present. Which set it is stays with the rules above, as a policy sees one
// set at a time. Under lru the lines of a set lie in the order of their use,
// without gaps, which spares most questions.
//
// Invariants: never more lines than the pool has; a line held by a fetch is
// never evicted.
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cache/spec/data_pool_spec.hpp"
#include "cache/tags/tag_array.hpp"
#include "replacement/any_policy.hpp"

namespace strata::cache {

/// Where a new line may go, and what it does to the shares of the groups.
struct PooledRoom : Room {
  bool taken = false;     ///< the line that goes gives up its data to another group or set
  std::uint64_t set = 0;  ///< if so, the set and the way that it leaves
  std::uint32_t set_way = 0;
  bool below_guarantee = false;  ///< what the new line's group is from now on
};

/// A group of sets.
struct PoolGroup {
  std::uint64_t lines = 0;
  std::uint64_t next_set = 0;  ///< within the group: the next to give up a line
  bool below_guarantee = false;
  bool operator==(const PoolGroup&) const = default;
};

template <replacement::ReplacementPolicy Policy>
class PooledTags {
 public:
  using Group = PoolGroup;

  /// data_lines >= 1: the size of the pool. policy, seed: as of TagArray. Throws std::bad_alloc.
  PooledTags(const DataPoolSpec& spec, std::uint32_t ways, std::uint64_t data_lines, std::uint64_t seed = 0,
             std::string_view policy = {});

  std::uint64_t sets() const { return tags_.sets(); }
  std::uint32_t ways() const { return tags_.ways(); }
  std::uint64_t data_lines() const { return data_lines_; }
  std::uint64_t used() const { return used_; }
  const std::vector<Group>& groups() const { return groups_; }

  // As in TagArray.
  std::uint32_t find(std::uint64_t set, LineNumber line) const { return tags_.find(set, line); }
  std::uint64_t word(std::uint64_t set, std::uint32_t way) const { return tags_.word(set, way); }
  void prefetch(std::uint64_t set) const { tags_.prefetch(set); }
  bool spare(std::uint64_t set) const { return tags_.spare(set); }
  PooledRoom room(std::uint64_t set, LineNumber = 0) const;
  Access use(std::uint64_t set, std::uint32_t way, SectorMask sectors, Kind kind) {
    return tags_.use(set, way, sectors, kind);
  }
  Access install(std::uint64_t set, const PooledRoom& room, LineNumber line, SectorMask sectors, Kind kind);
  Access access(std::uint64_t set, LineNumber line, SectorMask sectors, Kind kind) {
    if (const std::uint32_t way = find(set, line); way != no_way) return use(set, way, sectors, kind);
    if (kind == Kind::write_present) return {};
    const PooledRoom place = room(set);
    return place.way == no_way ? Access{} : install(set, place, line, sectors, kind);
  }
  void hold(std::uint64_t set, std::uint32_t way) {
    tags_.hold(set, way);
    note(set);
  }
  void fill(std::uint64_t set, std::uint32_t way, SectorMask sectors, SectorMask dirty) {
    tags_.fill(set, way, sectors, dirty);
  }
  void clean(std::uint64_t set, std::uint32_t way) { tags_.clean(set, way); }
  std::uint32_t oldest_dirty(std::uint64_t set, std::uint32_t most, std::uint32_t leaving) const {
    return tags_.oldest_dirty(set, most, leaving);
  }
  void release(std::uint64_t set, std::uint32_t way) {
    tags_.release(set, way);
    set_movable(set);
  }
  Victim remove(std::uint64_t set, std::uint32_t way);
  void clear();
  const ZeroedWords& words() const { return tags_.words(); }

 private:
  static constexpr std::uint64_t no_group = ~std::uint64_t{0};
  static constexpr bool in_order_of_use = std::is_same_v<Policy, replacement::TrueLru>;

  std::uint64_t group_of(std::uint64_t set) const { return set >> group_shift_; }
  std::uint32_t lines_of(std::uint64_t set) const;
  std::uint32_t victim_of(std::uint64_t set) const;
  bool any_movable(std::uint64_t set) const;
  std::uint64_t largest() const;
  void take_from(std::uint64_t group, PooledRoom& room) const;
  void note(std::uint64_t set);
  void set_movable(std::uint64_t set) { movable_[set >> 6U] |= std::uint64_t{1} << (set & 63U); }
  std::uint64_t next_movable(std::uint64_t from, std::uint64_t end) const;

  TagArray<Policy> tags_;
  std::uint64_t sets_of_group_;  ///< a power of two
  unsigned group_shift_;
  std::uint64_t data_lines_;
  std::uint64_t guarantee_;
  std::uint64_t used_ = 0;
  std::uint64_t last_giver_ = no_group;  ///< the group that last let a line of its own go
  std::vector<Group> groups_;
  std::vector<std::uint64_t> movable_;  ///< a bit for each set: it has a line that may go
};

extern template class PooledTags<replacement::TrueLru>;
extern template class PooledTags<replacement::AnyPolicy>;
using PooledTagArray = PooledTags<replacement::TrueLru>;
using PooledTagsByName = PooledTags<replacement::AnyPolicy>;

}  // namespace strata::cache
