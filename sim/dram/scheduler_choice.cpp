// SPDX-License-Identifier: Apache-2.0
// What each bank wants, and which of the wanted commands is legal first.
#include "dram/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace strata::dram {
namespace {
constexpr std::uint64_t youngest = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t younger = std::uint64_t{1} << 63U;  // than any of the present direction
}  // namespace

void Scheduler::want(PseudoChannel& channel, Kind kind, std::uint32_t bank, Tick ready, std::uint64_t age) {
  channel.wants[kind] |= bit(bank);
  wish_[bank][kind] = {ready, age};
  Order& order = channel.order[kind];
  const std::uint32_t base = channel_of(bank) * banks_;
  std::uint32_t at = order.size++;
  for (; at > 0 && wish_[base + order.banks[at - 1]][kind].age > age; --at) {
    order.banks[at] = order.banks[at - 1];
  }
  order.banks[at] = static_cast<std::uint8_t>(bank - base);
  Candidate& first = channel.first[kind];
  if ((channel.stale & bit_of(kind)) != 0) return;
  if (kind == refresh || channel.refreshing != 0 || policy_.data_in_order) {
    channel.stale |= bit_of(kind);
    return;
  }
  const std::uint32_t number = channel_of(bank);
  const Tick soonest = std::max({ready, gate(kind, number), floor_});
  if (soonest > channel.tick[kind]) return;
  const Tick tick = legal(kind, bank, soonest);
  if (tick > channel.tick[kind] || (tick == channel.tick[kind] && age >= first.age)) return;
  channel.tick[kind] = tick;
  first.age = age;
  first.bank = bank;
}

void Scheduler::unwant(PseudoChannel& channel, Kind kind, std::uint32_t bank) {
  channel.wants[kind] &= ~bit(bank);
  if (channel.first[kind].bank == bank) channel.stale |= bit_of(kind);
  Order& order = channel.order[kind];
  std::uint32_t at = 0;
  while (order.banks[at] != within(bank)) ++at;
  for (--order.size; at < order.size; ++at) order.banks[at] = order.banks[at + 1];
}

void Scheduler::classify(std::uint32_t bank) {
  PseudoChannel& channel = channels_[channel_of(bank)];
  const std::uint64_t mask = bit(bank);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if ((channel.wants[kind] & mask) != 0) unwant(channel, static_cast<Kind>(kind), bank);
  }
  const std::int64_t row = row_[bank];
  const std::uint16_t head = queue_.head(writing_, bank);
  const bool is_due = (channel.due & mask) != 0;
  if (row == closed_row) {
    if (is_due) {
      want(channel, refresh, bank, constraints_.refresh_at(bank), 0);
    } else if (head != no_entry) {
      const Entry& entry = queue_.entry(head);
      want(channel, activate, bank, std::max(constraints_.activate_at(bank), entry.eligible), entry.age);
    } else if (ahead_ && queue_.head(!writing_, bank) != no_entry) {
      const Entry& entry = queue_.entry(queue_.head(!writing_, bank));
      want(channel, activate, bank, std::max(constraints_.activate_at(bank), entry.eligible), entry.age | younger);
    }
    return;
  }
  const bool hit = queue_.hits(writing_, bank) > 0;
  const bool promised = hit && (channel.promised & mask) != 0;
  if (is_due && !promised) {
    want(channel, precharge, bank, constraints_.precharge_at(bank), 0);
    return;
  }
  if (head == no_entry) {
    const bool in_the_way = close_idle_rows_ || (ahead_ && queue_.head(!writing_, bank) != no_entry);
    if (in_the_way && queue_.hits(!writing_, bank) == 0) {
      want(channel, precharge, bank, constraints_.precharge_at(bank), youngest);
    }
    return;
  }
  const Entry& oldest = queue_.entry(head);
  const bool head_hits = oldest.row == row;
  const bool overtakes = hit && (promised || (policy_.hits_overtake && !starving(oldest)));
  if (head_hits || overtakes) {
    const std::uint16_t index = head_hits ? head : queue_.oldest_hit(writing_, bank, row);
    const Entry& entry = queue_.entry(index);
    column_entry_[bank] = index;
    want(channel, column, bank, std::max(constraints_.column_at(writing_, bank), entry.eligible), entry.age);
  }
  if (!head_hits && !promised && (!overtakes || policy_.closes_rows_with_hits)) {
    want(channel, precharge, bank, std::max(constraints_.precharge_at(bank), oldest.eligible), oldest.age);
  }
}

// With nothing queued only an open row or an old wish can make a bank want
// something, or stop wanting it.
void Scheduler::classify_all(std::uint32_t channel) {
  const std::uint32_t first = channel * banks_;
  if (queue_.size(false) + queue_.size(true) != 0) {
    for (std::uint32_t bank = first; bank < first + banks_; ++bank) classify(bank);
    return;
  }
  const PseudoChannel& state = channels_[channel];
  std::uint64_t left = state.open | state.due;
  for (const std::uint64_t wanted : state.wants) left |= wanted;
  for (; left != 0; left &= left - 1) classify(first + static_cast<std::uint32_t>(std::countr_zero(left)));
}

// ---- which command is legal first -------------------------------------------

