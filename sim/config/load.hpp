// SPDX-License-Identifier: Apache-2.0
// The whole way in one call: text, what it builds on, overrides, bound spec.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/inherit.hpp"
#include "config/override.hpp"
#include "config/schema.hpp"

namespace strata::config {

template <class Spec>
struct Loaded {
  Spec spec;
  Value tree;  ///< with overrides; keeps who set what
  Effective effective(const Schema<Spec>& schema) const { return schema.effective(spec, &tree); }
  Effective effective() const { return effective(Spec::schema()); }
};

/// A spec of which some settings choose others: these rewrite the tree before it is bound.
template <class Spec>
concept Derives = requires(Value& tree, const Value& before, std::vector<Diagnostic>& diagnostics) {
  Spec::derive(tree, before, diagnostics);
};

/// Applies overrides to a tree and binds it. All that is wrong goes to `diagnostics`.
template <class Spec>
Spec bind_overridden(Value& tree, const std::vector<std::string>& overrides, const Schema<Spec>& schema,
                     std::vector<Diagnostic>& diagnostics) {
  if constexpr (Derives<Spec>) {
    const Value before = tree;
    for (const std::string& argument : overrides) apply_override(tree, *schema.info(), argument, diagnostics);
    if (diagnostics.empty()) Spec::derive(tree, before, diagnostics);
  } else {
    for (const std::string& argument : overrides) apply_override(tree, *schema.info(), argument, diagnostics);
  }
  return bind_spec(tree, schema, diagnostics);
}

/// Throws InputError with every error of syntax and inheritance, or, where there
/// are none, every error of the overrides and of binding together.
template <class Spec>
Loaded<Spec> load(const Source& source, const Library& library, const std::vector<std::string>& overrides,
                  const Schema<Spec>& schema) {
  Loaded<Spec> loaded{Spec{}, load_tree(source, library)};
  std::vector<Diagnostic> diagnostics;
  loaded.spec = bind_overridden(loaded.tree, overrides, schema, diagnostics);
  throw_if_any(std::move(diagnostics));
  return loaded;
}
template <class Spec>
Loaded<Spec> load(const Source& source, const Library& library = {}, const std::vector<std::string>& overrides = {}) {
  return load(source, library, overrides, Spec::schema());
}

}  // namespace strata::config
