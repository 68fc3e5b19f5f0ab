// SPDX-License-Identifier: Apache-2.0
// Tags apart from data: a tag array of fixed sets and ways whose lines draw on
// a pool of data lines that is smaller than the tags (compare the decoupled
// sectored cache of Seznec, 1994, and the V-Way cache of Qureshi et al.,
// 2005). What is left of a core's array beside its shared memory changes the
// pool alone, never the sets.
//
// While the pool lasts, a line that comes takes from it. Then the sets are asked in turn, and the next that has
// any gives up the data of a line, whose tag stays: when it is asked for again, no line of
// its set is evicted for it. In a set whose tags are all in use a line takes the place of another, and its data if
// it has some. The rules were found on an H200 (docs/notes/l1-knee.md).
//
// Which line of a set loses its data is the replacement policy's choice, of the
// same table as in other caches: it is asked for a victim among the lines that
// have data. Under lru that is the least recently used of those that were not used since their data came, or
// else of all. There the lines of a set lie in the order of their use, without gaps.
//
// Invariants: never more lines with data than the pool has; a line held by a fetch is
// never evicted. A tag without data is not found: to its callers its line is absent.
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cache/spec/data_pool_spec.hpp"
#include "cache/tags/tag_array.hpp"
#include "replacement/any_policy.hpp"

namespace strata::cache {

/// Where a new line may go, and whose data it takes.
struct PooledRoom : Room {
  bool taken = false;     ///< the line that goes is in another place: its tag stays there
  std::uint64_t set = 0;  ///< if so, where
  std::uint32_t set_way = 0;

  std::uint32_t leaving_way(std::uint64_t of) const { return !taken ? way : set == of ? set_way : no_way; }
};

template <replacement::ReplacementPolicy Policy>
class PooledTags {
 public:
  /// data_lines >= 1: the size of the pool. policy, seed: as of TagArray. Throws std::bad_alloc.
  PooledTags(const DataPoolSpec& spec, std::uint32_t ways, std::uint64_t data_lines, std::uint64_t seed = 0,
             std::string_view policy = {});

  std::uint64_t sets() const { return tags_.sets(); }
  std::uint32_t ways() const { return tags_.ways(); }
  std::uint64_t data_lines() const { return data_lines_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t next_set() const { return next_set_; }  ///< that will be asked for a line

  // As in TagArray, of lines with data.
  [[gnu::always_inline]] std::uint32_t find(std::uint64_t set, LineNumber line) const {
    const std::uint32_t way = tags_.find(set, line);
    return way == no_way || LineWord::no_data(word(set, way)) ? no_way : way;
  }
  std::uint64_t word(std::uint64_t set, std::uint32_t way) const { return tags_.word(set, way); }
  void prefetch(std::uint64_t set) const { tags_.prefetch(set); }
  bool spare(std::uint64_t set) const { return tags_.spare(set); }
  PooledRoom room(std::uint64_t set, LineNumber line) const;
  [[gnu::always_inline]] Access use(std::uint64_t set, std::uint32_t way, SectorMask sectors, Kind kind) {
    const Access done = tags_.use(set, way, sectors, kind);
    tags_.mark_reused(set, done.way);
    return done;
  }
  Access install(std::uint64_t set, const PooledRoom& room, LineNumber line, SectorMask sectors, Kind kind);
  Access access(std::uint64_t set, LineNumber line, SectorMask sectors, Kind kind) {
    if (const std::uint32_t way = find(set, line); way != no_way) return use(set, way, sectors, kind);
    if (kind == Kind::write_present) return {};
    const PooledRoom place = room(set, line);
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
  static constexpr bool in_order_of_use = std::is_same_v<Policy, replacement::TrueLru>;

  std::uint32_t victim_of(std::uint64_t set) const;
  bool any_movable(std::uint64_t set) const;
  void note(std::uint64_t set);
  void set_movable(std::uint64_t set) { movable_[set >> 6U] |= std::uint64_t{1} << (set & 63U); }
  std::uint64_t next_movable(std::uint64_t from, std::uint64_t end) const;

  TagArray<Policy> tags_;
  std::uint64_t data_lines_;
  std::uint64_t used_ = 0;
  std::uint64_t next_set_ = 0;
  std::vector<std::uint64_t> movable_;  ///< a bit for each set: it has a line with data that may go
};

extern template class PooledTags<replacement::TrueLru>;
extern template class PooledTags<replacement::AnyPolicy>;
using PooledTagArray = PooledTags<replacement::TrueLru>;
using PooledTagsByName = PooledTags<replacement::AnyPolicy>;

}  // namespace strata::cache
