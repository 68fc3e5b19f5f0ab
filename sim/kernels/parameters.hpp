// SPDX-License-Identifier: Apache-2.0
// From `name=value` words to a kernel's parameters, by the description of a
// config::Schema, with the errors and suggestions that settings get.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "config/override.hpp"
#include "config/schema/schema.hpp"

namespace strata::kernels {

/// Throws InputError with all that is wrong.
template <class Parameters>
Parameters read_parameters(const std::vector<std::string>& settings,
                           const config::Schema<Parameters>& schema = Parameters::schema()) {
  config::Value tree;
  tree.shape = config::Shape::map;
  std::vector<Diagnostic> diagnostics;
  for (const std::string& setting : settings)
    config::apply_override(tree, *schema.info(), setting, diagnostics, "parameter");
  Parameters parameters = config::bind_spec(tree, schema, diagnostics);
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = "--kernel";
  throw_if_any(std::move(diagnostics));
  return parameters;
}

}  // namespace strata::kernels
