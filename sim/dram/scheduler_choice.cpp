// SPDX-License-Identifier: Apache-2.0
// Which of the wanted commands is legal first.
#include <algorithm>
#include <bit>
#include <limits>

#include "dram/scheduler.hpp"

namespace strata::dram {

std::uint64_t Scheduler::in_order(const PseudoChannel& channel) const {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t mask = 0;
  for (std::uint64_t left = channel.queued[writing_]; left != 0; left &= left - 1) {
    const std::uint32_t bank = channel.bank(left);
    const std::uint64_t number = queue_.entry(banks_[bank].lists[writing_].head).number;
    if (number >= oldest) continue;
    oldest = number;
    mask = bit(bank);
  }
  return mask;
}

Tick Scheduler::find_refresh(PseudoChannel& channel) {
  channel.age[refresh] = 0;
  channel.first[refresh] = channel.first_bank;
  if (channel.refreshing == 0) {
    Tick best = never;
    for (std::uint64_t left = channel.wants[refresh]; left != 0; left &= left - 1) {
      const std::uint32_t bank = channel.bank(left);
      const Tick tick =
          slot<refresh>(channel, std::max(gate<refresh>(channel), banks_[bank].refresh));
      if (tick >= best) continue;
      best = tick;
      channel.first[refresh] = bank;
    }
    return best;
  }
  if ((channel.promised & channel.wants[column]) != 0) return never;
  Tick tick = std::max(floor_, constraints_.row_bus_free());
  if (channel.open != 0) {
    tick = std::max(tick, constraints_.precharge_gate(channel.number));
    for (std::uint64_t left = channel.open; left != 0; left &= left - 1) {
      tick = std::max(tick, banks_[channel.bank(left)].precharge);
    }
  } else {
    for (std::uint32_t bank = channel.first_bank; bank < channel.first_bank + bank_count_; ++bank) {
      tick = std::max(tick, banks_[bank].refresh);
    }
  }
  return slot<refresh>(channel, tick);
}

// Of the given banks the one whose command is legal first, the oldest of equals.
template <Kind kind>
[[gnu::noinline]] void Scheduler::compare(PseudoChannel& channel, std::uint64_t banks, Tick open) {
  const auto soonest = [&](std::uint32_t bank) {
    return std::max(channel.ready(kind, bank), scope<kind>(banks_[bank]));
  };
  Tick tick = never;
  for (std::uint64_t left = banks; left != 0; left &= left - 1)
    tick = std::min(tick, soonest(channel.bank(left)));
  tick = tick <= open ? open : slot<kind>(channel, tick);
  std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t first = 0;
  for (std::uint64_t left = banks; left != 0; left &= left - 1) {
    const std::uint32_t bank = channel.bank(left);
    if (soonest(bank) > tick) continue;
    const std::uint64_t mine = rank<kind>(channel, bank);
    if (mine >= lowest) continue;
    lowest = mine;
    first = bank;
  }
  channel.first[kind] = first;
  channel.age[kind] = age<kind>(lowest);
  channel.set(kind, tick);
}

// The bank of the oldest entry that is ripe and whose bank group and stack id are
// free at tick t.
template <Kind kind>
[[gnu::always_inline]] inline std::uint32_t Scheduler::oldest_ripe(PseudoChannel& channel, Tick t) const {
  std::uint64_t may = channel.ripe_banks(kind);
  if (may == 0) return no_bank;
  const std::size_t words = channel.words();
  std::array<const std::uint64_t*, 8> ripe;
  std::size_t bitmaps = 0;
  if (kind != column) {
    ripe[bitmaps++] = channel.ripe(kind, 0);
  } else {
    for (std::uint32_t s = 0; s < constraints_.stacks(); ++s) {
      if (constraints_.column_stack(writing_, channel.number, s, t))
        ripe[bitmaps++] = channel.ripe(column, s);
    }
  }
  if (bitmaps == 0) return no_bank;
  const auto places = [&](std::size_t word) {
    std::uint64_t all = ripe[0][word];
    for (std::size_t i = 1; i < bitmaps; ++i) all |= ripe[i][word];
    return all;
  };
  const std::uint32_t from = queue_.first_place(writing_);
  std::size_t word = from / 64U;
  std::uint64_t left = places(word) & (~std::uint64_t{0} << (from % 64U));
  for (std::size_t n = 0; n <= words; ++n) {  // the first word twice: its end, its beginning
    for (; left != 0; left &= left - 1) {
      const std::uint32_t bank =
          queue_.bank_at(writing_, static_cast<std::uint32_t>(word * 64) +
                                       static_cast<std::uint32_t>(std::countr_zero(left)));
      if (kind == precharge || group_scope<kind>(banks_[bank]) <= t) return bank;
      may &= ~bit(bank);
      if (may == 0) return no_bank;
    }
    word = (word + 1) & (words - 1);
    left = places(word);
  }
  return no_bank;
}

// At the first tick at which bus and pseudo-channel let anything go, the oldest
// that is ready; only where none is, ticks are compared.
template <Kind kind>
[[gnu::always_inline]] inline void Scheduler::find_ready(PseudoChannel& channel) {
  const Tick open = slot<kind>(channel, gate<kind>(channel));
  for (std::uint64_t left = channel.unripe[kind]; left != 0; left &= left - 1) {
    const std::uint32_t bank = channel.bank(left);
    if (channel.ready(kind, bank) > open) continue;
    channel.unripe[kind] &= ~bit(bank);
    channel.ripen(kind, banks_[bank]);
  }
  std::uint32_t chosen = oldest_ripe<kind>(channel, open);
  std::uint64_t lowest =
      chosen == no_bank ? std::numeric_limits<std::uint64_t>::max() : rank<kind>(channel, chosen);
  if (kind != column) {
    for (std::uint64_t left = channel.aside[kind]; left != 0; left &= left - 1) {
      const std::uint32_t bank = channel.bank(left);
      if (banks_[bank].stamp >= lowest || channel.ready(kind, bank) > open ||
          scope<kind>(banks_[bank]) > open)
        continue;
      lowest = banks_[bank].stamp;
      chosen = bank;
    }
  }
  if (chosen == no_bank) return compare<kind>(channel, channel.wants[kind], open);
  channel.first[kind] = chosen;
  channel.age[kind] = age<kind>(lowest);
  channel.set(kind, open);
  channel.prompt |= bit_of(kind);
}

template <Kind kind>
void Scheduler::find(PseudoChannel& channel) {
  channel.overtaken &= ~bit_of(kind);
  channel.prompt &= ~bit_of(kind);
  std::uint64_t banks = channel.wants[kind];
  if (channel.refreshing != 0) {
    banks &= kind == column ? channel.promised : 0;
  } else if (kind == column && policy_.data_in_order) {
    banks &= in_order(channel);
  } else if (banks != 0) {
    return find_ready<kind>(channel);
  }
  if (banks == 0) return channel.set(kind, never);
  compare<kind>(channel, banks, slot<kind>(channel, gate<kind>(channel)));
}

void Scheduler::look_again(PseudoChannel& channel) {
  const std::uint32_t stale = channel.stale;
  if ((stale & bit_of(column)) != 0) find<column>(channel);
  if ((stale & bit_of(activate)) != 0) find<activate>(channel);
  if ((stale & bit_of(precharge)) != 0) find<precharge>(channel);
  if ((stale & bit_of(refresh)) != 0) {
    channel.overtaken &= ~bit_of(refresh);
    const bool wanted = channel.wants[refresh] != 0 || channel.refreshing != 0;
    channel.set(refresh, wanted ? find_refresh(channel) : never);
  }
}

}  // namespace strata::dram
