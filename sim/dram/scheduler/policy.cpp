// SPDX-License-Identifier: Apache-2.0
#include "dram/scheduler/policy.hpp"

#include <algorithm>
#include <array>

namespace strata::dram {
namespace {
// clang-format off
constexpr std::array<Policy, 5> table{{
  {"fr_fcfs",         "the oldest command that is legal now; a row may be closed under waiting hits", true,  true,  false, false, false},
  {"fr_fcfs_row_hit", "as fr_fcfs, but a row stays open while requests that hit it wait",             true,  false, false, false, false},
  {"fr_fcfs_cap",     "as fr_fcfs_row_hit, but at most hit_cap hits overtake a request of their bank", true, false, false, true,  false},
  {"bliss",           "as fr_fcfs_row_hit, but reads of a core that was served often in a row come last", true, false, false, false, true},
  {"fcfs",            "data in order of arrival; rows of later requests are opened ahead",            false, false, true,  false, false},
}};
// clang-format on
}  // namespace

std::span<const Policy> policies() { return table; }

const Policy* find_policy(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Policy& p) { return p.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace strata::dram
