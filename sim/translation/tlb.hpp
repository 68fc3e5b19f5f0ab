// SPDX-License-Identifier: Apache-2.0
// The entries of one level of TLBs, all instances of it: set-associative tags
// with the time of their last use and the time from which each may be used.
// The timed translation and the timing-free one both go through look_up(), so
// warming up without time leaves the very entries that a timed run would.
//
// lru and lip are written out here, by those times; a test compares them with the policies of the
// table. Any other policy has PolicyEntries: this level then has no ways of its own, and
// every look-up goes there.
//
// The set is the tag folded onto itself by XOR where the sets are a power of
// two, else its remainder: consecutive pages spread evenly either way, so a
// capacity knee stays sharp. In a wide set a table of guesses by the tag's low
// bits makes a hit cost one comparison; a miss compares all.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "base/zeroed_array.hpp"
#include "replacement/lip.hpp"
#include "replacement/true_lru.hpp"
#include "translation/held_pages.hpp"
#include "translation/policy_entries.hpp"
#include "translation/translator_spec.hpp"

namespace strata::translation {

class Tlb {
 public:
  /// instances >= 1; the spec's ways divide its entries.
  Tlb(const TlbLevelSpec& spec, std::uint32_t instances);

  using Look = TlbLook;
  /// From now on a place that was never used is taken to hold what is looked up, since
  /// those pages were used before.
  void take_as_held_before() { held_before_ = true; }
  /// Finds the entry of a tag, or makes it in the place of another.
  Look look_up(std::uint32_t instance, std::uint64_t tag) {
    // Nothing is younger in its set, so there is no order to change.
    Recent& recent = recent_[instance];
    if (recent.tag == ~tag) return {true, &usable_[recent.at]};
    const std::size_t set = std::size_t{instance} * sets_ + set_of(tag);
    const std::size_t first = set * ways_;
    std::uint16_t* const guess = guess_bits_ == 0 ? nullptr : &guesses_[(set << guess_bits_) + low_bits(tag)];
    if (guess != nullptr && tags_[first + *guess] == ~tag) return found(recent, first + *guess);
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if (tags_[first + way] != ~tag) continue;
      if (guess != nullptr) *guess = static_cast<std::uint16_t>(way);
      return found(recent, first + way);
    }
    if (others_ != nullptr) return others_->look_up(instance, set_of(tag), tag, held_before_);
    const std::uint32_t way = victim(first);
    const bool held_before = held_before_ && uses_[first + way] == 0;
    if (guess != nullptr) *guess = static_cast<std::uint16_t>(way);
    const std::size_t at = first + way;
    tags_[at] = ~tag;
    // 1 is older than any use, and later than a free place.
    uses_[at] = insert_oldest_ ? 1 : ++clock_;
    usable_[at] = {};
    recent = {insert_oldest_ ? 0 : ~tag, at};
    return {held_before, &usable_[at]};
  }

  /// What the set of a tag holds: all but name and reach.
  HeldPages held(std::uint32_t instance, std::uint64_t tag) const {
    HeldPages held;
    held.page = tag;
    held.set = set_of(tag);
    held.sets = sets_;
    held.ways = shape_.ways;
    if (others_ != nullptr) {
      held.pages = others_->pages(instance, static_cast<std::uint32_t>(held.set));
      return held;
    }
    const std::size_t first = (std::size_t{instance} * sets_ + held.set) * ways_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> used;
    for (std::size_t at = first; at < first + ways_; ++at)
      if (tags_[at] != 0) used.emplace_back(uses_[at], ~tags_[at]);
    std::sort(used.rbegin(), used.rend());
    for (const auto& [use, page] : used) held.pages.push_back(page);
    return held;
  }

 private:
  Tlb(const TlbLevelSpec& spec, const TlbShape& shape);
  static bool by_use(const TlbLevelSpec& spec) {
    return spec.replacement == replacement::TrueLru::name || spec.replacement == replacement::Lip::name;
  }
  /// What an instance looked up last and found, or made as the youngest.
  struct Recent {
    std::uint64_t tag = 0;  ///< inverted; 0: none
    std::size_t at = 0;
  };
  Look found(Recent& recent, std::size_t at) {
    uses_[at] = ++clock_;
    recent = {tags_[at], at};
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
    return oldest;
  }

  std::uint32_t ways_;  ///< 0: in others_
  std::uint32_t sets_;
  unsigned set_bits_;    ///< 0: the sets are one, or no power of two
  unsigned guess_bits_;  ///< 0: no guesses
  bool insert_oldest_;
  bool held_before_ = false;
  std::uint64_t clock_ = 1;          ///< counts look-ups
  ZeroedArray<std::uint64_t> tags_;  ///< inverted, so that a free place is 0
  ZeroedArray<std::uint64_t> uses_;
  ZeroedArray<Time> usable_;
  std::vector<Recent> recent_;             ///< of each instance
  ZeroedArray<std::uint16_t> guesses_;     ///< ways, by set and low bits of the tag
  std::unique_ptr<PolicyEntries> others_;  ///< null under lru and lip
  TlbShape shape_;
};

inline Tlb::Tlb(const TlbLevelSpec& spec, std::uint32_t instances)
    : Tlb(spec, TlbShape{instances, spec.ways == 0 ? 1 : spec.entries / spec.ways,
                         spec.ways == 0 ? spec.entries : spec.ways}) {}

inline Tlb::Tlb(const TlbLevelSpec& spec, const TlbShape& shape)
    : ways_(by_use(spec) ? shape.ways : 0),
      sets_(shape.sets),
      set_bits_(std::has_single_bit(sets_) ? static_cast<unsigned>(std::countr_zero(sets_)) : 0U),
      guess_bits_(ways_ == 0 ? 0 : shape.guess_bits()),
      insert_oldest_(spec.replacement == replacement::Lip::name),
      tags_(shape.all_sets() * ways_),
      uses_(tags_.size()),
      usable_(tags_.size()),
      recent_(shape.instances),
      guesses_(guess_bits_ == 0 ? 0 : shape.all_sets() << guess_bits_),
      others_(by_use(spec) ? nullptr : std::make_unique<PolicyEntries>(spec.replacement, shape)),
      shape_(shape) {}

}  // namespace strata::translation
