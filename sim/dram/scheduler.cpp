// SPDX-License-Identifier: Apache-2.0
#include "dram/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace strata::dram {
namespace {

constexpr std::uint64_t youngest = std::numeric_limits<std::uint64_t>::max();

const ChannelSpec& checked(const ChannelSpec& spec) {
  const std::vector<std::string> wrong = problems(spec);
  if (!wrong.empty()) throw std::invalid_argument("DRAM channel: " + wrong.front());
  return spec;
}

}  // namespace

Scheduler::Scheduler(const ChannelSpec& spec, Tick refresh_phase, Served served)
    : timing_(checked(spec).timing),
      policy_(*find_policy(spec.controller.scheduler)),
      close_idle_rows_(spec.controller.page_policy == PagePolicy::closed),
      finish_drains_(spec.controller.finish_drains),
      refresh_(spec.controller.refresh),
      read_queue_(spec.controller.read_queue),
      write_queue_(spec.controller.write_queue),
      write_high_(spec.controller.write_high),
      write_low_(spec.controller.write_low),
      starvation_(static_cast<Tick>(std::llround(spec.controller.starvation.value)) * timing_.per_clock),
      access_bytes_(spec.organisation.access.value),
      banks_(spec.organisation.stack_ids * spec.organisation.bank_groups * spec.organisation.banks_per_group),
      refresh_phase_(refresh_phase),
      served_(served),
      constraints_(timing_, spec.organisation, spec.timing.one_command_bus),
      queue_(banks_ * spec.organisation.pseudo_channels, read_queue_, write_queue_),
      channels_(spec.organisation.pseudo_channels) {
  const std::size_t banks = std::size_t{banks_} * channels_.size();
  row_.resize(banks, closed_row);
  for (std::vector<Wish>& wishes : wish_) wishes.resize(banks);
  column_entry_.resize(banks, no_entry);
  if (refresh_ != Refresh::none) refresh_due_ = refresh_tick(0);
}

// ---- what each bank wants ---------------------------------------------------

void Scheduler::want(PseudoChannel& channel, Kind kind, std::uint32_t bank, Tick ready, std::uint64_t age) {
  channel.wants[kind] |= bit(bank);
  wish_[kind][bank] = {ready, age};
  Candidate& first = channel.first[kind];
  if (first.stale) return;
  if (kind == refresh || channel.refreshing != 0 || policy_.data_in_order) {
    first.stale = true;
    return;
  }
  const std::uint32_t number = channel_of(bank);
  const Tick tick = legal(kind, bank, std::max({ready, gate(kind, number), floor_}));
  if (tick > first.tick || (tick == first.tick && age >= first.age)) return;
  first.tick = tick;
  first.age = age;
  first.bank = bank;
}

