// SPDX-License-Identifier: Apache-2.0
// Which ticks the column commands under way leave free. The column commands of a
// request are one run at the distance tCCD_L of their bank group; runs of other
// groups of the stack fit into the slots between. A word for each pseudo-channel
// has a bit for each of the next 64 ticks at which a run may not begin, because
// one of its commands would meet another on the command bus or its data another's
// on the data bus. Whether a run fits is a matter of its first command: all that
// are under way go at one pace.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "dram/timing/bank.hpp"
#include "dram/timing/timing.hpp"

namespace strata::dram {

class ColumnSlots {
 public:
  static constexpr Tick horizon = column_horizon;

  explicit ColumnSlots(const Timing& timing)
      : edges_(timing.per_clock == 2 ? 0x5555'5555'5555'5555U : ~std::uint64_t{0}) {
    const Tick pace = timing.column_gap(false, false, Relation::same_group);
    const Tick gap = timing.column_gap(false, false, Relation::other_group);
    for (std::size_t count = 0; count < longest_run; ++count) {
      for (Tick t = 0; t < horizon; ++t) {
        for (Tick command = 0; command <= static_cast<Tick>(count) * pace; command += pace) {
          const Tick distance = t < command ? command - t : t - command;
          const std::uint64_t tick = std::uint64_t{1} << t;
          if (distance < gap) own_[count] |= tick;
          if (distance < timing.column_length) other_[count] |= tick;
          if (t >= command && distance < timing.column_length) taken_[count] |= tick;
        }
      }
    }
  }

  /// The first tick at or after t, itself an edge for column commands, at which a
  /// run may begin. t is not before the run taken last.
  Tick free(std::uint32_t channel, Tick t) const {
    const Tick past = t - begin_;
    if (past >= horizon) return t;
    const std::uint64_t free = ~(blocked_[channel] >> past) & edges_;
    return free != 0 ? t + std::countr_zero(free) : begin_ + horizon;
  }
  /// The first tick at or after t at which a row command of this length meets no
  /// column command, where they share a bus.
  Tick between(Tick t, Tick length) const {
    const Tick past = t - begin_;
    if (past >= horizon) return t;
    std::uint64_t met = commands_ >> past;
    for (Tick i = 1; i < length; ++i) met |= commands_ >> past >> i;
    return met == ~std::uint64_t{0} ? begin_ + horizon : t + std::countr_one(met);
  }
  /// A run of so many commands begins at tick t.
  void take(std::uint32_t channel, Tick t, std::uint32_t commands) {
    const Tick gone = t - begin_;
    begin_ = t;
    if (gone >= horizon) {
      commands_ = 0;
      blocked_ = {};
    } else {
      commands_ >>= gone;
      for (std::uint64_t& blocked : blocked_) blocked >>= gone;
    }
    const std::uint64_t others = other_[commands - 1];
    for (std::uint64_t& blocked : blocked_) blocked |= others;
    blocked_[channel] |= own_[commands - 1];
    commands_ |= taken_[commands - 1];
  }

 private:
  std::uint64_t edges_;                             ///< every tick, or every other one, from an edge on
  Tick begin_ = -never;                             ///< of the run taken last: the tick of bit 0
  std::array<std::uint64_t, longest_run> own_{};    ///< what a run blocks in its pseudo-channel
  std::array<std::uint64_t, longest_run> other_{};  ///< and in another
  std::array<std::uint64_t, longest_run> taken_{};  ///< its commands themselves
  std::uint64_t commands_ = 0;
  std::array<std::uint64_t, most_pseudo_channels> blocked_{};
};

}  // namespace strata::dram
