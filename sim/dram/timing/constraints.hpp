// SPDX-License-Identifier: Apache-2.0
// From which tick on a command is legal. Every issued command raises the
// earliest ticks of what it constrains, scope by scope: the bank, its bank
// group, its stack id, its pseudo-channel, the command bus (CommandBus). A command is legal
// at the latest of the earliest ticks of its scopes, so asking costs a few
// loads. What belongs to the bank alone stands in the Bank; groups and banks are
// numbered through all pseudo-channels.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "dram/timing/bank.hpp"
#include "dram/timing/command_bus.hpp"
#include "dram/timing/timing.hpp"

namespace strata::dram {

class Constraints {
 public:
  /// What a bank group adds: no ACT, RD, WR before; and its column command since the bus turned.
  enum GroupTick : std::uint8_t { activates, reads, writes, last };
  using Group = std::array<Tick, 4>;

  Constraints(const Timing& timing, const OrganisationSpec& organisation, bool one_bus, std::uint32_t write_rows);

  /// Bank group of a bank.
  std::uint8_t group_of(std::uint32_t bank) const;

  Tick column_at(bool write, const Bank& bank) const { return bank.activated + timing_.activate_to_column[write]; }
  /// What the pseudo-channel and the bus add.
  Tick activate_gate(std::uint32_t channel, bool write) const {
    const Channel& c = channel_[channel];
    const Tick any = std::max({c.activate, c.window[c.next] + timing_.faw, bus_.free()});
    return write ? std::max(any, c.write_free) : any;
  }
  Tick precharge_gate(std::uint32_t channel) const { return std::max(channel_[channel].precharge, bus_.free()); }
  Tick refresh_gate(std::uint32_t channel) const { return std::max(channel_[channel].refresh, bus_.free()); }
  /// What a stack id adds for all of its banks.
  Tick column_stack(bool write, std::uint32_t channel, std::uint32_t stack) const {
    return stack_[channel][write][stack];
  }
  /// The least that any stack id of the pseudo-channel adds, with the bus.
  Tick column_gate(bool write, std::uint32_t channel) const {
    const auto& all = stack_[channel][write];
    Tick least = stacks_ == 1 ? all[0] : std::min(all[0], all[1]);
    for (std::uint32_t s = 2; s < stacks_; ++s) least = std::min(least, all[s]);
    return bus_.one() ? std::max(bus_.free(), least) : least;
  }
  /// Of these banks of the pseudo-channel those whose stack id lets a column command go at tick t.
  std::uint64_t column_open(bool write, std::uint32_t channel, std::uint64_t banks, Tick t) const {
    if (stacks_ == 1) return banks;
    const auto& all = stack_[channel][write];
    std::uint64_t open = (all[0] <= t ? stack_banks_[0] : 0) | (all[1] <= t ? stack_banks_[1] : 0);
    for (std::uint32_t s = 2; s < stacks_; ++s) open |= all[s] <= t ? stack_banks_[s] : 0;
    return banks & open;
  }
  std::uint32_t banks_of_stack() const { return groups_of_stack_ * banks_per_group_; }
  Tick activate_group(std::uint8_t group) const { return group_[group][activates]; }
  Tick column_scope(bool write, std::uint32_t channel, std::uint32_t bank, std::uint8_t group) const {
    return std::max(group_[group][column_tick(write)], column_stack(write, channel, bank / banks_of_stack()));
  }
  const Group* groups() const { return group_.data(); }
  static GroupTick column_tick(bool write) { return write ? writes : reads; }
  const CommandBus& bus() const { return bus_; }
  bool bounds_write_rows() const { return write_rows_ != 0; }