void Scheduler::classify(std::uint32_t bank) {
  PseudoChannel& channel = channels_[channel_of(bank)];
  const std::uint64_t mask = bit(bank);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if ((channel.wants[kind] & mask) == 0) continue;
    channel.wants[kind] &= ~mask;
    if (channel.first[kind].bank == bank) channel.first[kind].stale = true;
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
    if (close_idle_rows_ && queue_.hits(!writing_, bank) == 0) {
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

void Scheduler::classify_all(std::uint32_t channel) {
  for (std::uint32_t bank = channel * banks_; bank < (channel + 1) * banks_; ++bank) classify(bank);
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

void Scheduler::find_refresh(std::uint32_t channel, Candidate& candidate) {
  PseudoChannel& state = channels_[channel];
  const std::uint32_t first = channel * banks_;
  if (state.refreshing == 0) {
    for (std::uint64_t left = state.wants[refresh]; left != 0; left &= left - 1) {
      const std::uint32_t bank = first + static_cast<std::uint32_t>(std::countr_zero(left));
      const Tick tick = std::max({wish_[refresh][bank].ready, constraints_.refresh_gate(channel), floor_});
      if (tick >= candidate.tick) continue;
      candidate.tick = tick;
      candidate.age = 0;
      candidate.bank = bank;
    }
    return;
  }
  if ((state.promised & state.wants[column]) != 0) return;
  Tick tick = std::max(floor_, constraints_.row_bus_free());
  if (state.open != 0) {
    tick = std::max(tick, constraints_.precharge_gate(channel));
    for (std::uint64_t left = state.open; left != 0; left &= left - 1) {
      tick = std::max(tick, constraints_.precharge_at(first + static_cast<std::uint32_t>(std::countr_zero(left))));
    }
  } else {
    for (std::uint32_t bank = first; bank < first + banks_; ++bank) {
      tick = std::max(tick, constraints_.refresh_at(bank));
    }
  }
  candidate.tick = tick;
  candidate.age = 0;
  candidate.bank = first;
}

void Scheduler::find(std::uint32_t channel, Kind kind) {
  PseudoChannel& state = channels_[channel];
  Candidate& first = state.first[kind];
  first.stale = false;
  first.overtaken = false;
  first.tick = never;
  switch (kind) {
    case refresh: find_refresh(channel, first); break;
    case column: {
      std::uint64_t banks = state.wants[column];
      if (state.refreshing != 0) {
        banks &= state.promised;
      } else if (policy_.data_in_order && banks != 0) {
        banks &= in_order(channel);
      }
      scan<column>(channel, banks, first);
      break;
    }
    case activate:
      if (state.refreshing == 0) scan<activate>(channel, state.wants[activate], first);
      break;
    case precharge:
      if (state.refreshing == 0) scan<precharge>(channel, state.wants[precharge], first);
      break;
  }
}

template <Scheduler::Kind kind>
void Scheduler::scan(std::uint32_t channel, std::uint64_t banks, Candidate& best) const {
  const std::uint32_t first = channel * banks_;
  const Tick open = std::max(gate(kind, channel), floor_);
  const Wish* const wishes = wish_[kind].data() + first;
  Tick best_tick = never;
  std::uint64_t best_age = youngest;
  std::uint32_t best_bank = 0;
  for (; banks != 0; banks &= banks - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(banks));
    const Tick tick = legal(kind, first + i, std::max(wishes[i].ready, open));
    const std::uint64_t age = wishes[i].age;
    const bool better = tick < best_tick || (tick == best_tick && age < best_age);
    best_tick = better ? tick : best_tick;
    best_age = better ? age : best_age;
    best_bank = better ? i : best_bank;
  }
  best.tick = best_tick;
  best.age = best_age;
  best.bank = first + best_bank;
}

Scheduler::Choice Scheduler::choose() {
  const auto channels = static_cast<std::uint32_t>(channels_.size());
  while (true) {
    Tick tick = never;
    std::uint64_t age = 0;
    std::uint32_t chosen = 0;
    Kind chosen_kind = refresh;
    for (std::uint32_t c = 0; c < channels; ++c) {
      PseudoChannel& channel = channels_[c];
      for (std::size_t k = 0; k < kinds; ++k) {
        const Kind kind = static_cast<Kind>(k);
        const Candidate& candidate = channel.first[k];
        if (candidate.stale) find(c, kind);
        if (candidate.tick > tick || candidate.tick == never) continue;
        if (candidate.tick < tick || kind < chosen_kind || (kind == chosen_kind && candidate.age < age)) {
          tick = candidate.tick;
          age = candidate.age;
          chosen = c;
          chosen_kind = kind;
        }
      }
    }
    if (tick == never || !channels_[chosen].first[chosen_kind].overtaken) return {tick, chosen, chosen_kind};
    find(chosen, chosen_kind);
  }
}

// ---- issue ------------------------------------------------------------------

void Scheduler::tell(Tick t, CommandKind kind, std::uint32_t channel, std::uint32_t bank, std::int64_t row) {
  if (listener_.function == nullptr) return;
  listener_.function(listener_.self, {t, kind, channel, bank - channel * banks_, static_cast<std::uint32_t>(row)});
}

void Scheduler::forget(std::uint32_t channel) {
  for (Candidate& candidate : channels_[channel].first) candidate.stale = true;
}

// What was to go out while the bus is taken waits for the bus. By then an older
// request may be ready, so its turn is chosen anew, but only once it comes.
void Scheduler::forget_overtaken() {
  const Tick row_free = constraints_.row_bus_free();
  const Tick column_free = constraints_.column_bus_free();
  for (PseudoChannel& channel : channels_) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      Candidate& candidate = channel.first[kind];
      const Tick free = kind == column ? column_free : row_free;
      if (candidate.tick >= free) continue;
      candidate.tick = free;
      candidate.overtaken = true;
    }
  }
}

