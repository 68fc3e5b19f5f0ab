// SPDX-License-Identifier: Apache-2.0
// The compression policies, one line each. To add one: its file, its line here, its test.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cache/compression/bdi_like.hpp"
#include "cache/compression/ratio.hpp"

namespace strata::cache {

template <CompressionPolicy... Policy>
struct CompressionTableOf {
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
  static Any make(std::string_view name, const CompressionShape& shape) {
    std::vector<Any> made;
    ((name == Policy::name ? void(made.emplace_back(std::in_place_type<Policy>, shape)) : void()), ...);
    if (made.empty()) throw std::invalid_argument("no compression policy is called '" + std::string(name) + "'");
    return made.front();
  }
};

using CompressionTable = CompressionTableOf<  //
    FixedRatio,                               //
    BdiLike>;

inline constexpr std::string_view no_compression = "none";

}  // namespace strata::cache
