// SPDX-License-Identifier: Apache-2.0
// Refresh: when it is due, and how idle times are simulated afterwards.
#include "dram/scheduler/scheduler.hpp"

#include <algorithm>
#include <bit>

namespace strata::dram {

Tick Scheduler::refresh_tick(std::uint64_t number) const {
  const auto n = static_cast<Tick>(number);
  return refresh_phase_ +
         (refresh_ == Refresh::per_bank ? n * timing_.refi / static_cast<Tick>(bank_count_) : n * timing_.refi);
}

void Scheduler::begin_refresh() {
  floor_ = std::max(floor_, refresh_due_);
  for (PseudoChannel& channel : channels_) {
    if (refresh_ == Refresh::all_bank) {
      ++channel.refreshing;
    } else {
      const std::uint32_t bank = channel.first_bank + static_cast<std::uint32_t>(refreshes_begun_ % bank_count_);
      channel.due |= bit(bank);
      classify(channel, bank);
    }
    forget(channel);
  }
  refresh_due_ = refresh_tick(++refreshes_begun_);
}

void Scheduler::refresh_bank(PseudoChannel& channel, std::uint32_t bank, Tick t) {
  ++statistics_.refreshes;
  occupied_.refresh(channel.number, t);
  constraints_.refresh_bank(channel.number, banks_[bank], t);
}

// Without constraints of earlier commands, a refresh is issued at the tick when it is due, one
// pseudo-channel after the other, and only the last delays more than its own bank.
void Scheduler::refresh_in_time(Tick until) {
  const Tick step = timing_.precharge_length;
  const Tick span = step * static_cast<Tick>(channels_.size() - 1);
  const Tick least = timing_.refi / static_cast<Tick>(bank_count_);  // between two that are due
  if (constraints_.bus().one() || span + std::max(step, timing_.refresh_to_other_refresh) > least) return;
  Tick clear = floor_;
  std::uint64_t open = 0;
  for (const PseudoChannel& channel : channels_) {
    clear = std::max(clear, constraints_.refresh_gate(channel.number));
    open |= channel.open;
  }
  auto turn = static_cast<std::uint32_t>(refreshes_begun_ % bank_count_);
  const std::uint64_t begun = refreshes_begun_;
  for (; refresh_due_ >= clear && refresh_due_ + span <= until && (open & bit(turn)) == 0;
       refresh_due_ = refresh_tick(++refreshes_begun_)) {
    Bank* bank = &banks_[turn];
    const auto held = [&](const PseudoChannel& channel) { return bank[channel.first_bank].refresh > refresh_due_; };
    if (std::any_of(channels_.begin(), channels_.end(), held)) break;
    Tick t = refresh_due_;
    for (const PseudoChannel& channel : channels_) {
      Bank& mine = bank[channel.first_bank];
      mine.activate = std::max(mine.activate, t + timing_.refresh_bank_to_activate);
      mine.refresh = t + timing_.refresh_bank_to_refresh;
      occupied_.refresh(channel.number, t);
      t += step;
    }
    floor_ = refresh_due_ + span;
    turn = turn + 1 == bank_count_ ? 0 : turn + 1;
  }
  if (refreshes_begun_ == begun) return;
  statistics_.refreshes += (refreshes_begun_ - begun) * channels_.size();
  const std::uint32_t latest = turn == 0 ? bank_count_ - 1 : turn - 1;
  for (PseudoChannel& channel : channels_) {
    constraints_.refresh_bank(channel.number, banks_[channel.first_bank + latest],
                              floor_ - span + step * static_cast<Tick>(channel.number));
    forget(channel);
  }
}

// While nothing is queued and no bank has a next command, the refreshes of closed banks
// touch constraints alone: their ticks follow without a choice among commands. Stops before a
// refresh to an open row. Refreshes not issued by `until` or by the next due tick are left to
// the general path.
void Scheduler::refresh_idle_banks(Tick until) {
  if (refresh_ != Refresh::per_bank || !queue_.empty() || listener_.function != nullptr) return;
  const auto wants_something = [](const PseudoChannel& channel) {
    return channel.due != 0 || (channel.requested[refresh] | channel.requested[column] | channel.requested[activate] |
                                channel.requested[precharge]) != 0;
  };
  if (std::any_of(channels_.begin(), channels_.end(), wants_something)) return;
  refresh_in_time(until);
  while (refresh_due_ <= until) {
    const auto turn = static_cast<std::uint32_t>(refreshes_begun_ % bank_count_);
    std::uint64_t left = 0;  // pseudo-channels that have not issued it
    for (const PseudoChannel& channel : channels_) {
      if ((channel.open & bit(turn)) != 0) return;
      left |= std::uint64_t{1} << channel.number;
    }
    floor_ = std::max(floor_, refresh_due_);
    refresh_due_ = refresh_tick(++refreshes_begun_);
    while (left != 0) {
      Tick first = never;
      PseudoChannel* next = nullptr;
      for (std::uint64_t all = left; all != 0; all &= all - 1) {
        PseudoChannel& channel = channels_[static_cast<std::size_t>(std::countr_zero(all))];
        const Tick tick =
            slot<refresh>(channel, std::max(gate<refresh>(channel), banks_[channel.first_bank + turn].refresh));
        if (tick >= first) continue;
        first = tick;
        next = &channel;
      }
      if (first > until || first >= refresh_due_) break;
      floor_ = first;
      refresh_bank(*next, next->first_bank + turn, first);
      left &= ~(std::uint64_t{1} << next->number);
    }
    for (PseudoChannel& channel : channels_) {
      if ((left >> channel.number & 1U) != 0) {
        channel.due |= bit(turn);
        classify(channel, channel.first_bank + turn);
      }
      forget(channel);
    }
    if (left != 0) return;
  }
}

// A long idle time is not simulated refresh by refresh: its rows are closed, and only refreshes
// whose effect may still last are issued individually.
void Scheduler::skip_idle_refreshes(Tick until) {
  if (!queue_.empty() || listener_.function != nullptr) return;
  for (const PseudoChannel& channel : channels_) {
    if (channel.refreshing != 0 || channel.due != 0) return;
  }
  const bool per_bank = refresh_ == Refresh::per_bank;
  const Tick banks = per_bank ? static_cast<Tick>(bank_count_) : 1;  // refreshes of an interval
  const Tick lasting =
      timing_.activate_to_activate + (per_bank ? timing_.refresh_bank_to_refresh : timing_.refresh_all_to_refresh);
  if (until < refresh_due_ + lasting) return;
  // All that are due up to until - lasting: refresh_tick() of a number rounds down.
  const Tick due = ((until - lasting - refresh_phase_ + 1) * banks - 1) / timing_.refi + 1;
  const Tick skipped = due - static_cast<Tick>(refreshes_begun_);
  for (PseudoChannel& channel : channels_) {
    // Only open rows can be closed; of these, those whose bank was refreshed.
    for (std::uint64_t left = channel.open; left != 0; left &= left - 1) {
      const std::uint32_t bank = channel.bank(left);
      const std::uint64_t turn = (within(bank) + bank_count_ - refreshes_begun_ % bank_count_) % bank_count_;
      if (per_bank && turn >= static_cast<std::uint64_t>(skipped)) continue;
      set_row(channel, bank, closed_row);
      classify(channel, bank);
    }
    forget(channel);
  }
  refreshes_begun_ += static_cast<std::uint64_t>(skipped);
  statistics_.refreshes += static_cast<std::uint64_t>(skipped) * channels_.size();
  refresh_due_ = refresh_tick(refreshes_begun_);
}

}  // namespace strata::dram