void Scheduler::set_row(std::uint32_t bank, std::int64_t row) {
  PseudoChannel& channel = channels_[channel_of(bank)];
  row_[bank] = row;
  channel.promised &= ~bit(bank);
  if (row == closed_row) {
    channel.open &= ~bit(bank);
  } else {
    channel.open |= bit(bank);
  }
  queue_.row_changed(bank, row);
}

void Scheduler::issue(const Choice& choice) {
  const Tick t = choice.tick;
  const std::uint32_t bank = channels_[choice.channel].first[choice.kind].bank;
  floor_ = std::max(floor_, t);
  channels_[choice.channel].first[choice.kind].stale = true;
  switch (choice.kind) {
    case refresh: issue_refresh(choice.channel, bank, t); break;
    case column: issue_column(choice.channel, bank, t); break;
    case activate: issue_activate(choice.channel, bank, t); break;
    case precharge: issue_precharge(choice.channel, bank, t); break;
  }
}

void Scheduler::issue_activate(std::uint32_t channel, std::uint32_t bank, Tick t) {
  Entry& entry = queue_.entry(queue_.head(writing_, bank));
  if (entry.outcome == Outcome::unknown) {
    entry.outcome = Outcome::closed;
    ++statistics_.row_closed;
  }
  Request& request = queue_.request(entry.request);
  request.first_command = std::min(request.first_command, t);
  ++statistics_.activates;
  tell(t, CommandKind::activate, channel, bank, entry.row);
  constraints_.activate(channel, bank, t);
  set_row(bank, entry.row);
  channels_[channel].promised |= bit(bank);
  channels_[channel].first[refresh].stale = true;
  classify(bank);
  forget_overtaken();
}

void Scheduler::issue_precharge(std::uint32_t channel, std::uint32_t bank, Tick t) {
  const std::uint16_t head = queue_.head(writing_, bank);
  if (head != no_entry && (channels_[channel].due & bit(bank)) == 0) {
    Entry& entry = queue_.entry(head);
    if (entry.outcome == Outcome::unknown) {
      entry.outcome = Outcome::conflict;
      ++statistics_.row_conflicts;
    }
    Request& request = queue_.request(entry.request);
    request.first_command = std::min(request.first_command, t);
  }
  ++statistics_.precharges;
  tell(t, CommandKind::precharge, channel, bank, 0);
  constraints_.precharge(channel, bank, t);
  set_row(bank, closed_row);
  classify(bank);
  forget_overtaken();
}

void Scheduler::issue_refresh(std::uint32_t channel, std::uint32_t bank, Tick t) {
  PseudoChannel& state = channels_[channel];
  if (state.refreshing == 0) {
    ++statistics_.refreshes;
    tell(t, CommandKind::refresh_bank, channel, bank, 0);
    constraints_.refresh_bank(channel, bank, t);
    state.due &= ~bit(bank);
    classify(bank);
    forget(channel);
  } else if (state.open != 0) {
    ++statistics_.precharges;
    tell(t, CommandKind::precharge_all, channel, bank, 0);
    constraints_.precharge_all(channel, t);
    for (std::uint64_t left = state.open; left != 0; left &= left - 1) {
      set_row(channel * banks_ + static_cast<std::uint32_t>(std::countr_zero(left)), closed_row);
    }
    classify_all(channel);
  } else {
    ++statistics_.refreshes;
    tell(t, CommandKind::refresh_all, channel, bank, 0);
    constraints_.refresh_all(channel, t);
    --state.refreshing;
    classify_all(channel);
    forget(channel);
  }
  forget_overtaken();
}

