// SPDX-License-Identifier: Apache-2.0
// From `name=value` words to a kernel's parameters, by the description of a
// config::Schema, with the errors and suggestions that settings get.
#pragma once
#include <algorithm>
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
  std::vector<std::string> given;
  for (const std::string& setting : settings) {
    const std::string name = setting.substr(0, setting.find('='));
    if (std::find(given.begin(), given.end(), name) != given.end())
      diagnostics.push_back({"--kernel", 0, 0, "parameter '" + name + "' is given twice", "give it once"});
    given.push_back(name);
    config::apply_override(tree, *schema.info(), setting, diagnostics, "parameter");
  }
  Parameters parameters = config::bind_spec(tree, schema, diagnostics);
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = "--kernel";
  throw_if_any(std::move(diagnostics));
  return parameters;
}

}  // namespace strata::kernels
