// SPDX-License-Identifier: Apache-2.0
// From which tick on a command is legal. Every issued command raises the
// earliest ticks of what it constrains, scope by scope: the bank, its bank
// group, its stack id, its pseudo-channel, the command bus. A command is legal
// at the latest of the earliest ticks of its scopes, so asking costs a few
// loads. What belongs to one bank, group or
// pseudo-channel lies together; all are numbered through all pseudo-channels.
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
    return std::max({c.activate, c.window[c.next] + timing_.faw, bus_[0]});
  }
  Tick precharge_gate(std::uint32_t channel) const {
    return std::max(channel_[channel].precharge, bus_[0]);
  }
  Tick refresh_gate(std::uint32_t channel) const {
    return std::max(channel_[channel].refresh, bus_[0]);
  }
  Tick column_gate() const { return bus_[column_bus_]; }
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
  Tick row_bus_free() const { return bus_[0]; }
  Tick column_bus_free() const { return bus_[column_bus_]; }

  void activate(std::uint32_t channel, std::uint32_t bank, Tick t);
  void precharge(std::uint32_t channel, std::uint32_t bank, Tick t);
  void precharge_all(std::uint32_t channel, Tick t);
  void column(std::uint32_t channel, std::uint32_t bank, bool write, Tick t);
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
  static void raise(Tick& earliest, Tick t) { earliest = std::max(earliest, t); }

  const Timing timing_;
  std::uint32_t banks_;
  std::uint32_t groups_;  ///< of a pseudo-channel, all stack ids
  std::uint32_t stacks_;
  std::size_t column_bus_;
  std::array<Tick, 2> bus_{};
  std::vector<Bank> bank_;
  std::vector<Group> group_;
  std::vector<std::array<Tick, 2>> column_stack_;  ///< by stack id, then read or write
  std::vector<Channel> channel_;
};

}  // namespace strata::dram
