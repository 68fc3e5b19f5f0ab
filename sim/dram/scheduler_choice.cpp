// SPDX-License-Identifier: Apache-2.0
// Which of the wanted commands is legal first.
#include <algorithm>
#include <bit>
#include <limits>

#include "dram/scheduler.hpp"

namespace strata::dram {

std::uint64_t Scheduler::in_order(std::uint32_t channel) const {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t mask = 0;
  for (std::uint64_t left = channels_[channel].queued[writing_]; left != 0; left &= left - 1) {
    const std::uint32_t bank = channel * bank_places + static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t number = queue_.entry(banks_[bank].lists[writing_].head).number;
    if (number >= oldest) continue;
    oldest = number;
    mask = bit(bank);
  }
  return mask;
}

Tick Scheduler::find_refresh(std::uint32_t channel) {
  PseudoChannel& state = channels_[channel];
  const std::uint32_t first = channel * bank_places;
  state.age[refresh] = 0;
  state.first[refresh] = first;
  if (state.refreshing == 0) {
    Tick best = never;
    for (std::uint64_t left = state.wants[refresh]; left != 0; left &= left - 1) {
      const std::uint32_t bank = first + static_cast<std::uint32_t>(std::countr_zero(left));
      const Tick tick =
          slot(refresh, channel, std::max({banks_[bank].refresh, constraints_.refresh_gate(channel), floor_}));
      if (tick >= best) continue;
      best = tick;
      state.first[refresh] = bank;
    }
    return best;
  }
  if ((state.promised & state.wants[column]) != 0) return never;
  Tick tick = std::max(floor_, constraints_.row_bus_free());
  if (state.open != 0) {
    tick = std::max(tick, constraints_.precharge_gate(channel));
    for (std::uint64_t left = state.open; left != 0; left &= left - 1) {
      tick = std::max(tick, banks_[first + static_cast<std::uint32_t>(std::countr_zero(left))].precharge);
    }
  } else {
    for (std::uint32_t bank = first; bank < first + bank_count_; ++bank) {
      tick = std::max(tick, banks_[bank].refresh);
    }
  }
  return constraints_.row_slot(tick, timing_.precharge_length);
}

// Of the given banks the one whose command is legal first, the oldest of equals.
template <Kind kind>
void Scheduler::compare(std::uint32_t channel, std::uint64_t banks) {
  PseudoChannel& state = channels_[channel];
  const std::uint32_t first = channel * bank_places;
  const auto soonest = [&](std::uint32_t bank) {
    return std::max(state.ready(kind, bank), scope(kind, banks_[bank]));
  };
  Tick tick = never;
  for (std::uint64_t left = banks; left != 0; left &= left - 1) {
    tick = std::min(tick, soonest(first + static_cast<std::uint32_t>(std::countr_zero(left))));
  }
  const Tick open = opens(kind, channel);
  tick = tick <= open ? open : slot(kind, channel, tick);
  std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t left = banks; left != 0; left &= left - 1) {
    const std::uint32_t bank = first + static_cast<std::uint32_t>(std::countr_zero(left));
    if (soonest(bank) > tick) continue;
    const std::uint64_t mine = rank(state, kind, bank);
    if (mine >= lowest) continue;
    lowest = mine;
    state.first[kind] = bank;
  }
  state.age[kind] = age(state, kind, state.first[kind]);
  state.set(kind, tick);
}

// The bank of the oldest entry that is ripe and whose bank group is free at tick t.
template <Kind kind>
std::uint32_t Scheduler::oldest_ripe(std::uint32_t channel, Tick t) {
  PseudoChannel& state = channels_[channel];
  const std::uint64_t* const ripe = state.ripe(kind);
  const std::size_t words = state.words();
  const std::uint32_t from = queue_.first_place(writing_);
  std::size_t word = from / 64U;
  std::uint64_t left = ripe[word] & (~std::uint64_t{0} << (from % 64U));
  for (std::size_t n = 0; n <= words; ++n) {  // the first word twice: its end, its beginning
    for (; left != 0; left &= left - 1) {
      const std::uint32_t bank =
          queue_.bank_at(writing_, static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(left)));
      if (kind == precharge || scope(kind, banks_[bank]) <= t) return bank;
    }
    word = (word + 1) & (words - 1);
    left = ripe[word];
  }
  return no_bank;
}

