// SPDX-License-Identifier: Apache-2.0
// The replacement policies as the values of a setting.
#pragma once
#include <string>
#include <vector>

#include "config/schema/rules.hpp"
#include "replacement/table.hpp"

namespace strata::replacement {

inline std::vector<config::Named<std::string>> named_policies() {
  std::vector<config::Named<std::string>> table;
  for (const auto& row : ReplacementTable::rows())
    table.push_back({std::string(row.name), std::string(row.name), std::string(row.meaning)});
  return table;
}

}  // namespace strata::replacement
