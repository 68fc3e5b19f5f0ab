// SPDX-License-Identifier: Apache-2.0
// A slice of a probe filter: a set-associative directory of the lines that coherent accesses have left in private L2s
// (Lenoski et al.: The Directory-Based Cache Coherence Protocol for the DASH Multiprocessor, ISCA 1990, as a sparse
// directory: Gupta, Weber and Mowry, ICPP 1990). An entry counts the copies of each die: those that its L2 holds,
// those that are on their way to it, and those whose notice of eviction is on its way here. A count, not a bit: a
// fetch and a notice of the same die may overtake each other, and the sum does not depend on their order.
//
// It holds no time and sends nothing; the coherent slave does. Memory is taken with the first entry.
#pragma once
#include <cstdint>
#include <vector>

namespace strata::cache {

class ProbeFilter {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// Bit d: die d.
  using Dies = std::uint64_t;

  /// sets, ways >= 1; 1 <= dies <= 64.
  ProbeFilter(std::uint32_t sets, std::uint32_t ways, std::uint32_t dies) : sets_(sets), ways_(ways), dies_(dies) {}

  std::uint32_t set_of(std::uint32_t hint) const { return hint % sets_; }
  std::uint32_t ways() const { return ways_; }
  /// The entry of a block in its set, or none.
  std::uint32_t find(std::uint32_t set, std::uint64_t block) const;
  /// A free entry of the set for the block; none: all are in use.
  std::uint32_t allocate(std::uint32_t set, std::uint64_t block);
  /// The entry of the set that was used least recently among those for which usable(block) is true, or none.
  template <class Usable>
  std::uint32_t oldest(std::uint32_t set, const Usable& usable) const {
    std::uint32_t oldest = none;
    for (std::uint32_t entry = set * ways_; entry != (set + 1) * ways_; ++entry)
      if (usable(entries_[entry].block) && (oldest == none || entries_[entry].used < entries_[oldest].used))
        oldest = entry;
    return oldest;
  }
  std::uint64_t block(std::uint32_t entry) const { return entries_[entry].block; }

  /// A copy of the die more, or one less.
  void add(std::uint32_t entry, std::uint32_t die);
  void remove(std::uint32_t entry, std::uint32_t die);
  std::uint32_t copies(std::uint32_t entry, std::uint32_t die) const { return copies_[entry * dies_ + die]; }
  Dies holders(std::uint32_t entry) const;
  bool unused(std::uint32_t entry) const { return entries_[entry].copies == 0; }
  /// The entry has no copies left.
  void free(std::uint32_t entry) { entries_[entry].block = no_block; }
  /// Of all entries and dies.
  std::uint64_t copies() const;
  void clear();

 private:
  static constexpr std::uint64_t no_block = ~std::uint64_t{0};
  struct Entry {
    std::uint64_t block = no_block;
    std::uint64_t used = 0;  ///< when, in look-ups that found it
    std::uint64_t copies = 0;
  };

  std::uint32_t sets_, ways_, dies_;
  std::uint64_t uses_ = 0;
  std::vector<Entry> entries_;         ///< by set; empty: none was ever needed
  std::vector<std::uint16_t> copies_;  ///< by entry, then die
};

}  // namespace strata::cache
