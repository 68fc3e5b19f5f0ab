// SPDX-License-Identifier: Apache-2.0
// The prefetchers, one line each. To add one: its file, its line here, its test.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cache/prefetch/best_offset.hpp"
#include "cache/prefetch/next_line.hpp"
#include "cache/prefetch/stride.hpp"

namespace strata::cache {

template <Prefetcher... Policy>
struct PrefetcherTableOf {
  /// Holder<Policy...>, for test lists.
  template <template <class...> class Holder>
  using into = Holder<Policy...>;
  using Any = std::variant<Policy...>;

  struct Row {
    std::string_view name;
    std::string_view meaning;
  };
  static std::vector<Row> rows() { return {Row{Policy::name, Policy::meaning}...}; }
  /// name: of the table (std::invalid_argument).
  static Any make(std::string_view name, const PrefetchShape& shape) {
    std::vector<Any> made;
    ((name == Policy::name ? void(made.emplace_back(std::in_place_type<Policy>, shape)) : void()), ...);
    if (made.empty()) throw std::invalid_argument("no prefetcher is called '" + std::string(name) + "'");
    return made.front();
  }
};

using PrefetcherTable = PrefetcherTableOf<  //
    NextLine,                               //
    Stride,                                 //
    BestOffset>;

inline constexpr std::string_view no_prefetcher = "none";

}  // namespace strata::cache
