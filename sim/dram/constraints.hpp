// SPDX-License-Identifier: Apache-2.0
// From which tick on a command is legal. Every issued command raises the
// earliest ticks of what it constrains, scope by scope: the bank, its bank
// group, its stack id, its pseudo-channel, the command bus. A command is legal
// at the latest of the earliest ticks of its scopes, so asking costs a few
// loads. What belongs to the bank alone stands in the Bank; groups and banks are
// numbered through all pseudo-channels.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "dram/bank.hpp"
#include "dram/column_slots.hpp"
#include "dram/timing.hpp"

namespace strata::dram {

class Constraints {
 public:
  Constraints(const Timing& timing, const OrganisationSpec& organisation, bool one_bus);

  /// Bank group of a bank.
  std::uint8_t group_of(std::uint32_t bank) const;

  Tick column_at(bool write, const Bank& bank) const {
    return bank.activated + timing_.activate_to_column[write];
  }
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
  /// The least that any bank of the pseudo-channel meets, by bus and stack id.
  Tick column_gate(bool write, std::uint32_t channel) const {
    Tick least = stack_[channel * stacks_][write];
    for (std::uint32_t s = 1; s < stacks_; ++s) {
      least = std::min(least, stack_[channel * stacks_ + s][write]);
    }
    return one_bus_ ? std::max(row_bus_, least) : least;
  }
  /// What bank group and stack id add.
  Tick activate_group(std::uint8_t group) const { return group_[group].activate; }
  Tick column_scope(bool write, std::uint8_t group) const {
    return std::max(group_[group].column[write], stack_[stack_of_[group]][write]);
  }
  Tick row_bus_free() const { return row_bus_; }
  bool one_bus() const { return one_bus_; }
  /// The first rising edge at or after t at which a run of the pseudo-channel meets
  /// no command of another, and its data none of another's.
  Tick column_slot(std::uint32_t channel, Tick t) const {
    return slots_.free(channel, timing_.rising_edge(t));
  }
  /// The first tick at or after t at which a row command of this length meets no
  /// column command, where they share a bus.
  Tick row_slot(Tick t, Tick length) const { return one_bus_ ? slots_.between(t, length) : t; }
  /// The same for an ACT, which needs a rising edge.
  Tick activate_slot(Tick t) const {
    t = timing_.rising_edge(t);
    if (!one_bus_) return t;
    while (slots_.between(t, timing_.activate_length) != t) {
      t = timing_.rising_edge(slots_.between(t, timing_.activate_length));
    }
    return t;
  }

  void activate(std::uint32_t channel, Bank& bank, Tick t) {
    row_bus_ = t + timing_.activate_length;
    raise(bank.activate, t + timing_.activate_to_activate);
    raise(bank.precharge, t + timing_.activate_to_precharge);
    bank.activated = t;
    raise(group_[bank.group].activate, t + timing_.rrd_l);
    Channel& c = channel_[channel];
    raise(c.activate, t + timing_.rrd_s);
    raise(c.refresh, t + timing_.activate_to_refresh);
    c.window[c.next] = t;
    c.next = (c.next + 1) % 4;
  }
  void precharge(std::uint32_t channel, Bank& bank, Tick t) {
    row_bus_ = t + timing_.precharge_length;
    raise(channel_[channel].precharge, t + timing_.ppd);
    precharged(bank, t);
  }
  /// Of all banks of a pseudo-channel; precharged() and refreshed() tell each of them.
  void precharge_all(std::uint32_t channel, Tick t) {
    row_bus_ = t + timing_.precharge_length;
    raise(channel_[channel].precharge, t + timing_.ppd);
  }
  void precharged(Bank& bank, Tick t) const {
    raise(bank.activate, t + timing_.precharge_to_activate);
    raise(bank.refresh, t + timing_.precharge_to_refresh);
  }
  void refresh_all(Tick t) { row_bus_ = t + timing_.precharge_length; }
  void refreshed(Bank& bank, Tick t) const {
    raise(bank.activate, t + timing_.refresh_all_to_activate);
    raise(bank.refresh, t + timing_.refresh_all_to_refresh);
  }
  void refresh_bank(std::uint32_t channel, Bank& bank, Tick t);
  /// A run of so many column commands from tick t on; the tick of its last. What it
  /// demands of the other direction is told by turn().
  Tick column(std::uint32_t channel, Bank& bank, bool write, Tick t, std::uint32_t bursts) {
    slots_.take(channel, t, bursts);
    const Tick last = t + pace_ * static_cast<Tick>(bursts - 1);
    raise(bank.precharge, last + timing_.column_to_precharge[write]);
    Group& group = group_[bank.group];
    raise(group.column[write], last + pace_);
    raise(group.last, last);
    if (other_stack_gap_ <= data_gap_) return last;  // a slot between will do
    for (std::uint32_t s = channel * stacks_; s < (channel + 1) * stacks_; ++s) {
      if (s != stack_of_[bank.group]) raise(stack_[s][write], last + other_stack_gap_);
    }
    return last;
  }
  /// From now on the data bus goes in this direction.
  void turn(bool write);

 private:
  struct alignas(32) Group {
    Tick activate = 0;
    std::array<Tick, 2> column{};  ///< by read or write
    Tick last = -never;            ///< column command since the bus turned
  };
  struct alignas(64) Channel {
    Tick activate = 0;
    Tick precharge = 0;
    Tick refresh = 0;
    std::array<Tick, 4> window{-never, -never, -never, -never};  ///< of the last ACTs
    std::uint32_t next = 0;
  };
  static void raise(Tick& earliest, Tick t) { earliest = std::max(earliest, t); }

  const Timing& timing_;
  std::uint32_t groups_;  ///< of a pseudo-channel, all stack ids
  std::uint32_t stacks_;
  std::uint32_t banks_per_group_;
  const bool one_bus_;   ///< for row and column commands
  const Tick pace_;      ///< of a run: its bank group's column distance
  const Tick data_gap_;  ///< between commands whose data follow each other
  const Tick other_stack_gap_;
  Tick row_bus_ = 0;  ///< free from
  ColumnSlots slots_;
  std::vector<Group> group_;
  std::vector<std::uint8_t> stack_of_;      ///< by group
  std::vector<std::array<Tick, 2>> stack_;  ///< by stack id, then read or write
  std::vector<Channel> channel_;
};

}  // namespace strata::dram
