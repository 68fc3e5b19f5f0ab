// SPDX-License-Identifier: Apache-2.0
// Which names an expression may use.
#include <algorithm>

#include "kernels/described/grammar.hpp"

namespace strata::kernels {

using grammar::is_digit;
using grammar::is_letter;

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && text.size() <= 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool Scope::knows(const std::string& name) const {
  return constant(name) != nullptr || variable(name) != nullptr || definition(name) != nullptr ||
         std::any_of(grammar::functions.begin(), grammar::functions.end(),
                     [&](const grammar::Function& row) { return row.name == name; }) ||
         std::any_of(grammar::units.begin(), grammar::units.end(),
                     [&](const grammar::Unit& row) { return row.name == name; });
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> all;
  for (const auto& [name, value] : constants_) all.push_back(name);
  for (const auto& [name, variable] : variables_) all.push_back(name);
  for (const auto& [name, text] : definitions_) all.push_back(name);
  return all;
}

}  // namespace strata::kernels
