// SPDX-License-Identifier: Apache-2.0
// The tags of a set-associative, sectored cache: sets x ways words (see
// line_word.hpp), the words of a set adjacent, with the state of its
// replacement policy behind them. The one place where lines come, are used
// and go: the timed cache and the timing-free one both call it, so warming up
// without time leaves the very state that a timed run would. The set is given
// by the caller, so any index function fits. No call here is virtual and none
// allocates; finding and using a line are always inlined, as a hit is little else.
#pragma once
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <string_view>

#include "cache/tags/tag_words.hpp"
#include "cache/tags/zeroed_words.hpp"

namespace strata::cache {

/// What is left of a line that is evicted.
struct Victim {
  LineNumber line = 0;
  SectorMask dirty = 0;
  SectorMask valid = 0;
};

/// Where a new line may go.
struct Room {
  std::uint32_t way = no_way;  ///< no_way: fetches hold all that might go
  std::uint64_t leaving = 0;   ///< the word of the line that goes for it; 0: none
  bool set_alone = true;       ///< what other sets hold makes no difference

  /// The way of `set` whose line is evicted, or no_way.
  std::uint32_t leaving_way(std::uint64_t) const { return way; }
};

enum class Kind : std::uint8_t {
  read,           ///< allocates; sectors come later with fill()
  write_present,  ///< sectors become valid if the line is there
  write_clean,    ///< allocates; sectors become valid
  write_dirty,    ///< allocates; sectors become valid and dirty
};

struct Access {
  bool present = false;        ///< the line was there
  SectorMask hit = 0;          ///< which of the sectors were valid before
  std::uint32_t way = no_way;  ///< where the line is now; no_way: it is not
  bool evicted = false;
  Victim victim{};  ///< if evicted
};

template <replacement::ReplacementPolicy Policy>
class TagArray {
 public:
  /// sets >= 1; 1 <= ways. policy: its name in the table, where Policy is AnyPolicy. Throws std::bad_alloc.
  TagArray(std::uint64_t sets, std::uint32_t ways, std::uint64_t seed, std::string_view policy = {})
      : policy_(replacement::TagShape{sets, ways, seed, policy}),
        seed_(seed),
        sets_(sets),
        ways_(ways),
        stride_(ways + policy_.state_words()),
        words_(sets * stride_),
        name_(policy) {}

  std::uint64_t sets() const { return sets_; }
  std::uint32_t ways() const { return ways_; }

  /// The way of a line, or no_way.
  [[gnu::always_inline]] std::uint32_t find(std::uint64_t set, LineNumber line) const {
    assert(set < sets_);
    const std::uint64_t* const lines = words_.data() + set * stride_;
    const std::uint64_t tag = LineWord::tag_of(line);
    std::uint32_t way = 0;
    for (const std::uint32_t fours = ways_ & ~3U; way != fours; way += 4) {
      const std::uint64_t* const four = lines + way;
      if (LineWord::holds_at(four, tag)) return way;
      if (LineWord::holds_at(four + 1, tag)) return way + 1;
      if (LineWord::holds_at(four + 2, tag)) return way + 2;
      if (LineWord::holds_at(four + 3, tag)) return way + 3;
    }
    for (; way < ways_; ++way) {
      if (LineWord::holds_at(lines + way, tag)) return way;
    }
    return no_way;
  }
  std::uint64_t word(std::uint64_t set, std::uint32_t way) const { return words_.data()[set * stride_ + way]; }
  /// Brings a set near the host's core; for loops that know where they go next.
  void prefetch(std::uint64_t set) const {
    const std::uint64_t* const lines = words_.data() + set * stride_;
    for (std::uint32_t word = 0; word < stride_; word += 8) __builtin_prefetch(lines + word, 1);
    __builtin_prefetch(lines + stride_ - 1, 1);
  }
  /// The way that a new line would take; no_way if a fetch holds every line.
  std::uint32_t victim(std::uint64_t set) const { return policy_.victim(view(set)); }
  /// The line with data that the policy evicts, one not used since its data came if `unused` and there is any;
  /// no_way if fetches hold all that have some.
  std::uint32_t victim_with_data(std::uint64_t set, bool unused = false) const {
    std::array<std::uint64_t, most_ways> lines;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    assert(ways_ <= most_ways);
    replacement::SetView seen = view(set);
    for (std::uint32_t way = 0; way < ways_; ++way) {
      const std::uint64_t line = seen.lines[way];
      const bool out = LineWord::empty(line) || LineWord::no_data(line) || (unused && LineWord::reused(line));
      lines[way] = out ? LineWord::pending_bit : line;
    }
    seen.lines = lines.data();
    const std::uint32_t way = policy_.victim(seen);
    return way == no_way && unused ? victim_with_data(set) : way;
  }
  /// Two ways of the set or more are not held by fetches.
  bool spare(std::uint64_t set) const {
    std::uint32_t movable = 0;
    for (std::uint32_t way = 0; way < ways_ && movable < 2; ++way) {
      movable += LineWord::pending(word(set, way)) ? 0 : 1;
    }
    return movable == 2;
  }
  /// The last dirty line that no fetch holds, under lru the one used least recently, if so
  /// many or more are dirty beside the way that leaves; no_way if not.
  std::uint32_t oldest_dirty(std::uint64_t set, std::uint32_t most, std::uint32_t leaving) const {
    std::uint32_t dirty = 0;
    std::uint32_t oldest = no_way;
    for (std::uint32_t way = 0; way < ways_; ++way) {
      const std::uint64_t line = word(set, way);
      if (LineWord::dirty(line) == 0 || way == leaving) continue;
      ++dirty;
      if (!LineWord::pending(line)) oldest = way;
    }
    return dirty < most ? no_way : oldest;
  }
  /// Where a new line would go and what would go for it. Changes nothing.
  Room room(std::uint64_t set, LineNumber = 0) const {
    const std::uint32_t way = victim(set);
    return way == no_way ? Room{} : Room{way, word(set, way), true};
  }

