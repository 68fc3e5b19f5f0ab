// SPDX-License-Identifier: Apache-2.0
// What each bank wants.
#include <algorithm>
#include <bit>
#include <limits>

#include "dram/scheduler.hpp"

namespace strata::dram {
namespace {
// Ranks of wishes that stand aside: those for refreshes come before all numbers of
// entries, those for the other direction of the bus after, and rows that nothing
// hits last.
constexpr std::uint64_t younger = std::uint64_t{1} << 63U;
constexpr std::uint64_t idle = std::uint64_t{3} << 62U;
constexpr std::uint64_t youngest = std::numeric_limits<std::uint64_t>::max();
}  // namespace

std::uint64_t Scheduler::rank(const PseudoChannel& channel, Kind kind, std::uint32_t bank) const {
  const Bank& b = banks_[bank];
  if ((channel.aside[kind] & bit(bank)) != 0) return b.stamp;
  return queue_.entry(kind == column ? b.column_entry : b.lists[writing_].head).number;
}

std::uint64_t Scheduler::age(const PseudoChannel& channel, Kind kind, std::uint32_t bank) const {
  const std::uint64_t age = rank(channel, kind, bank);
  if (kind != precharge) return age;
  return age < RequestQueue::first_number ? 0 : age >= idle ? youngest : age;
}

void Scheduler::unwant(PseudoChannel& channel, Kind kind, std::uint32_t bank) {
  const std::uint64_t others = ~bit(bank);
  channel.wants[kind] &= others;
  channel.unripe[kind] &= others;
  if ((channel.aside[kind] & ~others) != 0) {
    channel.aside[kind] &= others;
  } else if (kind != refresh) {
    const std::uint16_t place = PseudoChannel::place(kind, banks_[bank]);
    channel.ripe(kind)[place / 64U] &= ~(std::uint64_t{1} << (place % 64U));
  }
  if (channel.first[kind] == bank) channel.stale |= bit_of(kind);
}

// A new wish may be the first of its kind.
void Scheduler::offer(PseudoChannel& channel, Kind kind, std::uint32_t bank, Tick ready, std::uint64_t age) {
  channel.wants[kind] |= bit(bank);
  banks_[bank].wants = static_cast<std::uint8_t>(banks_[bank].wants | bit_of(kind));
  if ((channel.stale & bit_of(kind)) != 0) return;
  if (kind == refresh || channel.refreshing != 0 || policy_.data_in_order) {
    channel.stale |= bit_of(kind);
    return;
  }
  const std::uint32_t number = channel_of(bank);
  Tick tick = std::max({ready, gate(kind, number), floor_});
  const Tick first = channel.tick(kind);
  if (tick > first) return;
  tick = slot(kind, number, std::max(tick, scope(kind, banks_[bank])));
  if (tick > first || (tick == first && age >= channel.age[kind])) return;
  channel.set(kind, tick);
  channel.stale |= moved;
  channel.age[kind] = age;
  channel.first[kind] = bank;
}

void Scheduler::want(PseudoChannel& channel, Kind kind, std::uint32_t bank, Tick ready, const Entry& entry) {
  ready = std::max(ready, entry.eligible);
  channel.ready(kind, bank) = ready;
  const std::uint16_t place = queue_.place(entry.number);
  (kind == column ? banks_[bank].column_place : banks_[bank].row_place) = place;
  if (ready > floor_) {
    channel.unripe[kind] |= bit(bank);
  } else {
    channel.ripen(kind, place);
  }
  offer(channel, kind, bank, ready, entry.number);
}

void Scheduler::want_aside(PseudoChannel& channel, Kind kind, std::uint32_t bank, Tick ready, std::uint64_t stamp) {
  channel.ready(kind, bank) = ready;
  channel.aside[kind] |= bit(bank);
  banks_[bank].stamp = stamp;
  offer(channel, kind, bank, ready, age(channel, kind, bank));
}

void Scheduler::unwant_all(PseudoChannel& channel, std::uint32_t bank) {
  Bank& b = banks_[bank];
  for (std::uint32_t wants = b.wants; wants != 0; wants &= wants - 1) {
    unwant(channel, static_cast<Kind>(std::countr_zero(wants)), bank);
  }
  b.wants = 0;
}

void Scheduler::classify(std::uint32_t bank) {
  Bank& b = banks_[bank];
  PseudoChannel& channel = channels_[channel_of(bank)];
  settled_ = false;
  unwant_all(channel, bank);
  const std::uint16_t head = b.lists[writing_].head;
  const std::uint16_t other = ahead_ ? b.lists[!writing_].head : no_entry;
  const bool is_due = (channel.due & bit(bank)) != 0;
  if (b.row == closed_row) {
    if (is_due) {
      offer(channel, refresh, bank, b.refresh, 0);
    } else if (head != no_entry) {
      want(channel, activate, bank, b.activate, queue_.entry(head));
    } else if (other != no_entry) {
      const Entry& entry = queue_.entry(other);
      want_aside(channel, activate, bank, std::max(b.activate, entry.eligible), entry.number | younger);
    }
    return;
  }
  const bool hit = b.lists[writing_].hits > 0;
  const bool promised = hit && (channel.promised & bit(bank)) != 0;
  if (is_due && !promised) return want_aside(channel, precharge, bank, b.precharge, stamps_++);
  if (head == no_entry) {
    if ((close_idle_rows_ || other != no_entry) && b.lists[!writing_].hits == 0) {
      want_aside(channel, precharge, bank, b.precharge, idle | stamps_++);
    }
    return;
  }
  const Entry& oldest = queue_.entry(head);
  const bool head_hits = oldest.row == b.row;
  const bool overtakes = hit && (promised || (policy_.hits_overtake && !starving(oldest)));
  if (head_hits || overtakes) {
    b.column_entry = head_hits ? head : queue_.oldest_hit(writing_, b);
    want(channel, column, bank, constraints_.column_at(writing_, b), queue_.entry(b.column_entry));
  }
  if (!head_hits && !promised && (!overtakes || policy_.closes_rows_with_hits)) {
    want(channel, precharge, bank, b.precharge, oldest);
  }
}

void Scheduler::classify_all(std::uint32_t channel) {
  PseudoChannel& state = channels_[channel];
  const std::uint32_t first = channel * bank_places;
  std::uint64_t banks = state.open | state.due | state.queued[0] | state.queued[1];
  for (const std::uint64_t wanted : state.wants) banks |= wanted;
  // First all old wishes go: after a turn of the bus places are those of the other direction.
  for (std::uint64_t left = banks; left != 0; left &= left - 1) {
    unwant_all(state, first + static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  for (std::uint64_t left = banks; left != 0; left &= left - 1) {
    classify(first + static_cast<std::uint32_t>(std::countr_zero(left)));
  }
}

// Entries have new places, in the same order.
void Scheduler::renumber(bool write) {
  queue_.renumber(write);
  for (PseudoChannel& channel : channels_) {
    forget(channel);
    const std::uint32_t first = static_cast<std::uint32_t>(&channel - channels_.data()) * bank_places;
    if (write == writing_) channel.clear_ripe();
    for (const Kind kind : {column, activate, precharge}) {
      for (std::uint64_t left = channel.wants[kind]; left != 0; left &= left - 1) {
        const std::uint32_t bank = first + static_cast<std::uint32_t>(std::countr_zero(left));
        Bank& b = banks_[bank];
        if ((channel.aside[kind] & bit(bank)) != 0) {
          if (kind != activate || write == writing_) continue;
          b.stamp = queue_.entry(b.lists[write].head).number | younger;
        } else if (write == writing_) {
          const std::uint16_t place = queue_.place(rank(channel, kind, bank));
          (kind == column ? b.column_place : b.row_place) = place;
          if ((channel.unripe[kind] & bit(bank)) == 0) channel.ripen(kind, place);
        }
      }
    }
  }
}

}  // namespace strata::dram