// At the first tick at which bus and pseudo-channel let anything go, the oldest
// that is ready; only where none is, ticks are compared.
template <Kind kind>
void Scheduler::find_ready(std::uint32_t channel) {
  PseudoChannel& state = channels_[channel];
  const std::uint32_t first = channel * bank_places;
  const Tick open = opens(kind, channel);
  for (std::uint64_t left = state.unripe[kind]; left != 0; left &= left - 1) {
    const std::uint32_t bank = first + static_cast<std::uint32_t>(std::countr_zero(left));
    if (state.ready(kind, bank) > open) continue;
    state.unripe[kind] &= ~bit(bank);
    state.ripen(kind, PseudoChannel::place(kind, banks_[bank]));
  }
  std::uint32_t chosen = no_bank;
  if ((state.wants[kind] & ~(state.unripe[kind] | state.aside[kind])) != 0) chosen = oldest_ripe<kind>(channel, open);
  if (state.aside[kind] != 0) {
    std::uint64_t lowest = chosen == no_bank ? std::numeric_limits<std::uint64_t>::max() : rank(state, kind, chosen);
    for (std::uint64_t left = state.aside[kind]; left != 0; left &= left - 1) {
      const std::uint32_t bank = first + static_cast<std::uint32_t>(std::countr_zero(left));
      if (banks_[bank].stamp >= lowest || std::max(state.ready(kind, bank), scope(kind, banks_[bank])) > open) continue;
      lowest = banks_[bank].stamp;
      chosen = bank;
    }
  }
  if (chosen == no_bank) return compare<kind>(channel, state.wants[kind]);
  state.first[kind] = chosen;
  state.age[kind] = age(state, kind, chosen);
  state.set(kind, open);
}

void Scheduler::find(std::uint32_t channel, Kind kind) {
  PseudoChannel& state = channels_[channel];
  state.overtaken &= ~bit_of(kind);
  state.set(kind, never);
  if (kind == refresh) {
    if (state.wants[refresh] != 0 || state.refreshing != 0) state.set(refresh, find_refresh(channel));
    return;
  }
  std::uint64_t banks = state.wants[kind];
  if (banks == 0) return;
  if (state.refreshing != 0) {
    banks &= kind == column ? state.promised : 0;
  } else if (kind == column && policy_.data_in_order) {
    banks &= in_order(channel);
  } else {
    switch (kind) {
      case column: return find_ready<column>(channel);
      case activate: return find_ready<activate>(channel);
      default: return find_ready<precharge>(channel);
    }
  }
  if (banks != 0) compare<column>(channel, banks);
}

void Scheduler::settle(std::uint32_t channel) {
  PseudoChannel& state = channels_[channel];
  for (std::uint32_t left = state.stale & every_kind; left != 0; left &= left - 1) {
    find(channel, static_cast<Kind>(std::countr_zero(left)));
  }
  state.stale = 0;
  state.next = std::min(std::min(state.key[0], state.key[1]), std::min(state.key[2], state.key[3]));
}

// By tick, then kind, then age.
Scheduler::Choice Scheduler::choose() {
  settled_ = true;
  const auto channels = static_cast<std::uint32_t>(channels_.size());
  while (true) {
    std::uint32_t chosen = 0;
    for (std::uint32_t c = 0; c < channels; ++c) {
      PseudoChannel& channel = channels_[c];
      if (channel.stale != 0) settle(c);
      if (c == 0) continue;
      const PseudoChannel& best = channels_[chosen];
      const auto kind = static_cast<std::size_t>(channel.next) % kinds;
      if (channel.next < best.next || (channel.next == best.next && channel.age[kind] < best.age[kind])) chosen = c;
    }
    PseudoChannel& best = channels_[chosen];
    const auto kind = static_cast<Kind>(static_cast<std::size_t>(best.next) % kinds);
    const Tick tick = best.tick(kind);
    if (tick >= never || (best.overtaken & bit_of(kind)) == 0) return {tick, chosen, kind};
    best.stale = bit_of(kind);
  }
}

}  // namespace strata::dram
