// SPDX-License-Identifier: Apache-2.0
// Edges between dies, `{from: die 0, to: die 1, ...}`, as links of `network`. Where memory dies are apart, dies are
// `memory die N` and `compute die N`.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "config/value/value.hpp"

namespace strata::machine {

class DieLinks {
 public:
  /// Of the dies that a tree has.
  explicit DieLinks(const config::Value& tree);

  /// Whether an edge is one between dies; it is taken then.
  bool take(const config::Value& from, const config::Value& to, config::Value& edge,
            std::vector<Diagnostic>& diagnostics);
  /// The links taken are all that `network` has then; if there are none, it keeps its own.
  void put(config::Value& tree, std::vector<Diagnostic>& diagnostics) const;

  /// The name of a node of the network.
  std::string name(std::uint64_t node) const;

 private:
  std::optional<std::uint64_t> node(std::string_view name) const;

  bool apart_;
  std::uint64_t memory_dies_ = 1;
  std::vector<config::Value> links_;
};

}  // namespace strata::machine
