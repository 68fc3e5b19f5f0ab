// SPDX-License-Identifier: Apache-2.0
// A table of policies: classes with a name and a meaning, one line each. Whatever lists, parses or
// explains policies of a kind reads its table.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace strata {

template <class... Policy>
struct PolicyTable {
  /// Holder<Policy...>, for variants and test lists.
  template <template <class...> class Holder>
  using into = Holder<Policy...>;
  using Any = std::variant<Policy...>;

  struct Row {
    std::string_view name;
    std::string_view meaning;
  };
  static std::vector<Row> rows() { return {Row{Policy::name, Policy::meaning}...}; }

  /// The policy of that name, made from its shape; kind is what the error calls it. name: of the table
  /// (std::invalid_argument).
  template <class Shape>
  static Any make(std::string_view kind, std::string_view name, const Shape& shape) {
    std::vector<Any> made;
    ((name == Policy::name ? void(made.emplace_back(std::in_place_type<Policy>, shape)) : void()), ...);
    if (made.empty()) throw std::invalid_argument("no " + std::string(kind) + " is called '" + std::string(name) + "'");
    return made.front();
  }
};

}  // namespace strata
