// SPDX-License-Identifier: Apache-2.0
// Every policy that a configuration can choose, gathered from the tables of
// the blocks.
#pragma once
#include <string>
#include <vector>

namespace strata::machine {

struct PolicyRow {
  std::string table;  ///< what it is a policy of
  std::string name;
  std::string meaning;
};

std::vector<PolicyRow> policies();

}  // namespace strata::machine
