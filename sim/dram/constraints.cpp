// SPDX-License-Identifier: Apache-2.0
#include "dram/constraints.hpp"

namespace strata::dram {

Constraints::Constraints(const Timing& timing, const OrganisationSpec& organisation, bool one_bus)
    : timing_(timing),
      banks_(organisation.stack_ids * organisation.bank_groups * organisation.banks_per_group),
      groups_(organisation.stack_ids * organisation.bank_groups),
      stacks_(organisation.stack_ids),
      one_bus_(one_bus),
      pace_(timing_.column_gap(false, false, Relation::same_group)),
      pace_mask_((pace_ & (pace_ - 1)) == 0 ? pace_ - 1 : 0),
      data_gap_(timing_.column_gap(false, false, Relation::other_group)),
      runs_each_(timing_.column_runs ? static_cast<std::uint32_t>(pace_ / data_gap_) : 1),
      runs_(std::size_t{organisation.pseudo_channels} * runs_each_) {
  const std::uint32_t channels = organisation.pseudo_channels;
  for (std::uint32_t channel = 0; channel < channels; ++channel) {
    for (std::uint32_t i = 0; i < banks_; ++i) {
      const std::uint32_t group = i / organisation.banks_per_group;
      Bank& bank = bank_.emplace_back();
      bank.group = channel * groups_ + group;
      bank.stack = channel * stacks_ + group / organisation.bank_groups;
    }
  }
  group_.resize(std::size_t{channels} * groups_);
  column_stack_.resize(std::size_t{channels} * stacks_);
  channel_.resize(channels);
}

void Constraints::activate(std::uint32_t channel, std::uint32_t bank, Tick t) {
  row_bus_ = t + timing_.activate_length;
  raise(bank_[bank].activate, t + timing_.activate_to_activate);
  raise(bank_[bank].precharge, t + timing_.activate_to_precharge);
  raise(bank_[bank].column[0], t + timing_.activate_to_column[0]);
  raise(bank_[bank].column[1], t + timing_.activate_to_column[1]);
  raise(group_[bank_[bank].group].activate, t + timing_.rrd_l);
  Channel& c = channel_[channel];
  raise(c.activate, t + timing_.rrd_s);
  raise(c.refresh, t + timing_.activate_to_refresh);
  c.window[c.next] = t;
  c.next = (c.next + 1) % 4;
}

void Constraints::precharge(std::uint32_t channel, std::uint32_t bank, Tick t) {
  row_bus_ = t + timing_.precharge_length;
  raise(bank_[bank].activate, t + timing_.precharge_to_activate);
  raise(bank_[bank].refresh, t + timing_.precharge_to_refresh);
  raise(channel_[channel].precharge, t + timing_.ppd);
}

void Constraints::precharge_all(std::uint32_t channel, Tick t) {
  row_bus_ = t + timing_.precharge_length;
  raise(channel_[channel].precharge, t + timing_.ppd);
  for (std::uint32_t bank = channel * banks_; bank < (channel + 1) * banks_; ++bank) {
    raise(bank_[bank].activate, t + timing_.precharge_to_activate);
    raise(bank_[bank].refresh, t + timing_.precharge_to_refresh);
  }
}

Tick Constraints::column(std::uint32_t channel, std::uint32_t bank, bool write, Tick t, std::uint32_t bursts) {
  const Tick last = t + pace_ * static_cast<Tick>(bursts - 1);
  // One of the places is of a run that has ended: no more than these fit side by side.
  Run* place = &runs_[std::size_t{channel} * runs_each_];
  for (Run *run = place + 1, *end = place + runs_each_; run < end; ++run) {
    if (run->last < place->last) place = run;
  }
  *place = {t, last};
  raise(bank_[bank].precharge, last + timing_.column_to_precharge[write]);
  const std::uint32_t stack = bank_[bank].stack;
  Group& group = group_[bank_[bank].group];
  const bool other = !write;
  raise(group.column[write], last + pace_);
  raise(group.column[other], last + timing_.column_gap(write, other, Relation::same_group));
  const std::uint32_t first = channel * stacks_;
  for (std::uint32_t s = first; s < first + stacks_; ++s) {
    const Relation relation = s == stack ? Relation::other_group : Relation::other_stack;
    raise(column_stack_[s][other], last + timing_.column_gap(write, other, relation));
    const Tick same = timing_.column_gap(write, write, relation);
    if (same > data_gap_) raise(column_stack_[s][write], last + same);  // else a slot between will do
  }
  return last;
}

Tick Constraints::column_slot(std::uint32_t channel, Tick t) const {
  const Run* const begin = runs_.data();
  const Run* const end = begin + runs_.size();
  const Run* const own = begin + std::size_t{channel} * runs_each_;
  for (const Run* run = begin; run < end;) {
    const Tick gap = run >= own && run < own + runs_each_ ? data_gap_ : timing_.column_length;
    if (t >= run->last + gap) {
      ++run;
      continue;
    }
    const Tick past = past_command(*run, t);
    if (past < gap) {
      t = timing_.rising_edge(t + gap - past);
    } else if (past > pace_ - gap) {
      t = timing_.rising_edge(t + pace_ - past + gap);
    } else {
      ++run;
      continue;
    }
    run = begin;
  }
  return t;
}

Tick Constraints::slot_between(Tick t, Tick length) const {
  for (std::size_t i = 0; i < runs_.size();) {
    const Run& run = runs_[i];
    if (t >= run.last + timing_.column_length) {
      ++i;
      continue;
    }
    const Tick past = past_command(run, t);
    if (past >= timing_.column_length && past + length <= pace_) {
      ++i;
      continue;
    }
    t += past < timing_.column_length ? timing_.column_length - past : pace_ - past + timing_.column_length;
    i = 0;
  }
  return t;
}

void Constraints::refresh_all(std::uint32_t channel, Tick t) {
  row_bus_ = t + timing_.precharge_length;
  for (std::uint32_t bank = channel * banks_; bank < (channel + 1) * banks_; ++bank) {
    raise(bank_[bank].activate, t + timing_.refresh_all_to_activate);
    raise(bank_[bank].refresh, t + timing_.refresh_all_to_refresh);
  }
}

void Constraints::refresh_bank(std::uint32_t channel, std::uint32_t bank, Tick t) {
  row_bus_ = t + timing_.precharge_length;
  raise(bank_[bank].activate, t + timing_.refresh_bank_to_activate);
  raise(bank_[bank].refresh, t + timing_.refresh_bank_to_refresh);
  raise(channel_[channel].activate, t + timing_.refresh_to_other_activate);
  raise(channel_[channel].refresh, t + timing_.refresh_to_other_refresh);
}

}  // namespace strata::dram
