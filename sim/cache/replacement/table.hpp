// SPDX-License-Identifier: Apache-2.0
// The replacement policies, one line each. Whatever lists, parses or explains
// policies reads this table. To add one: its file, its line here, its test.
#pragma once
#include <string_view>
#include <vector>

#include "cache/replacement/fifo.hpp"
#include "cache/replacement/random.hpp"
#include "cache/replacement/srrip.hpp"
#include "cache/replacement/tree_plru.hpp"
#include "cache/replacement/true_lru.hpp"

namespace strata::cache {

template <ReplacementPolicy... Policy>
struct PolicyTable {
  /// Holder<Policy...>, for variants and test lists.
  template <template <class...> class Holder>
  using into = Holder<Policy...>;

  struct Row {
    std::string_view name;
    std::string_view meaning;
  };
  static std::vector<Row> rows() { return {Row{Policy::name, Policy::meaning}...}; }
};

using ReplacementTable = PolicyTable<  //
    TrueLru,                           //
    TreePlru,                          //
    Random,                            //
    Srrip,                             //
    Fifo>;

}  // namespace strata::cache