std::uint64_t Scheduler::in_order(std::uint32_t channel) const {
  std::uint64_t age = youngest;
  std::uint64_t mask = 0;
  for (std::uint32_t bank = channel * banks_; bank < (channel + 1) * banks_; ++bank) {
    const std::uint16_t head = queue_.head(writing_, bank);
    if (head == no_entry || queue_.entry(head).age >= age) continue;
    age = queue_.entry(head).age;
    mask = bit(bank);
  }
  return mask;
}

Tick Scheduler::find_refresh(std::uint32_t channel, Candidate& candidate) {
  PseudoChannel& state = channels_[channel];
  const std::uint32_t first = channel * banks_;
  candidate = {0, first};
  if (state.refreshing == 0) {
    Tick best = never;
    for (std::uint64_t left = state.wants[refresh]; left != 0; left &= left - 1) {
      const std::uint32_t bank = first + static_cast<std::uint32_t>(std::countr_zero(left));
      const Tick tick =
          legal(refresh, bank, std::max({wish_[bank][refresh].ready, constraints_.refresh_gate(channel), floor_}));
      if (tick >= best) continue;
      best = tick;
      candidate.bank = bank;
    }
    return best;
  }
  if ((state.promised & state.wants[column]) != 0) return never;
  Tick tick = std::max(floor_, constraints_.row_bus_free());
  if (state.open != 0) {
    tick = std::max(tick, constraints_.precharge_gate(channel));
    for (std::uint64_t left = state.open; left != 0; left &= left - 1) {
      const std::uint32_t bank = first + static_cast<std::uint32_t>(std::countr_zero(left));
      tick = std::max(tick, constraints_.precharge_at(bank));
    }
  } else {
    for (std::uint32_t bank = first; bank < first + banks_; ++bank) {
      tick = std::max(tick, constraints_.refresh_at(bank));
    }
  }
  return constraints_.row_slot(tick, timing_.precharge_length);
}

void Scheduler::find(std::uint32_t channel, Kind kind) {
  PseudoChannel& state = channels_[channel];
  Candidate& first = state.first[kind];
  state.stale &= ~bit_of(kind);
  state.overtaken &= ~bit_of(kind);
  Tick& tick = state.tick[kind];
  tick = never;
  if (kind == refresh) {
    if (state.wants[refresh] != 0 || state.refreshing != 0) tick = find_refresh(channel, first);
    return;
  }
  std::uint64_t banks = state.wants[kind];
  if (state.refreshing != 0) {
    banks &= kind == column ? state.promised : 0;
  } else if (kind == column && policy_.data_in_order && banks != 0) {
    banks &= in_order(channel);
  }
  if (banks == 0) return;
  switch (kind) {
    case column: tick = scan<column>(channel, banks, first); break;
    case activate: tick = scan<activate>(channel, banks, first); break;
    default: tick = scan<precharge>(channel, banks, first); break;
  }
}

template <Scheduler::Kind kind>
Tick Scheduler::scan(std::uint32_t channel, std::uint64_t banks, Candidate& best) const {
  const std::uint32_t first = channel * banks_;
  const Tick open = opens(kind, channel);
  const std::array<Wish, kinds>* const wishes = wish_.data() + first;
  const Order& order = channels_[channel].order[kind];
  Tick best_tick = never;
  std::uint32_t best_bank = 0;
  for (std::uint32_t n = 0; n < order.size; ++n) {
    const std::uint32_t i = order.banks[n];
    if (((banks >> i) & 1U) == 0) continue;
    const Tick soonest = scoped(kind, first + i, wishes[i][kind].ready);
    if (soonest >= best_tick) continue;
    const Tick tick = soonest <= open ? open : slot(kind, channel, soonest);
    if (tick >= best_tick) continue;
    best_tick = tick;
    best_bank = i;
    if (tick == open) break;
  }
  best = {wishes[best_bank][kind].age, first + best_bank};
  return best_tick;
}

Scheduler::Choice Scheduler::choose() {
  const auto channels = static_cast<std::uint32_t>(channels_.size());
  while (true) {
    // By tick, then kind, then age.
    Tick first = never * static_cast<Tick>(kinds);
    std::uint32_t chosen = 0;
    for (std::uint32_t c = 0; c < channels; ++c) {
      PseudoChannel& channel = channels_[c];
      for (std::uint32_t left = channel.stale; left != 0; left &= left - 1) {
        find(c, static_cast<Kind>(std::countr_zero(left)));
      }
      Tick mine = channel.tick[0] * static_cast<Tick>(kinds);
      for (std::size_t kind = 1; kind < kinds; ++kind) {
        mine = std::min(mine, channel.tick[kind] * static_cast<Tick>(kinds) + static_cast<Tick>(kind));
      }
      const auto kind = static_cast<std::size_t>(mine) % kinds;
      if (mine < first || (mine == first && channel.first[kind].age < channels_[chosen].first[kind].age)) {
        first = mine;
        chosen = c;
      }
    }
    const auto kind = static_cast<Kind>(static_cast<std::size_t>(first) % kinds);
    const Tick tick = first / static_cast<Tick>(kinds);
    if (tick == never || (channels_[chosen].overtaken & bit_of(kind)) == 0) return {tick, chosen, kind};
    find(chosen, kind);
  }
}

}  // namespace strata::dram
