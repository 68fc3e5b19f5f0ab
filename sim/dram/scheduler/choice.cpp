// SPDX-License-Identifier: Apache-2.0
// Which of the candidate commands is legal first.
#include <algorithm>
#include <limits>

#include "dram/scheduler/scheduler.hpp"

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
    for (std::uint64_t left = channel.requested[refresh]; left != 0; left &= left - 1) {
      const std::uint32_t bank = channel.bank(left);
      const Tick tick = slot<refresh>(channel, std::max(gate<refresh>(channel), banks_[bank].refresh));
      if (tick >= best) continue;
      best = tick;
      channel.first[refresh] = bank;
    }
    return best;
  }
  if ((channel.row_reserved & channel.requested[column]) != 0) return never;
  Tick tick = std::max(floor_, constraints_.bus().free());
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

// Of the given banks the one whose command is legal first, with the lowest rank among equals;
// used if none is legal when bus and pseudo-channel are free.
template <Kind kind>
[[gnu::noinline]] void Scheduler::compare(PseudoChannel& channel, std::uint64_t banks, Tick open) {
  const auto soonest = [&](std::uint32_t bank) {
    return std::max(channel.next_command(kind, bank).ready, scope<kind>(bank));
  };
  Tick tick = never;
  for (std::uint64_t left = banks; left != 0; left &= left - 1) tick = std::min(tick, soonest(channel.bank(left)));
  tick = tick <= open ? open : slot<kind>(channel, tick);
  std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t first = 0;
  for (std::uint64_t left = banks; left != 0; left &= left - 1) {
    const std::uint32_t bank = channel.bank(left);
    const std::uint64_t rank = channel.next_command(kind, bank).rank;
    if (soonest(bank) > tick || rank >= lowest) continue;
    lowest = rank;
    first = bank;
  }
  channel.first[kind] = first;
  channel.age[kind] = age<kind>(lowest);
  channel.set(kind, tick);
}

// The lowest rank that is ready at the first tick at which bus and pseudo-channel are free: in
// most cases there is one. Without branches except for the loop.
template <Kind kind>
[[gnu::always_inline]] inline bool Scheduler::find_first(PseudoChannel& channel, std::uint64_t banks) {
  const Tick open = slot<kind>(channel, gate<kind>(channel));
  const PseudoChannel::NextCommand* const next_commands = channel.next_commands[kind != column].data();
  const std::uint8_t* const groups = &group_of_[channel.first_bank];
  const Constraints::Group* const group = constraints_.groups();
  const auto which = kind == column ? Constraints::column_tick(writing_) : Constraints::activates;
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t lowest = none;
  std::uint32_t first = 0;
  const std::uint64_t free = kind == column ? constraints_.column_open(writing_, channel.number, banks, open) : banks;
  for (std::uint64_t left = free; left != 0; left &= left - 1) {
    const auto bank = static_cast<std::uint32_t>(std::countr_zero(left));
    const Tick ready =
        kind == precharge ? next_commands[bank].ready : std::max(next_commands[bank].ready, group[groups[bank]][which]);
    const std::uint64_t rank = ready <= open ? next_commands[bank].rank : none;
    first = rank < lowest ? bank : first;
    lowest = std::min(lowest, rank);
  }
  if (lowest == none) {
    compare<kind>(channel, banks, open);
    return false;
  }
  channel.first[kind] = first + channel.first_bank;
  channel.age[kind] = age<kind>(lowest);
  channel.set(kind, open);
  return true;
}

template <Kind kind>
void Scheduler::find(PseudoChannel& channel) {
  channel.overtaken &= ~bit_of(kind);
  channel.prompt &= ~bit_of(kind);
  std::uint64_t banks = channel.requested[kind];
  bool all = false;
  if (channel.refreshing != 0) {
    banks &= kind == column ? channel.row_reserved : 0;
  } else if (kind == column && policy_.data_in_order) {
    banks &= in_order(channel);
  } else {
    all = true;
  }
  if (banks == 0) return channel.set(kind, never);
  if (find_first<kind>(channel, banks) && all) channel.prompt |= bit_of(kind);
}

void Scheduler::look_again(PseudoChannel& channel) {
  const std::uint32_t stale = channel.stale;
  if ((stale & bit_of(column)) != 0) find<column>(channel);
  if ((stale & bit_of(activate)) != 0) find<activate>(channel);
  if ((stale & bit_of(precharge)) != 0) find<precharge>(channel);
  if ((stale & bit_of(refresh)) != 0) {
    channel.overtaken &= ~bit_of(refresh);
    const bool wanted = channel.requested[refresh] != 0 || channel.refreshing != 0;
    channel.set(refresh, wanted ? find_refresh(channel) : never);
  }
}

}  // namespace strata::dram
