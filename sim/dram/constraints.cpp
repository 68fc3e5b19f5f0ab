// SPDX-License-Identifier: Apache-2.0
#include "dram/constraints.hpp"

namespace strata::dram {

Constraints::Constraints(const Timing& timing, const OrganisationSpec& organisation, bool one_bus)
    : timing_(timing),
      banks_(organisation.stack_ids * organisation.bank_groups * organisation.banks_per_group),
      groups_(organisation.stack_ids * organisation.bank_groups),
      stacks_(organisation.stack_ids),
      column_bus_(one_bus ? 0 : 1) {
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
  bus_[0] = t + timing_.activate_length;
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
  bus_[0] = t + timing_.precharge_length;
  raise(bank_[bank].activate, t + timing_.precharge_to_activate);
  raise(bank_[bank].refresh, t + timing_.precharge_to_refresh);
  raise(channel_[channel].precharge, t + timing_.ppd);
}

void Constraints::precharge_all(std::uint32_t channel, Tick t) {
  bus_[0] = t + timing_.precharge_length;
  raise(channel_[channel].precharge, t + timing_.ppd);
  for (std::uint32_t bank = channel * banks_; bank < (channel + 1) * banks_; ++bank) {
    raise(bank_[bank].activate, t + timing_.precharge_to_activate);
    raise(bank_[bank].refresh, t + timing_.precharge_to_refresh);
  }
}

void Constraints::column(std::uint32_t channel, std::uint32_t bank, bool write, Tick t) {
  bus_[column_bus_] = t + timing_.column_length;
  raise(bank_[bank].precharge, t + timing_.column_to_precharge[write]);
  const std::uint32_t group = bank_[bank].group;
  const std::uint32_t stack = bank_[bank].stack;
  for (std::size_t next = 0; next < 2; ++next) {
    const bool second = next == 1;
    raise(group_[group].column[next], t + timing_.column_gap(write, second, Relation::same_group));
    const std::uint32_t first = channel * stacks_;
    for (std::uint32_t s = first; s < first + stacks_; ++s) {
      raise(column_stack_[s][next],
            t + timing_.column_gap(write, second,
                                   s == stack ? Relation::other_group : Relation::other_stack));
    }
  }
}

void Constraints::refresh_all(std::uint32_t channel, Tick t) {
  bus_[0] = t + timing_.precharge_length;
  for (std::uint32_t bank = channel * banks_; bank < (channel + 1) * banks_; ++bank) {
    raise(bank_[bank].activate, t + timing_.refresh_all_to_activate);
    raise(bank_[bank].refresh, t + timing_.refresh_all_to_refresh);
  }
}

void Constraints::refresh_bank(std::uint32_t channel, std::uint32_t bank, Tick t) {
  bus_[0] = t + timing_.precharge_length;
  raise(bank_[bank].activate, t + timing_.refresh_bank_to_activate);
  raise(bank_[bank].refresh, t + timing_.refresh_bank_to_refresh);
  raise(channel_[channel].activate, t + timing_.refresh_to_other_activate);
  raise(channel_[channel].refresh, t + timing_.refresh_to_other_refresh);
}

}  // namespace strata::dram
