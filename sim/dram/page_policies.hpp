// SPDX-License-Identifier: Apache-2.0
// The page policies of a channel by name, for configurations and for lists.
#pragma once
#include <array>
#include <string_view>

#include "dram/channel_spec.hpp"

namespace strata::dram {

struct PagePolicyRow {
  std::string_view name;
  PagePolicy policy;
  std::string_view meaning;
};

inline constexpr std::array page_policies{
    PagePolicyRow{"open", PagePolicy::open, "it stays open"},
    PagePolicyRow{"closed", PagePolicy::closed, "it is closed"},
    PagePolicyRow{"timeout", PagePolicy::timeout, "it is closed after row_timeout"},
};

}  // namespace strata::dram
