// SPDX-License-Identifier: Apache-2.0
// The first request of each side where it must wait, and why. Each side stalls alone; where both
// are stalled they take turns. A request is tried again only when something has come back that may
// help it.
#pragma once
#include <array>
#include <cstdint>

#include "cache/input/input_queue.hpp"
#include "cache/spec/cache_design.hpp"
#include "memory/transaction.hpp"

namespace strata::cache {

class StalledHeads {
 public:
  static constexpr std::uint64_t no_set = ~std::uint64_t{0};
  static constexpr std::uint64_t any_set = no_set - 1;

  bool open(Side side) const { return heads_[side].stalled == nullptr; }
  bool any_stalled() const { return !open(home_side) || !open(far_side); }
  std::uint32_t stalled() const { return (open(home_side) ? 0U : 1U) + (open(far_side) ? 0U : 1U); }

  /// Why the request that is being served must wait. set: in which a way must be free to proceed,
  /// or any_set; absent: its line is not here, nor will it be, as what might bring it is behind.
  void set_cause(Stall by, std::uint64_t set, bool absent) {
    by_ = by;
    set_ = static_cast<std::uint32_t>(set);
    absent_ = absent;
  }
  /// It waits, for the cause that was set.
  void hold(Side side, memory::Transaction& transaction) { heads_[side] = {&transaction, set_, by_, false, absent_}; }

  /// Something has come back. A request that found no MSHR needs one still: what could bring its
  /// line in meanwhile stands behind it. changed_set: in which a way is no longer held by a fetch.
  template <class MshrFree>
  bool note_change(std::uint64_t changed_set, const MshrFree& mshr_free) {
    bool helps = false;
    for (const Side side : {home_side, far_side}) {
      if (open(side) || !may_help(side, changed_set, mshr_free)) continue;
      heads_[side].again = helps = true;
    }
    return helps;
  }
  bool any_again() const { return heads_[home_side].again || heads_[far_side].again; }
  /// The side that is tried first.
  Side next() const { return heads_[turn_].again ? turn_ : other(turn_); }
  Stall cause(Side side) const { return heads_[side].by; }
  /// The other side took what it needs.
  void not_again(Side side) { heads_[side].again = false; }

  bool retrying() const { return retrying_; }
  /// The head of a side is tried again, and its line is not here.
  bool known_absent() const { return known_absent_; }
  memory::Transaction& head(Side side) const { return *heads_[side].stalled; }
  void begin_retry(Side side) {
    Head& head = heads_[side];
    retrying_ = true;
    known_absent_ = head.absent;
    head.stalled = nullptr;
    head.again = false;
  }
  void end_retry(Side side) {
    retrying_ = known_absent_ = false;
    if (open(side)) turn_ = other(side);
  }

 private:
  struct Head {
    memory::Transaction* stalled = nullptr;
    std::uint32_t set = 0;
    Stall by = mshr_full;
    bool again = false;  ///< something has come back since that may help
    bool absent = false;
  };

  template <class MshrFree>
  bool may_help(Side side, std::uint64_t changed_set, const MshrFree& mshr_free) const {
    const Head& head = heads_[side];
    switch (head.by) {
      case mshr_full:
        return mshr_free(side);
      case ways_pending:
        return head.set == static_cast<std::uint32_t>(any_set) || head.set == static_cast<std::uint32_t>(changed_set);
      default:
        return true;
    }
  }

  std::array<Head, sides> heads_;
  std::uint32_t set_ = 0;  ///< what set_cause() was last given, with the two below
  Stall by_ = mshr_full;
  bool absent_ = false;
  bool retrying_ = false;
  bool known_absent_ = false;
  Side turn_ = home_side;
};

}  // namespace strata::cache
