// SPDX-License-Identifier: Apache-2.0
// The MSHRs of a cache with two sides. Far fetches take half of them at most: they wait for fetches
// of the other die, and if the registers of both dies were full of such, all memory would be fetched
// through the few that are left. Beside the table stand the time that registers are in use and the
// fetches that hold no way of the tags.
#pragma once
#include "base/time.hpp"
#include "cache/misses/mshr_table.hpp"

namespace strata::cache {

// Before the table, in one line of the host's cache with it.
struct FetchUse {
  std::int64_t ticks = 0;       ///< registers given back, less the beginnings of all
  std::uint32_t far = 0;        ///< in use by far fetches
  std::uint32_t placeless = 0;  ///< fetches without a line of the tags
};

class FetchRegisters : private FetchUse, public MshrTable {
 public:
  explicit FetchRegisters(std::uint32_t count) : MshrTable(count) {}

  /// A register is free for a fetch of this side; far_most: that far ones may hold.
  bool free_for(bool is_far, std::uint32_t far_most) const { return !full() && (!is_far || far < far_most); }
  [[gnu::always_inline]] std::uint32_t take(LineNumber line, std::uint64_t set, Time begun, SectorMask have,
                                            bool attached, bool is_far) {
    ticks -= begun.ticks;
    const std::uint32_t index = MshrTable::take(line, set, have, attached);
    Mshr& mshr = (*this)[index];
    mshr.far = is_far;
    mshr.placeless = false;
    far += is_far ? 1 : 0;
    return index;
  }
  void give_back(std::uint32_t index, Time now) {
    ticks += now.ticks;
    far -= (*this)[index].far ? 1 : 0;
    MshrTable::give_back(index);
  }

  bool any_placeless() const { return placeless != 0; }
  /// The fetch of this register continues without a line of the tags.
  void make_placeless(std::uint32_t index) {
    (*this)[index].placeless = true;
    ++placeless;
  }
  void end_placeless() { --placeless; }

  /// In use, summed over the registers.
  std::uint64_t ticks_in_use(Time now) const { return static_cast<std::uint64_t>(ticks + open() * now.ticks); }
};

/// The context of a fetch: which register, whether a prefetcher asked for it, what the level
/// above had asked for, whether it was an atomic, and what was asked below.
struct FetchContext {
  std::uint32_t packed;
  FetchContext(std::uint32_t index, bool prefetched, bool atomic, SectorMask asked, SectorMask fetched)
      : packed(index << 10U | unsigned{prefetched} << 9U | unsigned{atomic} << 8U | unsigned{asked} << 4U |
               unsigned{fetched}) {}
  explicit FetchContext(std::uint32_t context) : packed(context) {}
  std::uint32_t index() const { return packed >> 10U; }
  bool prefetched() const { return (packed >> 9U & 1U) != 0; }
  bool atomic() const { return (packed >> 8U & 1U) != 0; }
  SectorMask asked() const { return static_cast<SectorMask>(packed >> 4U & 0xFU); }
  SectorMask fetched() const { return static_cast<SectorMask>(packed & 0xFU); }
};

}  // namespace strata::cache
