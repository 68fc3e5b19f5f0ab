// SPDX-License-Identifier: Apache-2.0
// What a channel knows of one bank: from when on it may take each command, its
// open row, the requests that wait for it and its next command. One line of the
// host's cache, since a simulated GPU has some ten thousand banks and each visit
// finds its own cold. Banks are numbered through all pseudo-channels, 64 to each.
#pragma once
#include <array>
#include <cstdint>

#include "dram/timing/command.hpp"

namespace strata::dram {

inline constexpr std::uint32_t bank_places = 64;        ///< of a pseudo-channel
inline constexpr std::size_t most_pseudo_channels = 4;  ///< of a channel
inline constexpr std::size_t most_stacks = 8;           ///< stack ids of a pseudo-channel
inline constexpr std::uint32_t most_write_rows = 16;    ///< that a bound may allow
inline constexpr std::uint8_t no_place = 0xFF;
inline constexpr std::uint16_t no_entry = 0xFFFF;
inline constexpr std::uint32_t closed_row = 0xFFFF'FFFF;

/// The entries of a bank in one direction, in order of arrival.
struct BankList {
  std::uint16_t head = no_entry;
  std::uint16_t tail = no_entry;
  std::uint16_t hits = 0;  ///< that hit the open row
};

struct alignas(64) Bank {
  Tick activate = 0;        ///< the bank's own part of the constraints: no ACT before
  Tick precharge = 0;       ///< no PRE before
  Tick refresh = 0;         ///< no REF before
  Tick activated = -never;  ///< the latest ACT; RD and WR follow at their distance
  std::uint32_t row = closed_row;
  std::array<BankList, 2> lists{};        ///< by read or write
  std::uint16_t column_entry = no_entry;  ///< whose column command is wanted
  std::uint8_t group = 0;                 ///< through all pseudo-channels
  std::uint8_t requested = 0;             ///< a bit for each kind of command
  std::uint8_t write_place = no_place;    ///< of its open row among those that are written
};
static_assert(sizeof(Bank) == 64);

inline std::uint32_t channel_of(std::uint32_t bank) { return bank / bank_places; }
/// The bank's number in its pseudo-channel.
inline std::uint32_t within(std::uint32_t bank) { return bank % bank_places; }
inline std::uint64_t bit(std::uint32_t bank) { return std::uint64_t{1} << within(bank); }

}  // namespace strata::dram
