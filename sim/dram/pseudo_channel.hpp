// SPDX-License-Identifier: Apache-2.0
// What the banks of one pseudo-channel want, and which wanted command of each kind
// is legal first. All sets of banks are words of 64 bits.
//
// A bank that wants a command for a queued entry stands in the order of arrival:
// first among the unripe, whose own earliest tick is to come, then as a bit at the
// place of its entry in a bitmap, so that the oldest is found without looking at
// any bank. The few that want one for another reason (a refresh that is due, a row
// that nothing hits, a turn of the bus to come) stand aside with a stamp.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "dram/bank.hpp"

namespace strata::dram {

enum Kind : std::uint8_t { refresh, column, activate, precharge };  // by priority at equal ticks
inline constexpr std::size_t kinds = 4;
inline constexpr std::uint32_t every_kind = (1U << kinds) - 1;
inline constexpr std::uint32_t moved = 1U << kinds;  ///< a key has changed
inline constexpr std::uint32_t bit_of(std::size_t kind) { return 1U << kind; }

struct alignas(64) PseudoChannel {
  /// words: of a bitmap of places, a power of two.
  PseudoChannel(std::uint32_t which, std::size_t words, std::size_t stacks)
      : number(which),
        first_bank(which * bank_places),
        words_(words),
        ripe_((2 + stacks) * words),
        ready_(2 * bank_places) {}

  static constexpr Tick key_of(Tick tick, std::size_t kind) {
    return static_cast<Tick>(static_cast<std::uint64_t>(tick) << 2U | kind);
  }
  Tick tick(std::size_t kind) const { return key[kind] >> 2U; }
  void set(std::size_t kind, Tick tick) { key[kind] = key_of(tick, kind); }

  /// The bitmap of a kind; column commands have one for each stack id.
  std::uint64_t* ripe(Kind kind, std::uint32_t stack) {
    return ripe_.data() + (kind == activate ? 0U : kind == precharge ? 1U : 2U + stack) * words_;
  }
  /// No sooner than this, for what the bank wants; columns and rows are kept apart.
  Tick& ready(Kind kind, std::uint32_t bank) {
    return ready_[(kind == column ? 0U : bank_places) + within(bank)];
  }
  static std::uint16_t place(Kind kind, const Bank& bank) {
    return kind == column ? bank.column_place : bank.row_place;
  }
  void ripen(Kind kind, const Bank& bank) {
    const std::uint16_t at = place(kind, bank);
    ripe(kind, bank.stack())[at / 64U] |= std::uint64_t{1} << (at % 64U);
  }
  void unripen(Kind kind, const Bank& bank) {
    const std::uint16_t at = place(kind, bank);
    ripe(kind, bank.stack())[at / 64U] &= ~(std::uint64_t{1} << (at % 64U));
  }
  /// Banks that stand in order of arrival with their own earliest tick behind them.
  std::uint64_t ripe_banks(Kind kind) const { return wants[kind] & ~(unripe[kind] | aside[kind]); }
  std::size_t words() const { return words_; }
  void clear_ripe() { std::fill(ripe_.begin(), ripe_.end(), 0); }
  /// The bank of a bit.
  std::uint32_t bank(std::uint64_t banks) const {
    return first_bank + static_cast<std::uint32_t>(std::countr_zero(banks));
  }

  /// When the first of each kind goes out, and the kind: the lowest is next.
  std::array<Tick, kinds> key{key_of(never, 0), key_of(never, 1), key_of(never, 2),
                              key_of(never, 3)};
  Tick next = 0;                     ///< the lowest key
  std::uint32_t stale = every_kind;  ///< a bit each: first says nothing, look again; and moved
  std::uint32_t overtaken = 0;       ///< key is a lower bound: look again before it goes out
  std::uint32_t prompt = 0;          ///< first goes as soon as anything of the kind may
  std::uint32_t refreshing = 0;      ///< all-bank refreshes that are due
  std::array<std::uint64_t, kinds> age{};    ///< of the first
  std::array<std::uint32_t, kinds> first{};  ///< its bank

  std::array<std::uint64_t, kinds> wants{};
  std::array<std::uint64_t, kinds> unripe{};
  std::array<std::uint64_t, kinds> aside{};
  std::array<std::uint64_t, 2> queued{};  ///< have entries, by read or write
  std::uint64_t open = 0;                 ///< have an open row
  std::uint64_t promised = 0;             ///< their row was opened for a request not yet served
  std::uint64_t due = 0;                  ///< wait for a refresh of their own
  std::uint32_t writes = 0;               ///< groups of writes in the window
  std::uint32_t number;
  std::uint32_t first_bank;

 private:
  std::size_t words_;
  std::vector<std::uint64_t> ripe_;  ///< by kind but refresh, then place
  std::vector<Tick> ready_;
};

}  // namespace strata::dram
