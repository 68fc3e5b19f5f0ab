// SPDX-License-Identifier: Apache-2.0
// The command bus: one for row and one for column commands, or one for both, and which ticks are
// free on it. The earliest ticks that the state of the banks allows are those of Constraints.
#pragma once
#include <cstdint>

#include "dram/timing/column_slots.hpp"
#include "dram/timing/timing.hpp"

namespace strata::dram {

class CommandBus {
 public:
  /// one: for row and column commands.
  CommandBus(const Timing& timing, bool one) : timing_(timing), one_(one), slots_(timing) {}

  bool one() const { return one_; }
  /// From this tick on no row command occupies it.
  Tick free() const { return free_; }
  /// The first rising edge at or after t at which a run of the pseudo-channel meets
  /// no command of another, and its data none of another's.
  Tick column_slot(std::uint32_t channel, Tick t) const { return slots_.free(channel, timing_.rising_edge(t)); }
  /// The first tick at or after t at which a row command of this length meets no
  /// column command, where they share a bus.
  Tick row_slot(Tick t, Tick length) const { return one_ ? slots_.between(t, length) : t; }
  /// The same for an ACT, which needs a rising edge.
  Tick activate_slot(Tick t) const {
    t = timing_.rising_edge(t);
    if (!one_) return t;
    while (slots_.between(t, timing_.activate_length) != t) {
      t = timing_.rising_edge(slots_.between(t, timing_.activate_length));
    }
    return t;
  }

  void take_row(Tick t, Tick length) { free_ = t + length; }
  /// A run of so many column commands.
  void take_columns(std::uint32_t channel, Tick t, std::uint32_t bursts) { slots_.take(channel, t, bursts); }

 private:
  const Timing& timing_;
  const bool one_;
  Tick free_ = 0;
  ColumnSlots slots_;
};

}  // namespace strata::dram
