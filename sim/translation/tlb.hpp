// SPDX-License-Identifier: Apache-2.0
// The entries of one level of TLBs, all instances of it: set-associative tags
// with the time of their last use and the time from which each may be used.
// The timed translation and the timing-free one both go through look_up(), so
// warming up without time leaves the very entries that a timed run would.
//
// The set is the tag folded onto itself by XOR where the sets are a power of
// two, else its remainder: consecutive pages spread evenly either way, so a
// capacity knee stays sharp. In a wide set a table of guesses by the tag's low
// bits makes a hit cost one comparison; a miss compares all.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/time.hpp"
#include "base/zeroed_array.hpp"
#include "translation/held_pages.hpp"
#include "translation/translator_spec.hpp"

namespace strata::translation {

class Tlb {
 public:
  /// instances >= 1; the spec's ways divide its entries.
  Tlb(const TlbLevelSpec& spec, std::uint32_t instances);

  struct Look {
    bool hit;
    Time* usable;  ///< from when the entry may be used; valid until the next look_up()
  };
  /// From now on a place that was never used is taken to hold what is looked up, since
  /// those pages were used before.
  void take_as_held_before() { held_before_ = true; }
  /// Finds the entry of a tag, or makes it in the place of another.
  Look look_up(std::uint32_t instance, std::uint64_t tag) {
    const std::size_t set = std::size_t{instance} * sets_ + set_of(tag);
    const std::size_t first = set * ways_;
    std::uint16_t* const guess = guess_bits_ == 0 ? nullptr : &guesses_[(set << guess_bits_) + low_bits(tag)];
    if (guess != nullptr && tags_[first + *guess] == ~tag) return found(first + *guess);
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if (tags_[first + way] != ~tag) continue;
      if (guess != nullptr) *guess = static_cast<std::uint16_t>(way);
      return found(first + way);
    }
    const std::uint32_t way = victim(first);
    const bool held_before = held_before_ && uses_[first + way] == 0;
    if (guess != nullptr) *guess = static_cast<std::uint16_t>(way);
    const std::size_t at = first + way;
    tags_[at] = ~tag;
    // 1 is older than any use, and later than a free place.
    uses_[at] = insert_oldest_ ? 1 : ++clock_;
    usable_[at] = {};
    return {held_before, &usable_[at]};
  }

  /// What the set of a tag holds: all but name and reach.
  HeldPages held(std::uint32_t instance, std::uint64_t tag) const {
    HeldPages held;
    held.page = tag;
    held.set = set_of(tag);
    held.sets = sets_;
    held.ways = ways_;
    const std::size_t first = (std::size_t{instance} * sets_ + held.set) * ways_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> used;
    for (std::size_t at = first; at < first + ways_; ++at)
      if (tags_[at] != 0) used.emplace_back(uses_[at], ~tags_[at]);
    std::sort(used.rbegin(), used.rend());
    for (const auto& [use, page] : used) held.pages.push_back(page);
    return held;
  }

 private:
  Look found(std::size_t at) {
    uses_[at] = ++clock_;
    return {true, &usable_[at]};
  }
  std::size_t low_bits(std::uint64_t tag) const {
    return static_cast<std::size_t>(tag & ((std::uint64_t{1} << guess_bits_) - 1));
  }
  std::uint32_t set_of(std::uint64_t tag) const {
    if (sets_ == 1) return 0;
    if (set_bits_ == 0) return static_cast<std::uint32_t>(tag % sets_);
    std::uint64_t folded = tag;
    for (std::uint64_t rest = tag >> set_bits_; rest != 0; rest >>= set_bits_) folded ^= rest;
    return static_cast<std::uint32_t>(folded & (sets_ - 1));
  }
  // A free place was never used, so it is the least recently used one.
  std::uint32_t victim(std::size_t first) {
    std::uint32_t oldest = 0;
    for (std::uint32_t way = 1; way < ways_; ++way) {
      if (uses_[first + way] < uses_[first + oldest]) oldest = way;
    }
    if (!random_ || uses_[first + oldest] == 0) return oldest;
    return static_cast<std::uint32_t>(draw_.below(ways_));
  }

  std::uint32_t ways_;
  std::uint32_t sets_;
  unsigned set_bits_;    ///< 0: the sets are one, or no power of two
  unsigned guess_bits_;  ///< 0: no guesses
  bool random_;
  bool insert_oldest_;
  bool held_before_ = false;
  std::uint64_t clock_ = 1;  ///< counts look-ups
  RandomSequence draw_{1};
  ZeroedArray<std::uint64_t> tags_;  ///< inverted, so that a free place is 0
  ZeroedArray<std::uint64_t> uses_;
  ZeroedArray<Time> usable_;
  ZeroedArray<std::uint16_t> guesses_;  ///< ways, by set and low bits of the tag
};

inline Tlb::Tlb(const TlbLevelSpec& spec, std::uint32_t instances)
    : ways_(spec.ways == 0 ? spec.entries : spec.ways),
      sets_(spec.entries / ways_),
      set_bits_(std::has_single_bit(sets_) ? static_cast<unsigned>(std::countr_zero(sets_)) : 0U),
      guess_bits_(ways_ > 16 && ways_ < 65536 ? static_cast<unsigned>(std::bit_width(4 * ways_ - 1)) : 0U),
      random_(spec.replacement == TlbReplacement::random),
      insert_oldest_(spec.replacement == TlbReplacement::lip),
      tags_(std::size_t{instances} * sets_ * ways_),
      uses_(tags_.size()),
      usable_(tags_.size()),
      guesses_(guess_bits_ == 0 ? 0 : (std::size_t{instances} * sets_) << guess_bits_) {}

}  // namespace strata::translation
