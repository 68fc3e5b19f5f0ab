// SPDX-License-Identifier: Apache-2.0
// The replacement policies of caches and TLBs, one line each. To add one: its file, its line here, its test.
#pragma once
#include <string_view>

#include "base/policy_table.hpp"
#include "replacement/drrip.hpp"
#include "replacement/fifo.hpp"
#include "replacement/lip.hpp"
#include "replacement/random.hpp"
#include "replacement/ship.hpp"
#include "replacement/srrip.hpp"
#include "replacement/tree_plru.hpp"
#include "replacement/true_lru.hpp"

namespace strata::replacement {

template <ReplacementPolicy... Policy>
struct ReplacementPolicies : PolicyTable<Policy...> {
  /// policy: a name of the table; another gives `never`.
  static Forgets forgets(std::string_view policy) {
    Forgets found = Forgets::never;
    ((policy == Policy::name ? void(found = Policy::forgets) : void()), ...);
    return found;
  }
};

using ReplacementTable = ReplacementPolicies<  //
    TrueLru,                                   //
    TreePlru,                                  //
    Random,                                    //
    Srrip,                                     //
    Drrip,                                     //
    Ship,                                      //
    Fifo,                                      //
    Lip>;

}  // namespace strata::replacement