void Scheduler::issue_column(std::uint32_t channel, std::uint32_t bank, Tick t) {
  const bool write = writing_;
  const std::uint16_t index = column_entry_[bank];
  Entry& entry = queue_.entry(index);
  if (entry.outcome == Outcome::unknown) {
    entry.outcome = Outcome::hit;
    ++statistics_.row_hits;
  }
  tell(t, write ? CommandKind::write : CommandKind::read, channel, bank, entry.row);
  constraints_.column(channel, bank, write, t);
  channels_[channel].promised &= ~bit(bank);
  ++(write ? statistics_.write_bursts : statistics_.read_bursts);
  (write ? statistics_.bytes_written : statistics_.bytes_read) += access_bytes_;
  statistics_.data_busy += timing_.burst;
  const std::uint16_t request_index = entry.request;
  Request& request = queue_.request(request_index);
  request.first_command = std::min(request.first_command, t);
  request.last_column = t;
  request.last_data = std::max(request.last_data, t + timing_.column_to_data_end[write]);
  bool done = false;
  if (--entry.bursts == 0) {
    queue_.remove(index, row_[bank]);
    done = --request.parts == 0;
  }
  classify(bank);
  if (channels_[channel].refreshing != 0) forget(channel);
  forget_overtaken();
  if (!done) return;
  ++(write ? statistics_.writes : statistics_.reads);
  const Request finished = request;
  count_queue(t);
  queue_.close_request(request_index);
  choose_direction();
  served_.function(served_.self, finished);
}

// ---- the queue --------------------------------------------------------------

void Scheduler::count_queue(Tick t) {
  statistics_.queued_ticks += static_cast<double>(t - counted_until_) *
                              static_cast<double>(queue_.size(false) + queue_.size(true));
  counted_until_ = t;
}

void Scheduler::add(memory::Transaction& transaction, bool write, const Part* parts, std::size_t count,
                    Tick accepted) {
  count_queue(accepted);
  Request request;
  request.transaction = &transaction;
  request.accepted = accepted;
  request.parts = static_cast<std::uint8_t>(count);
  request.write = write;
  const std::uint16_t request_index = queue_.open_request(request);
  const std::uint64_t age = arrivals_++;
  for (std::size_t i = 0; i < count; ++i) {
    Entry entry;
    entry.age = age;
    entry.eligible = accepted + 1;
    entry.bank = parts[i].pseudo_channel * banks_ + parts[i].bank;
    entry.row = parts[i].row;
    entry.request = request_index;
    entry.bursts = parts[i].bursts;
    entry.write = write;
    // Behind others of its bank it changes nothing, unless it is the first hit.
    const std::int64_t row = row_[entry.bank];
    const bool unseen = write != writing_ && !close_idle_rows_;
    const bool behind = write == writing_ && queue_.head(write, entry.bank) != no_entry &&
                        (entry.row != row || queue_.hits(write, entry.bank) > 0);
    queue_.add(entry, row);
    if (!unseen && !behind) classify(entry.bank);
  }
  choose_direction();
}

// Reads first. Writes go when none waits, or in a drain from write_high down
// to write_low; a read that arrives outside a drain turns the bus at once,
// unless drains are finished whatever began them.
void Scheduler::choose_direction() {
  const std::uint32_t reads = queue_.size(false);
  const std::uint32_t writes = queue_.size(true);
  if (writes >= write_high_) draining_ = true;
  if (writes == 0 || (writes <= write_low_ && reads > 0)) draining_ = false;
  const bool write = draining_ || (reads == 0 && writes > 0);
  if (write && finish_drains_) draining_ = true;
  if (write == writing_) return;
  writing_ = write;
  if (write) ++statistics_.write_drains;
  for (std::uint32_t channel = 0; channel < channels_.size(); ++channel) {
    channels_[channel].promised = 0;
    classify_all(channel);
    forget(channel);
  }
}

