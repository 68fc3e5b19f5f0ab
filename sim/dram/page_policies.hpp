// SPDX-License-Identifier: Apache-2.0
// The page policies of a channel by name, for configurations and for lists.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "dram/channel_spec.hpp"

namespace strata::dram {

struct PagePolicyRow {
  std::string_view name;
  PagePolicy policy;
  std::string_view meaning;
  bool reads_row_timeout = false;
};

inline constexpr std::array page_policies{
    PagePolicyRow{"open", PagePolicy::open, "it stays open"},
    PagePolicyRow{"closed", PagePolicy::closed, "it is closed"},
    PagePolicyRow{"timeout", PagePolicy::timeout, "it is closed after row_timeout", true},
};

constexpr const PagePolicyRow& row_of(PagePolicy policy) {
  return *std::find_if(page_policies.begin(), page_policies.end(),
                       [policy](const PagePolicyRow& row) { return row.policy == policy; });
}

}  // namespace strata::dram
