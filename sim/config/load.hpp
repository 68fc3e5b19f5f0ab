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

/// Throws InputError with every error of syntax and inheritance, or, where there
/// are none, every error of the overrides and of binding together.
template <class Spec>
Loaded<Spec> load(const Source& source, const Library& library, const std::vector<std::string>& overrides,
                  const Schema<Spec>& schema) {
  Loaded<Spec> loaded{Spec{}, load_tree(source, library)};
  std::vector<Diagnostic> diagnostics;
  for (const std::string& argument : overrides) {
    apply_override(loaded.tree, *schema.info(), argument, diagnostics);
  }
  loaded.spec = bind_spec(loaded.tree, schema, diagnostics);
  throw_if_any(std::move(diagnostics));
  return loaded;
}
template <class Spec>
Loaded<Spec> load(const Source& source, const Library& library = {}, const std::vector<std::string>& overrides = {}) {
  return load(source, library, overrides, Spec::schema());
}

}  // namespace strata::config