void Scheduler::touch(std::uint32_t pseudo_channel, std::uint32_t bank, std::uint32_t row) {
  if (close_idle_rows_) return;
  set_row(pseudo_channel * banks_ + bank, row);
  forget(pseudo_channel);
}

// ---- time -------------------------------------------------------------------

Tick Scheduler::refresh_tick(std::uint64_t number) const {
  const auto n = static_cast<Tick>(number);
  return refresh_phase_ + (refresh_ == Refresh::per_bank ? n * timing_.refi / static_cast<Tick>(banks_)
                                                         : n * timing_.refi);
}

void Scheduler::begin_refresh() {
  floor_ = std::max(floor_, refresh_due_);
  for (std::uint32_t channel = 0; channel < channels_.size(); ++channel) {
    if (refresh_ == Refresh::all_bank) {
      ++channels_[channel].refreshing;
    } else {
      const std::uint32_t bank = channel * banks_ + static_cast<std::uint32_t>(refreshes_begun_ % banks_);
      channels_[channel].due |= bit(bank);
      classify(bank);
    }
    forget(channel);
  }
  refresh_due_ = refresh_tick(++refreshes_begun_);
}

// A long idle time is not walked refresh by refresh: the rows that it closes
// are closed, and only its last refreshes, whose effect may still last, are
// issued one by one.
void Scheduler::skip_idle_refreshes(Tick until) {
  if (queue_.size(false) + queue_.size(true) != 0 || listener_.function != nullptr) return;
  for (const PseudoChannel& channel : channels_) {
    if (channel.refreshing != 0 || channel.due != 0) return;
  }
  const bool per_bank = refresh_ == Refresh::per_bank;
  const Tick interval = per_bank ? std::max<Tick>(1, timing_.refi / static_cast<Tick>(banks_)) : timing_.refi;
  const Tick lasting = timing_.activate_to_activate +
                       (per_bank ? timing_.refresh_bank_to_refresh : timing_.refresh_all_to_refresh);
  const Tick skipped = (until - refresh_due_ - lasting) / interval - 1;
  if (skipped <= 0) return;
  for (std::uint32_t channel = 0; channel < channels_.size(); ++channel) {
    const Tick closed = per_bank ? std::min<Tick>(skipped, banks_) : banks_;
    for (Tick i = 0; i < closed; ++i) {
      const std::uint64_t bank = per_bank ? (refreshes_begun_ + static_cast<std::uint64_t>(i)) % banks_
                                          : static_cast<std::uint64_t>(i);
      set_row(channel * banks_ + static_cast<std::uint32_t>(bank), closed_row);
      classify(channel * banks_ + static_cast<std::uint32_t>(bank));
    }
    forget(channel);
  }
  refreshes_begun_ += static_cast<std::uint64_t>(skipped);
  statistics_.refreshes += static_cast<std::uint64_t>(skipped) * channels_.size();
  refresh_due_ = refresh_tick(refreshes_begun_);
}

void Scheduler::advance(Tick until) {
  if (refresh_due_ <= until) skip_idle_refreshes(until);
  while (true) {
    const Choice choice = choose();
    if (refresh_due_ <= until && refresh_due_ <= choice.tick) {
      begin_refresh();
      continue;
    }
    if (choice.tick > until) break;
    issue(choice);
  }
  floor_ = std::max(floor_, until + 1);
}

Tick Scheduler::next_column() {
  if (queue_.size(false) + queue_.size(true) == 0) return never;
  choose();
  const Tick opening = timing_.activate_to_column[writing_];
  Tick earliest = never;
  for (const PseudoChannel& channel : channels_) {
    const Tick activated = std::min(
        channel.first[activate].tick,
        timing_.rising_edge(channel.first[precharge].tick + timing_.precharge_to_activate));
    earliest = std::min({earliest, channel.first[column].tick, timing_.rising_edge(activated + opening),
                         channel.first[refresh].tick + 1});
  }
  return std::max(floor_, std::min(earliest, refresh_due_));
}

}  // namespace strata::dram
