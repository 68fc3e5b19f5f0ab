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
    for (std::uint32_t bank = 0; bank < banks_; ++bank) {
      const std::uint32_t group = bank / organisation.banks_per_group;
      group_of_.push_back(channel * groups_ + group);
      stack_of_.push_back(channel * stacks_ + group / organisation.bank_groups);
    }
  }
  const std::size_t banks = std::size_t{channels} * banks_;
  activate_.resize(banks);
  precharge_.resize(banks);
  refresh_.resize(banks);
  activate_group_.resize(std::size_t{channels} * groups_);
  for (std::size_t write = 0; write < 2; ++write) {
    column_[write].resize(banks);
    column_group_[write].resize(std::size_t{channels} * groups_);
    column_stack_[write].resize(std::size_t{channels} * stacks_);
  }
  activate_channel_.resize(channels);
  precharge_channel_.resize(channels);
  refresh_channel_.resize(channels);
  window_.resize(channels);
}

void Constraints::activate(std::uint32_t channel, std::uint32_t bank, Tick t) {
  bus_[0] = t + timing_.activate_length;
  raise(activate_[bank], t + timing_.activate_to_activate);
  raise(precharge_[bank], t + timing_.activate_to_precharge);
  raise(column_[0][bank], t + timing_.activate_to_column[0]);
  raise(column_[1][bank], t + timing_.activate_to_column[1]);
  raise(activate_group_[group_of_[bank]], t + timing_.rrd_l);
  raise(activate_channel_[channel], t + timing_.rrd_s);
  raise(refresh_channel_[channel], t + timing_.activate_to_refresh);
  Window& window = window_[channel];
  window.ticks[window.next] = t;
  window.next = (window.next + 1) % 4;
}

void Constraints::precharge(std::uint32_t channel, std::uint32_t bank, Tick t) {
  bus_[0] = t + timing_.precharge_length;
  raise(activate_[bank], t + timing_.precharge_to_activate);
  raise(refresh_[bank], t + timing_.precharge_to_refresh);
  raise(precharge_channel_[channel], t + timing_.ppd);
}

void Constraints::precharge_all(std::uint32_t channel, Tick t) {
  bus_[0] = t + timing_.precharge_length;
  raise(precharge_channel_[channel], t + timing_.ppd);
  for (std::uint32_t bank = channel * banks_; bank < (channel + 1) * banks_; ++bank) {
    raise(activate_[bank], t + timing_.precharge_to_activate);
    raise(refresh_[bank], t + timing_.precharge_to_refresh);
  }
}

void Constraints::column(std::uint32_t channel, std::uint32_t bank, bool write, Tick t) {
  bus_[column_bus_] = t + timing_.column_length;
  raise(precharge_[bank], t + timing_.column_to_precharge[write]);
  const std::uint32_t group = group_of_[bank];
  const std::uint32_t stack = stack_of_[bank];
  for (std::size_t next = 0; next < 2; ++next) {
    const bool second = next == 1;
    raise(column_group_[next][group], t + timing_.column_gap(write, second, Relation::same_group));
    const std::uint32_t first = channel * stacks_;
    for (std::uint32_t s = first; s < first + stacks_; ++s) {
      raise(column_stack_[next][s],
            t + timing_.column_gap(write, second,
                                   s == stack ? Relation::other_group : Relation::other_stack));
    }
  }
}

void Constraints::refresh_all(std::uint32_t channel, Tick t) {
  bus_[0] = t + timing_.precharge_length;
  for (std::uint32_t bank = channel * banks_; bank < (channel + 1) * banks_; ++bank) {
    raise(activate_[bank], t + timing_.refresh_all_to_activate);
    raise(refresh_[bank], t + timing_.refresh_all_to_refresh);
  }
}

void Constraints::refresh_bank(std::uint32_t channel, std::uint32_t bank, Tick t) {
  bus_[0] = t + timing_.precharge_length;
  raise(activate_[bank], t + timing_.refresh_bank_to_activate);
  raise(refresh_[bank], t + timing_.refresh_bank_to_refresh);
  raise(activate_channel_[channel], t + timing_.refresh_to_other_activate);
  raise(refresh_channel_[channel], t + timing_.refresh_to_other_refresh);
}

}  // namespace strata::dram