  /// Uses the line at `way`, as find() gave it.
  [[gnu::always_inline]] Access use(std::uint64_t set, std::uint32_t way, SectorMask sectors, Kind kind) {
    Access done;
    done.present = true;
    done.hit = static_cast<SectorMask>(LineWord::valid(word(set, way)) & sectors);
    done.way = policy_.hit(view(set), way);
    write(line_word(set, done.way), sectors, kind);
    return done;
  }
  /// Puts a new line into the way that was freed for it.
  [[gnu::always_inline]] Access install(std::uint64_t set, const Room& room, LineNumber line, SectorMask sectors,
                                        Kind kind) {
    Access done;
    if (!LineWord::empty(room.leaving)) {
      done.evicted = true;
      done.victim = {LineWord::line(room.leaving), LineWord::dirty(room.leaving), LineWord::valid(room.leaving)};
    }
    std::uint64_t fresh = LineWord::tag_of(line);
    write(fresh, sectors, kind);
    done.way = policy_.insert(view(set), room.way, fresh);
    return done;
  }
  /// find, then use or install. Leaves the set alone if the line is absent and
  /// the kind does not allocate or every line is held by a fetch.
  Access access(std::uint64_t set, LineNumber line, SectorMask sectors, Kind kind) {
    if (const std::uint32_t way = find(set, line); way != no_way) return use(set, way, sectors, kind);
    if (kind == Kind::write_present) return {};
    const Room place = room(set, line);
    return place.way == no_way ? Access{} : install(set, place, line, sectors, kind);
  }

  /// A fetch of the line at `way` begins: it stays until release().
  void hold(std::uint64_t set, std::uint32_t way) { line_word(set, way) |= LineWord::pending_bit; }
  /// Sectors of the line at `way` have come, some to be changed at once.
  void fill(std::uint64_t set, std::uint32_t way, SectorMask sectors, SectorMask dirty) {
    std::uint64_t& at = line_word(set, way);
    at = LineWord::with_dirty(LineWord::with_valid(at, sectors), dirty);
  }
  /// What was dirty of the line at `way` has gone down.
  void clean(std::uint64_t set, std::uint32_t way) { line_word(set, way) &= ~LineWord::dirty_bits; }
  void release(std::uint64_t set, std::uint32_t way) { line_word(set, way) &= ~LineWord::pending_bit; }
  void mark_reused(std::uint64_t set, std::uint32_t way) { line_word(set, way) |= LineWord::reused_bit; }
  /// The line at `way` loses its data; its tag stays.
  void drop_data(std::uint64_t set, std::uint32_t way) { line_word(set, way) = LineWord::without_data(word(set, way)); }
  /// Takes the line at `way` out; what it held is returned, not written back.
  Victim remove(std::uint64_t set, std::uint32_t way) {
    const std::uint64_t old = word(set, way);
    policy_.remove(view(set), way);
    return {LineWord::line(old), LineWord::dirty(old), LineWord::valid(old)};
  }
  void clear() {
    words_.clear();
    policy_ = Policy(replacement::TagShape{sets_, ways_, seed_, name_});
  }

  /// Every word, the policy's of each set included.
  const ZeroedWords& words() const { return words_; }
  std::string_view policy() const { return name_; }

 private:
  static constexpr std::uint32_t most_ways = 2048;

  // The policy sees a set through one type, whether it may change it or not:
  // victim() is const in the policies and only reads.
  replacement::SetView view(std::uint64_t set) const {
    auto* const lines = const_cast<std::uint64_t*>(words_.data()) + set * stride_;
    return {lines, lines + ways_, ways_, set};
  }
  std::uint64_t& line_word(std::uint64_t set, std::uint32_t way) { return words_.data()[set * stride_ + way]; }
  static void write(std::uint64_t& word, SectorMask sectors, Kind kind) {
    if (kind == Kind::write_dirty) {
      word = LineWord::with_dirty(word, sectors);
    } else if (kind != Kind::read) {
      word = LineWord::with_valid(word, sectors);
    }
  }

  Policy policy_;
  std::uint64_t seed_;
  std::uint64_t sets_;
  std::uint32_t ways_;
  std::uint32_t stride_;
  ZeroedWords words_;
  std::string_view name_;
};

}  // namespace strata::cache
