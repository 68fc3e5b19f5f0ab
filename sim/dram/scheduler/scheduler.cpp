// SPDX-License-Identifier: Apache-2.0
#include "dram/scheduler/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "dram/page_policies.hpp"

namespace strata::dram {
namespace {

// Blocks of four bursts that all pseudo-channels move while one row is closed
// and another opened.
std::uint32_t requests_in_a_row_cycle(const ChannelSpec& spec) {
  const TimingSpec& t = spec.timing;
  const double blocks = (t.t_rp + t.t_rcd_read).value / (4 * t.burst.value);
  return static_cast<std::uint32_t>(std::ceil(blocks)) * spec.organisation.pseudo_channels;
}

}  // namespace

Scheduler::Scheduler(const ChannelSpec& spec, const Timing& timing, Tick refresh_phase, std::uint32_t parts,
                     Served served)
    : timing_(timing),
      policy_(*find_policy(spec.controller.scheduler)),
      close_idle_rows_(spec.controller.page_policy != PagePolicy::open),
      row_timeout_(row_of(spec.controller.page_policy).reads_row_timeout
                       ? static_cast<Tick>(std::llround(spec.controller.row_timeout.value)) * timing_.per_clock
                       : 0),
      finish_drains_(spec.controller.finish_drains),
      turn_near_(spec.controller.open_ahead ? requests_in_a_row_cycle(spec) : 0),
      refresh_(spec.controller.refresh),
      read_queue_(spec.controller.read_queue),
      write_queue_(spec.controller.write_queue),
      write_high_(spec.controller.write_high),
      write_low_(spec.controller.write_low),
      starvation_(static_cast<Tick>(std::llround(spec.controller.starvation.value)) * timing_.per_clock),
      hit_cap_(spec.controller.hit_cap),
      access_bytes_(spec.organisation.access.value),
      bank_count_(spec.organisation.stack_ids * spec.organisation.bank_groups * spec.organisation.banks_per_group),
      refresh_phase_(refresh_phase),
      served_(served),
      constraints_(timing_, spec.organisation, spec.timing.one_command_bus, spec.controller.write_rows.value_or(0)),
      banks_(std::size_t{bank_places} * spec.organisation.pseudo_channels),
      activates_(banks_.size()),
      group_of_(banks_.size()),
      blacklist_(spec.controller.blacklist_after,
                 static_cast<Tick>(std::llround(spec.controller.blacklist_interval.value)) * timing_.per_clock),
      queue_(banks_, read_queue_, write_queue_, parts),
      occupied_(timing_, spec.organisation, refresh_ == Refresh::per_bank) {
  for (std::uint32_t c = 0; c < spec.organisation.pseudo_channels; ++c) channels_.emplace_back(c);
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) {
    if (within(bank) >= bank_count_) continue;
    banks_[bank].group = group_of_[bank] = constraints_.group_of(bank);
  }
  if (policy_.hits_counted) overtaken_.resize(banks_.size());
  if (refresh_ != Refresh::none) refresh_due_ = refresh_tick(0);
}

void Scheduler::add(memory::Transaction* transaction, bool write, const Part* parts, std::size_t count, Tick accepted) {
  const std::uint16_t request = open(transaction, write, count, accepted);
  for (std::size_t i = 0; i < count; ++i) add_part(request, write, parts[i], accepted);
  choose_direction();
}

void Scheduler::add_part(std::uint16_t request, bool write, const Part& part, Tick accepted) {
  PseudoChannel& channel = channels_[part.at.pseudo_channel];
  const std::uint32_t number = part.at.pseudo_channel * bank_places + part.at.bank;
  Bank& bank = banks_[number];
  // Behind others of its bank it has no effect, unless it is the first hit.
  const bool unseen = write != writing_ && !close_idle_rows_ && !ahead_;
  const bool behind = write == writing_ && !policy_.blacklists && bank.lists[write].head != no_entry &&
                      (part.at.row != bank.row || bank.lists[write].hits > 0);
  queue_.add(bank, static_cast<std::uint8_t>(number), part.at.row, write, accepted + 1, request, part.bursts);
  channel.queued[write] |= bit(number);
  if (!unseen && !behind) classify(channel, number);
}

