// SPDX-License-Identifier: Apache-2.0
// The names of a table's rows, as the schema of a setting that chooses one lists them.
#pragma once
#include <string>
#include <vector>

namespace strata::machine {

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

}  // namespace strata::machine
