// SPDX-License-Identifier: Apache-2.0
// Which requesters the scheduler serves after all others. One that is served several times in a row
// is put on the list; from time to time the list is emptied (Subramanian, Lee, Seshadri, Rastogi, Mutlu:
// The Blacklisting Memory Scheduler, ICCD 2014). A requester is a core; writes, which are posted, neither count
// nor interrupt a row, and what a cache reads on its own account belongs to no core. The setting is the
// number of reads in a row that lists a core. The list is emptied at the first request after its interval.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "dram/timing/command.hpp"
#include "memory/requester.hpp"

namespace strata::dram {

class Blacklist {
 public:
  /// most: requests of one in a row that put it on the list. interval: between two emptyings.
  Blacklist(std::uint64_t most, Tick interval)
      : most_(most), interval_(interval), clear_at_(interval), listed_(cores / 64) {}

  bool holds(std::uint16_t core) const { return (listed_[core / 64U] >> (core % 64U) & 1U) != 0; }
  /// A request of that core was served. True: the list has changed.
  bool served(std::uint16_t core) {
    if (core == memory::no_core) return false;
    in_a_row_ = core == last_ ? in_a_row_ + 1 : 1;
    last_ = core;
    if (in_a_row_ < most_) return false;
    in_a_row_ = 0;
    const bool fresh = !holds(core);
    listed_[core / 64U] |= std::uint64_t{1} << (core % 64U);
    any_ = true;
    return fresh;
  }
  /// Empties the list if its time has come. True: it has changed.
  bool empty_at(Tick t) {
    if (t < clear_at_) return false;
    clear_at_ = (t / interval_ + 1) * interval_;
    if (!any_) return false;
    std::fill(listed_.begin(), listed_.end(), 0);
    any_ = false;
    return true;
  }

 private:
  static constexpr std::size_t cores = 1U << 16U;  // that a transaction can name
  std::uint64_t most_;
  Tick interval_;
  Tick clear_at_;
  std::vector<std::uint64_t> listed_;  ///< a bit each
  std::uint16_t last_ = 0;
  std::uint64_t in_a_row_ = 0;
  bool any_ = false;
};

}  // namespace strata::dram
