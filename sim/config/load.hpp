// SPDX-License-Identifier: Apache-2.0
// The whole way in one call: text, what it builds on, overrides, bound spec.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/inherit.hpp"
#include "config/override.hpp"
#include "config/schema/schema.hpp"

namespace strata::config {

template <class Spec>
struct Loaded {
  Spec spec;
  Value tree;     ///< with overrides; records origins
  Value files{};  ///< without them
  std::vector<std::string> overrides{};
  Effective effective(const Schema<Spec>& schema) const { return schema.effective(spec, &tree); }
  Effective effective() const { return effective(Spec::schema()); }
  /// The spec with more overrides, as if they had been given after the others. All that is
  /// wrong goes to `diagnostics`.
  Spec with(const std::vector<std::string>& more, std::vector<Diagnostic>& diagnostics) const;
};

/// A spec of which some settings choose others: these rewrite the tree before it is bound.
template <class Spec>
concept Derives = requires(Value& tree, const Value& before, std::vector<Diagnostic>& diagnostics) {
  Spec::derive(tree, before, diagnostics);
};

/// A spec that files may describe in another form: that becomes the named settings, file by file.
template <class Spec>
concept Expands = requires(Value& tree, std::vector<Diagnostic>& diagnostics) { Spec::expand(tree, diagnostics); };

/// Applies overrides to a tree and binds it. All that is wrong goes to `diagnostics`.
template <class Spec>
Spec bind_applied(Value& tree, const std::vector<std::string>& overrides, const Schema<Spec>& schema,
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

/// The same, with the overrides named that take part in what is wrong with a value of a file.
template <class Spec>
Spec bind_overridden(Value& tree, const std::vector<std::string>& overrides, const Schema<Spec>& schema,
                     std::vector<Diagnostic>& diagnostics) {
  const Value before = tree;
  std::vector<Diagnostic> wrong;
  Spec spec = bind_applied(tree, overrides, schema, wrong);
  const auto wrong_with = [&](const std::vector<std::string>& some) {
    Value copy = before;
    std::vector<Diagnostic> all;
    bind_applied(copy, some, schema, all);
    return all;
  };
  name_overrides(overrides, wrong_with, wrong);
  diagnostics.insert(diagnostics.end(), wrong.begin(), wrong.end());
  return spec;
}

template <class Spec>
Spec Loaded<Spec>::with(const std::vector<std::string>& more, std::vector<Diagnostic>& diagnostics) const {
  // From the files: what followed from the overrides so far may follow otherwise with more.
  std::vector<std::string> all = overrides;
  all.insert(all.end(), more.begin(), more.end());
  Value changed = files;
  return bind_overridden(changed, all, Spec::schema(), diagnostics);
}

/// Throws InputError with every error of syntax and inheritance, or, where there
/// are none, every error of the overrides and of binding together.
template <class Spec>
Loaded<Spec> load(const Source& source, const Library& library, const std::vector<std::string>& overrides,
                  const Schema<Spec>& schema) {
  Value files;
  if constexpr (Expands<Spec>)
    files = load_tree(source, library, &Spec::expand);
  else
    files = load_tree(source, library);
  Loaded<Spec> loaded{Spec{}, files, std::move(files), overrides};
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
