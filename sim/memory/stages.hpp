// SPDX-License-Identifier: Apache-2.0
// The names of the stages in which a transaction spends its time. Blocks
// register theirs when they are built; equal names share one number.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "memory/journey.hpp"

namespace strata::memory {

class StageNames {
 public:
  Stage add(std::string_view name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<Stage>(found - names_.begin());
    names_.emplace_back(name);
    return static_cast<Stage>(names_.size() - 1);
  }
  const std::string& operator[](Stage stage) const { return names_[stage]; }

 private:
  std::vector<std::string> names_;
};

}  // namespace strata::memory
