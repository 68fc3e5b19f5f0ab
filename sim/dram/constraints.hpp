// SPDX-License-Identifier: Apache-2.0
// From which tick on a command is legal. Every issued command raises the
// earliest ticks of what it constrains, scope by scope: the bank, its bank
// group, its stack id, its pseudo-channel, the command bus. A command is legal
// at the latest of the earliest ticks of its scopes, so asking costs a few
// loads. All tables are flat; banks are numbered through all pseudo-channels.
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
  Tick activate_at(std::uint32_t bank) const { return activate_[bank]; }
  Tick precharge_at(std::uint32_t bank) const { return precharge_[bank]; }
  Tick refresh_at(std::uint32_t bank) const { return refresh_[bank]; }
  Tick column_at(bool write, std::uint32_t bank) const { return column_[write][bank]; }

  /// What the pseudo-channel and the bus add.
  Tick activate_gate(std::uint32_t channel) const {
    const Window& window = window_[channel];
    return std::max({activate_channel_[channel], window.ticks[window.next] + timing_.faw, bus_[0]});
  }
  Tick precharge_gate(std::uint32_t channel) const {
    return std::max(precharge_channel_[channel], bus_[0]);
  }
  Tick refresh_gate(std::uint32_t channel) const {
    return std::max(refresh_channel_[channel], bus_[0]);
  }
  Tick column_gate() const { return bus_[column_bus_]; }
  /// What bank group and stack id add.
  Tick activate_group(std::uint32_t bank) const { return activate_group_[group_of_[bank]]; }
  Tick column_scope(bool write, std::uint32_t bank) const {
    return std::max(column_group_[write][group_of_[bank]], column_stack_[write][stack_of_[bank]]);
  }
  /// The least that any bank of the pseudo-channel gets from column_scope().
  Tick column_channel(bool write, std::uint32_t channel) const {
    Tick least = column_stack_[write][channel * stacks_];
    for (std::uint32_t s = 1; s < stacks_; ++s) {
      least = std::min(least, column_stack_[write][channel * stacks_ + s]);
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
  struct Window {
    std::array<Tick, 4> ticks{-never, -never, -never, -never};
    std::uint32_t next = 0;
  };
  static void raise(Tick& earliest, Tick t) { earliest = std::max(earliest, t); }

  const Timing timing_;
  std::uint32_t banks_;
  std::uint32_t groups_;  ///< of a pseudo-channel, all stack ids
  std::uint32_t stacks_;
  std::size_t column_bus_;
  std::array<Tick, 2> bus_{};
  std::vector<std::uint32_t> group_of_;  ///< by bank
  std::vector<std::uint32_t> stack_of_;
  std::vector<Tick> activate_;
  std::vector<Tick> precharge_;
  std::vector<Tick> refresh_;
  std::array<std::vector<Tick>, 2> column_;        ///< by read or write, then bank
  std::vector<Tick> activate_group_;
  std::array<std::vector<Tick>, 2> column_group_;
  std::array<std::vector<Tick>, 2> column_stack_;
  std::vector<Tick> activate_channel_;
  std::vector<Tick> precharge_channel_;
  std::vector<Tick> refresh_channel_;
  std::vector<Window> window_;
};

}  // namespace strata::dram
