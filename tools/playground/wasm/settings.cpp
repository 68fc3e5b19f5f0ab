// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <charconv>
#include <memory>

#include "config/schema/path.hpp"
#include "config/value/provenance.hpp"
#include "config/yaml/parse.hpp"

namespace strata::config {

// Replaces the function that reads YAML: a page sets one scalar.
Value parse_fragment(std::string_view text, const Position& where) {
  Value value;
  value.where = where;
  value.text = std::string(trimmed(text));
  if (value.text.empty()) throw InputError(where.diagnostic("the value is missing", {}));
  return value;
}

}  // namespace strata::config

namespace strata::playground {

namespace {

using config::Shape;
using config::Value;

Value& child(Value& parent, std::string_view key, const config::Position& where) {
  parent.shape = Shape::map;
  if (Value* there = parent.find(key)) return *there;
  parent.entries.push_back({std::string(key), where, {}});
  parent.entries.back().value.where = where;
  return parent.entries.back().value;
}

Value& item(Value& parent, std::size_t index, const config::Position& where) {
  parent.shape = Shape::list;
  while (parent.items.size() <= index) parent.items.emplace_back().where = where;
  return parent.items[index];
}

}  // namespace

void add_row(Value& tree, std::string_view row) {
  static const config::Position where{std::make_shared<const std::string>("the configuration"), 1, 1};
  const std::size_t equals = row.find('=');
  if (equals == std::string_view::npos) throw InputError(where.diagnostic("a row without '='", {}));
  std::string_view path = row.substr(0, equals);
  tree.shape = Shape::map;
  tree.where = where;
  Value* at = &tree;
  while (!path.empty()) {
    if (path.front() == '[') {
      std::size_t index = 0;
      std::from_chars(path.data() + 1, path.data() + path.size(), index);
      at = &item(*at, index, where);
      path.remove_prefix(path.find(']') + 1);
    } else {
      if (path.front() == '.') path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      at = &child(*at, path.substr(0, end), where);
      path.remove_prefix(end);
    }
  }
  at->shape = Shape::scalar;
  at->text = std::string(row.substr(equals + 1));
  at->quoted = at->text.empty();
}

config::Loaded<machine::MachineSpec> bound(Value tree, const std::vector<std::string>& sets) {
  config::Loaded<machine::MachineSpec> loaded{{}, std::move(tree)};
  std::vector<Diagnostic> diagnostics;
  loaded.spec = config::bind_overridden(loaded.tree, sets, machine::MachineSpec::schema(), diagnostics);
  throw_if_any(std::move(diagnostics));
  return loaded;
}

}  // namespace strata::playground
