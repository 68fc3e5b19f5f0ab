// SPDX-License-Identifier: Apache-2.0
// From which tick on a command is legal. Every issued command raises the
// earliest ticks of what it constrains, scope by scope: the bank, its bank
// group, its stack id, its pseudo-channel, the command bus. A command is legal
// at the latest of the earliest ticks of its scopes, so asking costs a few
// loads. What belongs to one bank, group or
// pseudo-channel lies together; all are numbered through all pseudo-channels.
//
// The column commands of a request are one run at the distance tCCD_L of their
// bank group. Runs of other groups of the stack fit into the slots between, so
// the data bus of a pseudo-channel, and the command bus, are asked for a slot
// that neither the first command of a run nor any after it shares.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "dram/timing.hpp"

namespace strata::dram {

class Constraints {
 public:
  Constraints(const Timing& timing, const OrganisationSpec& organisation, bool one_bus);

  std::uint32_t banks() const { return banks_; }  ///< of a pseudo-channel

  /// The bank's own part of the constraints.
  Tick activate_at(std::uint32_t bank) const { return bank_[bank].activate; }
  Tick precharge_at(std::uint32_t bank) const { return bank_[bank].precharge; }
  Tick refresh_at(std::uint32_t bank) const { return bank_[bank].refresh; }
  Tick column_at(bool write, std::uint32_t bank) const { return bank_[bank].column[write]; }

  /// What the pseudo-channel and the bus add.
  Tick activate_gate(std::uint32_t channel) const {
    const Channel& c = channel_[channel];
    return std::max({c.activate, c.window[c.next] + timing_.faw, row_bus_});
  }
  Tick precharge_gate(std::uint32_t channel) const {
    return std::max(channel_[channel].precharge, row_bus_);
  }
  Tick refresh_gate(std::uint32_t channel) const {
    return std::max(channel_[channel].refresh, row_bus_);
  }
  Tick column_gate() const { return one_bus_ ? row_bus_ : -never; }
  /// What bank group and stack id add.
  Tick activate_group(std::uint32_t bank) const { return group_[bank_[bank].group].activate; }
  Tick column_scope(bool write, std::uint32_t bank) const {
    const Bank& b = bank_[bank];
    return std::max(group_[b.group].column[write], column_stack_[b.stack][write]);
  }
  /// The least that any bank of the pseudo-channel gets from column_scope().
  Tick column_channel(bool write, std::uint32_t channel) const {
    Tick least = column_stack_[channel * stacks_][write];
    for (std::uint32_t s = 1; s < stacks_; ++s) {
      least = std::min(least, column_stack_[channel * stacks_ + s][write]);
    }
    return least;
  }
  Tick row_bus_free() const { return row_bus_; }
  bool one_bus() const { return one_bus_; }
  /// The first tick at or after t at which a run of the pseudo-channel meets no
  /// command of another, and its data none of another's.
  Tick column_slot(std::uint32_t channel, Tick t) const;
  /// The first tick at or after t at which a row command of this length meets no
  /// column command, where they share a bus.
  Tick row_slot(Tick t, Tick length) const { return one_bus_ ? slot_between(t, length) : t; }

  void activate(std::uint32_t channel, std::uint32_t bank, Tick t);
  void precharge(std::uint32_t channel, std::uint32_t bank, Tick t);
  void precharge_all(std::uint32_t channel, Tick t);
  /// A run of so many column commands from tick t on; the tick of its last.
  Tick column(std::uint32_t channel, std::uint32_t bank, bool write, Tick t, std::uint32_t bursts);
  void refresh_all(std::uint32_t channel, Tick t);
  void refresh_bank(std::uint32_t channel, std::uint32_t bank, Tick t);

 private:
  struct alignas(64) Bank {
    Tick activate = 0;
    Tick precharge = 0;
    Tick refresh = 0;
    std::array<Tick, 2> column{};  ///< by read or write
    std::uint32_t group = 0;
    std::uint32_t stack = 0;
  };
  struct alignas(32) Group {
    Tick activate = 0;
    std::array<Tick, 2> column{};
  };
  struct alignas(64) Channel {
    Tick activate = 0;
    Tick precharge = 0;
    Tick refresh = 0;
    std::array<Tick, 4> window{-never, -never, -never, -never};  ///< of the last ACTs
    std::uint32_t next = 0;
  };
  struct Run {
    Tick first = -never;
    Tick last = -never;
  };
  static void raise(Tick& earliest, Tick t) { earliest = std::max(earliest, t); }
  Tick slot_between(Tick t, Tick length) const;
  /// How long after a command of the run tick t is.
  Tick past_command(const Run& run, Tick t) const {
    const Tick past = t - run.first;
    return pace_mask_ != 0 ? past & pace_mask_ : past % pace_;
  }

  const Timing timing_;
  std::uint32_t banks_;
  std::uint32_t groups_;  ///< of a pseudo-channel, all stack ids
  std::uint32_t stacks_;
  const bool one_bus_;     ///< for row and column commands
  const Tick pace_;        ///< of a run: its bank group's column distance
  const Tick pace_mask_;   ///< pace - 1 where that is a power of two, else 0
  const Tick data_gap_;    ///< between commands whose data follow each other
  std::uint32_t runs_each_;  ///< that may be under way in a pseudo-channel
  Tick row_bus_ = 0;       ///< free from
  std::vector<Run> runs_;  ///< by pseudo-channel, the latest runs_each_
  std::vector<Bank> bank_;
  std::vector<Group> group_;
  std::vector<std::array<Tick, 2>> column_stack_;  ///< by stack id, then read or write
  std::vector<Channel> channel_;
};

}  // namespace strata::dram
