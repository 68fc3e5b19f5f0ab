// SPDX-License-Identifier: Apache-2.0
// The scheduling policies, by name. A policy is five answers: may a row hit
// overtake an older request of its bank, may a row be closed for an older
// request while hits to it still wait, must data leave in order of arrival, are
// the hits that overtake one request counted, and are cores that are served often listed.
// First ready, first come, first served: Rixner et al., Memory Access
// Scheduling, ISCA 2000. With a cap: Mutlu and Moscibroda, Stall-Time Fair
// Memory Access Scheduling, MICRO 2007.
#pragma once
#include <span>
#include <string_view>

namespace strata::dram {

struct Policy {
  std::string_view name;
  std::string_view meaning;
  bool hits_overtake;
  bool closes_rows_with_hits;
  bool data_in_order;
  bool hits_counted;  ///< up to controller.hit_cap
  bool blacklists;    ///< reads of a core that was served controller.blacklist_after times in a row come last
};

/// All policies; to add one, add a line.
std::span<const Policy> policies();
/// Null where there is no such policy.
const Policy* find_policy(std::string_view name);

}  // namespace strata::dram
