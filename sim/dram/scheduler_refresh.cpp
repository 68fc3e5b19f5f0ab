// SPDX-License-Identifier: Apache-2.0
// Refresh: when it is due, and how idle times are caught up with.
#include "dram/scheduler.hpp"

#include <algorithm>
#include <bit>

namespace strata::dram {

Tick Scheduler::refresh_tick(std::uint64_t number) const {
  const auto n = static_cast<Tick>(number);
  return refresh_phase_ + (refresh_ == Refresh::per_bank ? n * timing_.refi / static_cast<Tick>(bank_count_)
                                                         : n * timing_.refi);
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

// A long idle time is not walked refresh by refresh: the rows that it closes
// are closed, and only refreshes whose effect may still last are issued one by
// one.
void Scheduler::skip_idle_refreshes(Tick until) {
  if (!queue_.empty() || listener_.function != nullptr) return;
  for (const PseudoChannel& channel : channels_) {
    if (channel.refreshing != 0 || channel.due != 0) return;
  }
  const bool per_bank = refresh_ == Refresh::per_bank;
  const Tick interval = per_bank ? std::max<Tick>(1, timing_.refi / static_cast<Tick>(bank_count_)) : timing_.refi;
  const Tick lasting = timing_.activate_to_activate +
                       (per_bank ? timing_.refresh_bank_to_refresh : timing_.refresh_all_to_refresh);
  if (until < refresh_due_ + lasting) return;
  const Tick skipped = (until - refresh_due_ - lasting) / interval + 1;
  for (PseudoChannel& channel : channels_) {
    // Only open rows can be closed; of these, those whose turn came.
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
