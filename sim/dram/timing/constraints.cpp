// SPDX-License-Identifier: Apache-2.0
#include "dram/timing/constraints.hpp"

namespace strata::dram {

Constraints::Constraints(const Timing& timing, const OrganisationSpec& organisation, bool one_bus,
                         std::uint32_t write_rows)
    : timing_(timing),
      groups_(organisation.stack_ids * organisation.bank_groups),
      stacks_(organisation.stack_ids),
      groups_of_stack_(organisation.bank_groups),
      banks_per_group_(organisation.banks_per_group),
      pace_(timing_.column_gap(false, false, Relation::same_group)),
      data_gap_(timing_.column_gap(false, false, Relation::other_group)),
      other_stack_gap_(timing_.column_gap(false, false, Relation::other_stack)),
      write_rows_(write_rows),
      bus_(timing_, one_bus),
      group_(std::size_t{organisation.pseudo_channels} * groups_, Group{0, 0, 0, -never}) {
  for (std::size_t group = 0; group < group_.size(); ++group) {
    stack_of_.push_back(static_cast<std::uint8_t>(group % groups_ / organisation.bank_groups));
  }
  const std::uint64_t of_a_stack = ~std::uint64_t{0} >> (bank_places - banks_of_stack());
  for (std::uint32_t s = 0; s < stacks_; ++s) stack_banks_[s] = of_a_stack << s * banks_of_stack();
}

std::uint8_t Constraints::group_of(std::uint32_t bank) const {
  return static_cast<std::uint8_t>(channel_of(bank) * groups_ + within(bank) / banks_per_group_);
}

void Constraints::turn(bool write) {
  for (std::uint32_t g = 0; g < group_.size(); ++g) {
    const Tick end = group_[g][last];
    group_[g][last] = -never;
    raise(group_[g][column_tick(write)], end + timing_.column_gap(!write, write, Relation::same_group));
    for (std::uint32_t s = 0; s < stacks_; ++s) {
      const Relation relation = s == stack_of_[g] ? Relation::other_group : Relation::other_stack;
      raise(stack_[g / groups_][write][s], end + timing_.column_gap(!write, write, relation));
    }
  }
}

void Constraints::refresh_bank(std::uint32_t channel, Bank& bank, Tick t) {
  bus_.take_row(t, timing_.precharge_length);
  raise(bank.activate, t + timing_.refresh_bank_to_activate);
  raise(bank.refresh, t + timing_.refresh_bank_to_refresh);
  raise(channel_[channel].activate, t + timing_.refresh_to_other_activate);
  raise(channel_[channel].refresh, t + timing_.refresh_to_other_refresh);
}

}  // namespace strata::dram
