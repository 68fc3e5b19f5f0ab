// SPDX-License-Identifier: Apache-2.0
#include "dram/constraints.hpp"

namespace strata::dram {

Constraints::Constraints(const Timing& timing, const OrganisationSpec& organisation, bool one_bus)
    : timing_(timing),
      groups_(organisation.stack_ids * organisation.bank_groups),
      stacks_(organisation.stack_ids),
      banks_per_group_(organisation.banks_per_group),
      one_bus_(one_bus),
      pace_(timing_.column_gap(false, false, Relation::same_group)),
      data_gap_(timing_.column_gap(false, false, Relation::other_group)),
      other_stack_gap_(timing_.column_gap(false, false, Relation::other_stack)),
      slots_(timing_, organisation.pseudo_channels),
      group_(std::size_t{organisation.pseudo_channels} * groups_),
      stack_(std::size_t{organisation.pseudo_channels} * stacks_),
      channel_(organisation.pseudo_channels) {
  for (std::size_t group = 0; group < group_.size(); ++group) {
    stack_of_.push_back(static_cast<std::uint8_t>(group / organisation.bank_groups));
  }
}

std::uint8_t Constraints::group_of(std::uint32_t bank) const {
  return static_cast<std::uint8_t>(channel_of(bank) * groups_ + within(bank) / banks_per_group_);
}

void Constraints::turn(bool write) {
  const std::uint32_t groups_of_stack = groups_ / stacks_;
  for (std::uint32_t g = 0; g < group_.size(); ++g) {
    const Tick last = group_[g].last;
    group_[g].last = -never;
    raise(group_[g].column[write], last + timing_.column_gap(!write, write, Relation::same_group));
    const std::uint32_t first = g / groups_ * stacks_;
    for (std::uint32_t s = first; s < first + stacks_; ++s) {
      const Relation relation =
          s == g / groups_of_stack ? Relation::other_group : Relation::other_stack;
      raise(stack_[s][write], last + timing_.column_gap(!write, write, relation));
    }
  }
}

void Constraints::refresh_bank(std::uint32_t channel, Bank& bank, Tick t) {
  row_bus_ = t + timing_.precharge_length;
  raise(bank.activate, t + timing_.refresh_bank_to_activate);
  raise(bank.refresh, t + timing_.refresh_bank_to_refresh);
  raise(channel_[channel].activate, t + timing_.refresh_to_other_activate);
  raise(channel_[channel].refresh, t + timing_.refresh_to_other_refresh);
}

}  // namespace strata::dram