  void activate(std::uint32_t channel, Bank& bank, bool write, Tick t) {
    bus_.take_row(t, timing_.activate_length);
    raise(bank.activate, t + timing_.activate_to_activate);
    raise(bank.precharge, t + timing_.activate_to_precharge);
    bank.activated = t;
    raise(group_[bank.group][activates], t + timing_.rrd_l);
    Channel& c = channel_[channel];
    raise(c.activate, t + timing_.rrd_s);
    raise(c.refresh, t + timing_.activate_to_refresh);
    c.window[c.next] = t;
    c.next = (c.next + 1) % 4;
    if (write_rows_ == 0) return;
    bank.write_place = no_place;
    if (!write) return;
    bank.write_place = first_free(c);
    c.written[bank.write_place] = t + timing_.activate_to_column[true] + written_to_activate();
    c.write_free = c.written[first_free(c)];
  }
  /// What an ACT demands of the bank of the same number in another stack id.
  void activated_in_other_stack(Bank& bank, Tick t) const {
    raise(bank.activate, t + timing_.activate_to_other_activate);
  }
  void precharge(std::uint32_t channel, Bank& bank, Tick t) {
    bus_.take_row(t, timing_.precharge_length);
    raise(channel_[channel].precharge, t + timing_.ppd);
    precharged(bank, t);
  }
  /// Of all banks of a pseudo-channel; precharged() and refreshed() are called for each of them.
  void precharge_all(std::uint32_t channel, Tick t) {
    bus_.take_row(t, timing_.precharge_length);
    raise(channel_[channel].precharge, t + timing_.ppd);
  }
  void precharged(Bank& bank, Tick t) const {
    raise(bank.activate, t + timing_.precharge_to_activate);
    raise(bank.refresh, t + timing_.precharge_to_refresh);
  }
  void refresh_all(Tick t) { bus_.take_row(t, timing_.precharge_length); }
  void refreshed(Bank& bank, Tick t) const {
    raise(bank.activate, t + timing_.refresh_all_to_activate);
    raise(bank.refresh, t + timing_.refresh_all_to_refresh);
  }
  void refresh_bank(std::uint32_t channel, Bank& bank, Tick t);
  /// A run of so many column commands from tick t on; the tick of its last. What it
  /// demands of the other direction is added by turn().
  Tick column(std::uint32_t channel, Bank& bank, bool write, Tick t, std::uint32_t bursts) {
    bus_.take_columns(channel, t, bursts);
    const Tick end = t + pace_ * static_cast<Tick>(bursts - 1);
    raise(bank.precharge, end + timing_.column_to_precharge[write]);
    if (write && bank.write_place != no_place) {
      Channel& c = channel_[channel];
      raise(c.written[bank.write_place], end + written_to_activate());
      c.write_free = c.written[first_free(c)];
    }
    Group& group = group_[bank.group];
    raise(group[column_tick(write)], end + pace_);
    raise(group[last], end);
    if (other_stack_gap_ <= data_gap_) return end;  // a slot between will do
    const std::uint32_t stack = stack_of_[bank.group];
    auto& all = stack_[channel][write];
    if (stacks_ == 2) {
      raise(all[stack ^ 1U], end + other_stack_gap_);
      return end;
    }
    for (std::uint32_t s = 0; s < stacks_; ++s) all[s] = std::max(all[s], s == stack ? 0 : end + other_stack_gap_);
    return end;
  }
  /// From now on the data bus goes in this direction.
  void turn(bool write);

 private:
  struct alignas(64) Channel {
    Tick activate = 0;
    Tick precharge = 0;
    Tick refresh = 0;
    std::array<Tick, 4> window{-never, -never, -never, -never};  ///< of the last ACTs
    std::uint32_t next = 0;
    Tick write_free = 0;                          ///< the earliest of the next
    std::array<Tick, most_write_rows> written{};  ///< until when a row that was opened for a write takes its place
  };
  /// The place of the written row that makes way first.
  std::uint8_t first_free(const Channel& channel) const {
    const auto begin = channel.written.begin();
    return static_cast<std::uint8_t>(std::min_element(begin, begin + write_rows_) - begin);
  }
  /// From the last WR of a row until another may be opened in its bank.
  Tick written_to_activate() const { return timing_.column_to_precharge[true] + timing_.precharge_to_activate; }
  static void raise(Tick& earliest, Tick t) { earliest = std::max(earliest, t); }

  const Timing& timing_;
  std::uint32_t groups_;  ///< of a pseudo-channel, all stack ids
  const std::uint32_t stacks_;
  const std::uint32_t groups_of_stack_;
  std::uint32_t banks_per_group_;
  const Tick pace_;      ///< of a run: its bank group's column distance
  const Tick data_gap_;  ///< between commands whose data follow each other
  const Tick other_stack_gap_;
  const std::uint32_t write_rows_;  ///< 0: no bound
  CommandBus bus_;
  std::vector<Group> group_;
  std::vector<std::uint8_t> stack_of_;                                                      ///< by group
  std::array<std::array<std::array<Tick, most_stacks>, 2>, most_pseudo_channels> stack_{};  ///< then by read or write
  std::array<std::uint64_t, most_stacks> stack_banks_{};
  std::array<Channel, most_pseudo_channels> channel_;
};

}  // namespace strata::dram
