// SPDX-License-Identifier: Apache-2.0
// The next commands of the banks of one pseudo-channel, and which of each kind
// is legal first. All sets of banks are words of 64 bits.
//
// A bank with a next command keeps two figures of it: from when on the bank itself allows it, and
// a rank among the commands of its kind. For a queued entry the rank is its number in the
// order of arrival; the few commands for another reason (a refresh that is due, a row that
// nothing hits, a turn of the bus to come) have ranks before or after all numbers. The
// commands of a kind are adjacent, so that the first is found in one pass over them,
// without touching a bank.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "dram/timing/bank.hpp"

namespace strata::dram {

enum Kind : std::uint8_t { refresh, column, activate, precharge };  // by priority at equal ticks
inline constexpr std::size_t kinds = 4;
inline constexpr std::uint32_t every_kind = (1U << kinds) - 1;
inline constexpr std::uint32_t moved = 1U << kinds;  ///< a key has changed
constexpr std::uint32_t bit_of(std::size_t kind) { return 1U << kind; }

struct alignas(64) PseudoChannel {
  struct NextCommand {
    Tick ready = 0;          ///< no sooner than this, for bank and entry
    std::uint64_t rank = 0;  ///< the lowest of those that are legal has priority
  };

  explicit PseudoChannel(std::uint32_t which) : number(which), first_bank(which * bank_places) {}

  static constexpr Tick key_of(Tick tick, std::size_t kind) {
    return static_cast<Tick>(static_cast<std::uint64_t>(tick) << 2U | kind);
  }
  Tick tick(std::size_t kind) const { return key[kind] >> 2U; }
  void set(std::size_t kind, Tick tick) { key[kind] = key_of(tick, kind); }

  /// The next command of a bank; columns and rows are kept apart.
  NextCommand& next_command(Kind kind, std::uint32_t bank) { return next_commands[kind != column][within(bank)]; }
  /// The bank of a bit.
  std::uint32_t bank(std::uint64_t banks) const {
    return first_bank + static_cast<std::uint32_t>(std::countr_zero(banks));
  }

  /// When the first of each kind goes out, and the kind: the lowest is next.
  std::array<Tick, kinds> key{key_of(never, 0), key_of(never, 1), key_of(never, 2), key_of(never, 3)};
  Tick next = 0;                             ///< the lowest key
  std::uint32_t stale = every_kind;          ///< a bit each: first says nothing, look again; and moved
  std::uint32_t overtaken = 0;               ///< key is a lower bound: look again before it goes out
  std::uint32_t prompt = 0;                  ///< first goes as soon as anything of the kind may
  std::uint32_t refreshing = 0;              ///< all-bank refreshes that are due
  std::array<std::uint64_t, kinds> age{};    ///< of the first
  std::array<std::uint32_t, kinds> first{};  ///< its bank

  std::array<std::uint64_t, kinds> requested{};
  std::array<std::uint64_t, 2> queued{};  ///< have entries, by read or write
  std::uint64_t open = 0;                 ///< have an open row
  std::uint64_t row_reserved = 0;         ///< their row was opened for a request not yet served
  std::uint64_t due = 0;                  ///< wait for a refresh of their own
  std::uint32_t number;
  std::uint32_t first_bank;
  std::array<std::array<NextCommand, bank_places>, 2> next_commands{};  ///< of columns, of rows
};

}  // namespace strata::dram