// Reads have priority. Writes are issued when no read waits, or in a drain from write_high down
// to write_low; a read that arrives outside a drain turns the bus at once, unless all drains
// are finished. Writes that have waited for the starvation bound since their last drain are all
// drained. Reads that have waited for it during a drain, which new writes may prolong, are all
// issued next.
void Scheduler::weigh_directions() {
  const std::uint32_t reads = queue_.size(false);
  const std::uint32_t writes = queue_.size(true);
  if (writes >= write_high_ && !draining_) {
    draining_ = true;
    drain_to_ = write_low_;
  }
  if (!writing_ && writes > 0 && floor_ - writes_wait_since_ > starvation_) {
    draining_ = true;
    drain_to_ = 0;
  }
  if (writing_ && reads > 0 && floor_ - reads_wait_since_ > starvation_) starved_reads_ = reads;
  if (reads == 0) starved_reads_ = 0;
  if (writes == 0 || (writes <= drain_to_ && reads > 0) || starved_reads_ > 0) draining_ = false;
  const bool write = draining_ || (reads == 0 && writes > 0);
  if (write && finish_drains_ && !draining_) {
    draining_ = true;
    drain_to_ = write_low_;
  }
  if (write == writing_) return look_ahead();
  writing_ = write;
  constraints_.turn(write);
  ahead_ = false;
  writes_wait_since_ = reads_wait_since_ = floor_;
  if (write) ++statistics_.write_drains;
  for (PseudoChannel& channel : channels_) {
    channel.row_reserved = 0;
    classify_all(channel);
    forget(channel);
  }
}

// The turnaround is near when few reads, or few writes of the drain, are left, or when few more
// writes begin a drain.
void Scheduler::look_ahead() {
  const std::uint32_t reads = queue_.size(false);
  const std::uint32_t writes = queue_.size(true);
  const bool near = writing_ ? reads > 0 && writes < drain_to_ + turn_near_
                             : writes > 0 && (reads < turn_near_ || writes + turn_near_ > write_high_);
  const bool ahead = near && turn_near_ > 0;
  if (ahead == ahead_) return;
  ahead_ = ahead;
  for (PseudoChannel& channel : channels_) {
    const std::uint64_t banks = channel.queued[!writing_] & ~channel.queued[writing_];
    for (std::uint64_t left = banks; left != 0; left &= left - 1) classify(channel, channel.bank(left));
  }
}

void Scheduler::touch(const Place& at) {
  if (close_idle_rows_ && row_timeout_ == 0) return;
  PseudoChannel& channel = channels_[at.pseudo_channel];
  set_row(channel, channel.first_bank + at.bank, at.row);
  forget(channel);
}

// By tick, then kind, then age.
inline void Scheduler::choose() {
  if (settled_) return;
  settled_ = true;
  while (true) {
    PseudoChannel* best = channels_.data();
    if (best->stale != 0) settle(*best);
    for (PseudoChannel *channel = best + 1, *end = best + channels_.size(); channel != end; ++channel) {
      if (channel->stale != 0) settle(*channel);
      const auto kind = static_cast<std::size_t>(channel->next) % kinds;
      if (channel->next < best->next || (channel->next == best->next && channel->age[kind] < best->age[kind])) {
        best = channel;
      }
    }
    const auto kind = static_cast<Kind>(static_cast<std::size_t>(best->next) % kinds);
    const Tick tick = best->next >> 2U;
    if ((best->overtaken >> kind & 1U) == 0 || tick >= never) {
      choice_ = {tick, best, kind};
      return;
    }
    best->stale = bit_of(kind);
  }
}

void Scheduler::advance(Tick until) {
  while (true) {
    // Refreshes that an earlier call began have to be issued before others can be skipped.
    if (refresh_due_ <= until) {
      skip_idle_refreshes(until);
      refresh_idle_banks(until);
    }
    choose();
    if (refresh_due_ <= until && refresh_due_ <= choice_.tick) {
      begin_refresh();
      continue;
    }
    if (choice_.tick > until) break;
    issue();
  }
  floor_ = std::max(floor_, until + 1);
}

Tick Scheduler::next_served() {
  if (queue_.empty()) return never;
  choose();
  if (choice_.kind == column) return std::max(floor_, std::min(choice_.tick, refresh_due_));  // all else is later
  const Tick opening = timing_.activate_to_column[writing_];
  Tick earliest = refresh_due_;
  for (const PseudoChannel& channel : channels_) {
    const Tick opened = timing_.rising_edge(channel.tick(precharge) + timing_.precharge_to_activate);
    const Tick activated = std::min(channel.tick(activate), opened);
    earliest = std::min(std::min(earliest, channel.tick(column)),
                        std::min(timing_.rising_edge(activated + opening), channel.tick(refresh) + 1));
  }
  return std::max(floor_, earliest);
}

std::uint32_t Scheduler::most_activates() const { return *std::max_element(activates_.begin(), activates_.end()); }

}  // namespace strata::dram
