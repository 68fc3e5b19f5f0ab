// SPDX-License-Identifier: Apache-2.0
// The replacement policies of caches and TLBs, one line each. Whatever lists, parses or explains
// policies reads this table. To add one: its file, its line here, its test.
#pragma once
#include <string_view>
#include <vector>

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
struct PolicyTable {
  /// Holder<Policy...>, for variants and test lists.
  template <template <class...> class Holder>
  using into = Holder<Policy...>;

  struct Row {
    std::string_view name;
    std::string_view meaning;
    Forgets forgets;
  };
  static std::vector<Row> rows() { return {Row{Policy::name, Policy::meaning, Policy::forgets}...}; }
  /// policy: a name of the table; another gives `never`.
  static Forgets forgets(std::string_view policy) {
    Forgets found = Forgets::never;
    ((policy == Policy::name ? void(found = Policy::forgets) : void()), ...);
    return found;
  }
};

using ReplacementTable = PolicyTable<  //
    TrueLru,                           //
    TreePlru,                          //
    Random,                            //
    Srrip,                             //
    Drrip,                             //
    Ship,                              //
    Fifo,                              //
    Lip>;

}  // namespace strata::replacement
