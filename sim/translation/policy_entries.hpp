// SPDX-License-Identifier: Apache-2.0
// The entries of a level of TLBs under any policy of the replacement table. The policy of an
// instance sees a set as words, one for each entry; the page numbers stand beside them, as they may
// have more bits than a word has. Where a policy moves a word, its entry moves with it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "base/zeroed_array.hpp"
#include "replacement/any_policy.hpp"

namespace strata::translation {

struct TlbLook {
  bool hit;
  Time* usable;  ///< from when the entry may be used; valid until the next look-up
};

struct TlbShape {
  std::uint32_t instances;
  std::uint32_t sets;  ///< of an instance
  std::uint32_t ways;

  std::size_t all_sets() const { return std::size_t{instances} * sets; }
  /// Low bits of a page number in a table of guesses at its way; 0: too few or too many ways for one.
  unsigned guess_bits() const {
    return ways > 16 && ways < 65536 ? static_cast<unsigned>(std::bit_width(4 * ways - 1)) : 0U;
  }
};

class PolicyEntries {
 public:
  /// policy: a name of ReplacementTable (std::invalid_argument). Throws std::bad_alloc.
  PolicyEntries(std::string_view policy, const TlbShape& shape)
      : shape_(shape),
        policies_(policies_of(policy, shape)),
        stride_(shape.ways + policies_.front().state_words()),
        guess_bits_(shape.guess_bits()),
        words_(shape.all_sets() * stride_),
        entries_(shape.all_sets() * shape.ways),
        guesses_(guess_bits_ == 0 ? 0 : shape.all_sets() << guess_bits_) {}

  /// Finds the entry of a page, or makes it in the place of another. held_before: a free place is
  /// taken to hold what is looked up.
  TlbLook look_up(std::uint32_t instance, std::uint32_t set, std::uint64_t page, bool held_before) {
    const std::size_t row = std::size_t{instance} * shape_.sets + set;
    Entry* const entries = &entries_[row * shape_.ways];
    const replacement::SetView view = view_of(row, set);
    replacement::AnyPolicy& policy = policies_[instance];
    std::uint16_t* const guess =
        guess_bits_ == 0 ? nullptr : &guesses_[(row << guess_bits_) + (page & ((std::uint64_t{1} << guess_bits_) - 1))];
    std::uint32_t way = guess == nullptr ? 0 : *guess;
    if (entries[way].tag != ~page)
      for (way = 0; way < shape_.ways && entries[way].tag != ~page; ++way) {
      }
    const bool found = way < shape_.ways;
    bool hit = found;
    std::uint32_t now = 0;
    if (found) {
      now = policy.hit(view, way);
    } else {
      way = policy.victim(view);
      hit = held_before && replacement::LineWord::empty(view.lines[way]);
      entries[way] = {~page, {}};
      now = policy.insert(view, way, word_of(page));
    }
    if (guess != nullptr) *guess = static_cast<std::uint16_t>(now);
    if (now < way) std::rotate(entries + now, entries + way, entries + way + 1);
    if (now > way) std::rotate(entries + way, entries + way + 1, entries + now + 1);
    return {hit, &entries[now].usable};
  }

  /// In the order in which they lie.
  std::vector<std::uint64_t> pages(std::uint32_t instance, std::uint32_t set) const {
    std::vector<std::uint64_t> pages;
    const std::size_t first = (std::size_t{instance} * shape_.sets + set) * shape_.ways;
    for (std::size_t at = first; at < first + shape_.ways; ++at)
      if (entries_[at].tag != 0) pages.push_back(~entries_[at].tag);
    return pages;
  }

 private:
  struct Entry {
    std::uint64_t tag;  ///< page number, inverted, so that a free place is 0
    Time usable;
  };

  static std::vector<replacement::AnyPolicy> policies_of(std::string_view name, const TlbShape& shape) {
    std::vector<replacement::AnyPolicy> policies;
    for (std::uint32_t instance = 0; instance < shape.instances; ++instance)
      policies.emplace_back(replacement::TagShape{shape.sets, shape.ways, instance, name});
    return policies;
  }
  static std::uint64_t word_of(std::uint64_t page) {
    constexpr std::uint64_t pages_of_a_word = (std::uint64_t{1} << 48U) - 1;
    return replacement::LineWord::tag_of(page % pages_of_a_word);
  }
  replacement::SetView view_of(std::size_t row, std::uint32_t set) {
    std::uint64_t* const words = &words_[row * stride_];
    return {words, words + shape_.ways, shape_.ways, set};
  }

  TlbShape shape_;
  std::vector<replacement::AnyPolicy> policies_;  ///< by instance
  std::uint32_t stride_;
  unsigned guess_bits_;
  ZeroedArray<std::uint64_t> words_;
  ZeroedArray<Entry> entries_;
  ZeroedArray<std::uint16_t> guesses_;
};

}  // namespace strata::translation
