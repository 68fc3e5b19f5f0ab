// SPDX-License-Identifier: Apache-2.0
// The effect of an issued command on the banks, the requests and the statistics.
#include "dram/scheduler/scheduler.hpp"

#include <algorithm>
#include <bit>

namespace strata::dram {

void Scheduler::tell_run(Tick first, Tick last, std::uint32_t bank, std::uint32_t row, std::uint32_t bursts) {
  if (listener_.function == nullptr) return;
  const Tick pace = bursts > 1 ? (last - first) / static_cast<Tick>(bursts - 1) : 0;
  for (std::uint32_t i = 0; i < bursts; ++i) {
    tell(first + pace * static_cast<Tick>(i), writing_ ? CommandKind::write : CommandKind::read, bank, row);
  }
}

namespace {
// A command that is chosen while a bus is busy waits for the bus. By then an older request may
// be ready, so the choice is repeated, but only when the bus is free.
void overtake(PseudoChannel& channel, std::size_t kind, Tick free) {
  if (channel.key[kind] >= PseudoChannel::key_of(free, 0)) return;
  channel.set(kind, free);
  channel.overtaken |= bit_of(kind);
  channel.stale |= moved;
}
}  // namespace

inline void Scheduler::forget_overtaken_columns() {
  for (PseudoChannel& channel : channels_) {
    if ((channel.stale & bit_of(column)) == 0) {
      overtake(channel, column, constraints_.bus().column_slot(channel.number, channel.tick(column)));
    }
    if (!constraints_.bus().one()) continue;
    for (const std::size_t kind : {refresh, activate, precharge}) {
      overtake(channel, kind, constraints_.bus().row_slot(channel.tick(kind), row_length(kind)));
    }
  }
}

void Scheduler::forget_overtaken_rows() {
  const Tick free = constraints_.bus().free();
  for (PseudoChannel& channel : channels_) {
    if (!constraints_.bus().one()) {
      for (const std::size_t kind : {refresh, activate, precharge}) overtake(channel, kind, free);
      continue;
    }
    for (const std::size_t kind : {refresh, activate, precharge}) {
      overtake(channel, kind, constraints_.bus().row_slot(std::max(channel.tick(kind), free), row_length(kind)));
    }
    overtake(channel, column, constraints_.bus().column_slot(channel.number, std::max(channel.tick(column), free)));
  }
}

void Scheduler::set_row(PseudoChannel& channel, std::uint32_t bank, std::uint32_t row) {
  channel.row_reserved &= ~bit(bank);
  if (row == closed_row) {
    channel.open &= ~bit(bank);
  } else {
    channel.open |= bit(bank);
  }
  queue_.change_row(banks_[bank], row);
}

void Scheduler::issue() {
  const Tick t = choice_.tick;
  PseudoChannel& channel = *choice_.channel;
  const std::uint32_t bank = channel.first[choice_.kind];
  floor_ = t;
  settled_ = false;
  channel.stale |= bit_of(choice_.kind);
  switch (choice_.kind) {
    case refresh:
      return issue_refresh(channel, bank, t);
    case column:
      return issue_column(channel, bank, t);
    case activate:
      return issue_activate(channel, bank, t);
    case precharge:
      return issue_precharge(channel, bank, t);
  }
}

void Scheduler::issue_activate(PseudoChannel& channel, std::uint32_t bank, Tick t) {
  Entry& entry = queue_.entry(opens_for(bank));
  if (entry.outcome == Outcome::unknown) {
    entry.outcome = Outcome::closed;
    ++statistics_.row_closed;
  }
  Request& request = queue_.request(entry.request);
  request.first_command = std::min(request.first_command, t);
  ++statistics_.activates;
  ++activates_[bank];
  tell(t, CommandKind::activate, bank, entry.row);
  constraints_.activate(channel.number, banks_[bank], entry.write, t);
  if (timing_.activate_to_other_activate != 0) hold_other_stacks(channel, bank, t);
  occupied_.activate(channel.number, t);
  set_row(channel, bank, entry.row);
  channel.row_reserved |= bit(bank);
  channel.stale |= bit_of(refresh);
  classify(channel, bank);
  forget_overtaken_rows();
}

// The first ACT is looked for again after each ACT, so what it knew of these banks need not be forgotten.
void Scheduler::hold_other_stacks(PseudoChannel& channel, std::uint32_t bank, Tick t) {
  const std::uint32_t apart = constraints_.banks_of_stack();
  for (std::uint32_t other = within(bank) % apart; other < bank_count_; other += apart) {
    if (other == within(bank)) continue;
    Bank& held = banks_[channel.first_bank + other];
    constraints_.activated_in_other_stack(held, t);
    if ((held.requested & bit_of(activate)) == 0) continue;
    Tick& ready = channel.next_command(activate, channel.first_bank + other).ready;
    ready = std::max(ready, held.activate);
  }
}

void Scheduler::issue_precharge(PseudoChannel& channel, std::uint32_t bank, Tick t) {
  const std::uint16_t head = opens_for(bank);
  if (head != no_entry && (channel.due & bit(bank)) == 0) {
    Entry& entry = queue_.entry(head);
    if (entry.outcome == Outcome::unknown) {
      entry.outcome = Outcome::conflict;
      ++statistics_.row_conflicts;
    }
    Request& request = queue_.request(entry.request);
    request.first_command = std::min(request.first_command, t);
  }
  ++statistics_.precharges;
  tell(t, CommandKind::precharge, bank, 0);
  constraints_.precharge(channel.number, banks_[bank], t);
  set_row(channel, bank, closed_row);
  classify(channel, bank);
  forget_overtaken_rows();
}

void Scheduler::issue_refresh(PseudoChannel& channel, std::uint32_t bank, Tick t) {
  const std::uint32_t end = channel.first_bank + bank_count_;
  if (channel.refreshing == 0) {
    tell(t, CommandKind::refresh_bank, bank, 0);
    refresh_bank(channel, bank, t);
    channel.due &= ~bit(bank);
    classify(channel, bank);
    forget(channel);
  } else if (channel.open != 0) {
    ++statistics_.precharges;
    tell(t, CommandKind::precharge_all, bank, 0);
    constraints_.precharge_all(channel.number, t);
    for (std::uint32_t b = channel.first_bank; b < end; ++b) constraints_.precharged(banks_[b], t);
    for (std::uint64_t left = channel.open; left != 0; left &= left - 1)
      set_row(channel, channel.bank(left), closed_row);
    classify_all(channel);
  } else {
    ++statistics_.refreshes;
    tell(t, CommandKind::refresh_all, bank, 0);
    constraints_.refresh_all(t);
    occupied_.refresh(channel.number, t);
    for (std::uint32_t b = channel.first_bank; b < end; ++b) constraints_.refreshed(banks_[b], t);
    --channel.refreshing;
    classify_all(channel);
    forget(channel);
  }
  forget_overtaken_rows();
}

void Scheduler::note_served(const Request& request, Tick t) {
  bool changed = blacklist_.empty_at(t);
  if (!request.write && request.transaction != nullptr)
    changed = blacklist_.served(request.transaction->core) || changed;
  if (!changed) return;
  for (PseudoChannel& channel : channels_) {
    classify_all(channel);
    forget(channel);
  }
}

// All bursts of an entry are issued as one run; without runs an entry has one.
void Scheduler::issue_column(PseudoChannel& channel, std::uint32_t bank, Tick t) {
  const bool write = writing_;
  Bank& b = banks_[bank];
  const std::uint16_t index = b.column_entry;
  const Entry& entry = queue_.entry(index);
  const std::uint32_t bursts = entry.bursts;
  if (entry.outcome == Outcome::unknown) ++statistics_.row_hits;
  const Tick last = constraints_.column(channel.number, b, write, t, bursts);
  occupied_.column(channel.number, write, t, bursts);
  tell_run(t, last, bank, entry.row, bursts);
  channel.row_reserved &= ~bit(bank);
  (write ? statistics_.write_bursts : statistics_.read_bursts) += bursts;
  const std::uint16_t request_index = entry.request;
  Request& request = queue_.request(request_index);
  __builtin_prefetch(request.transaction);  // it is answered below
  request.first_command = std::min(request.first_command, t);
  request.last_column = std::max(request.last_column, last);
  if (!overtaken_.empty())
    overtaken_[bank] = static_cast<std::uint16_t>(index == b.lists[write].head ? 0 : overtaken_[bank] + 1);
  queue_.remove(index);
  if (b.lists[write].head == no_entry) channel.queued[write] &= ~bit(bank);
  const bool done = --request.parts == 0;
  if (done && !write && starved_reads_ > 0) --starved_reads_;
  classify(channel, bank);
  if (write && constraints_.bounds_write_rows()) channel.stale |= bit_of(activate);
  if (channel.refreshing != 0) forget(channel);
  forget_overtaken_columns();
  if (!done) return;
  statistics_.writes += write ? 1 : 0;
  statistics_.reads += write ? 0 : 1;
  queued_ticks_ += t;
  if (policy_.blacklists) note_served(request, t);
  queue_.close_request(request_index);
  choose_direction();
  served_.function(served_.self, request, t);  // it is valid until another replaces it
}

}  // namespace strata::dram
