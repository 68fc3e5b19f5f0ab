// SPDX-License-Identifier: Apache-2.0
// The names of the stages in which a transaction spends its time. Blocks
// register theirs when they are built; equal names share one number.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "memory/journey.hpp"

namespace strata::memory {

/// What a block does with a request in a stage.
enum class StageKind : std::uint8_t { other, tags, data, fill, translation_miss };

struct StageName {
  std::string name;
  StageKind kind = StageKind::other;
  std::string block;  ///< whose stage it is; empty where the kind is `other`
};

class StageNames {
 public:
  Stage add(std::string_view name) { return add({std::string(name), StageKind::other, {}}); }
  /// The stage of a block, called `BLOCK WHAT`.
  Stage add(std::string_view block, std::string_view what, StageKind kind) {
    return add({std::string(block).append(" ").append(what), kind, std::string(block)});
  }
  const std::string& operator[](Stage stage) const { return all_[stage].name; }
  const StageName& described(Stage stage) const { return all_[stage]; }

 private:
  Stage add(StageName stage) {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const StageName& other) { return other.name == stage.name; });
    if (found != all_.end()) return static_cast<Stage>(found - all_.begin());
    all_.push_back(std::move(stage));
    return static_cast<Stage>(all_.size() - 1);
  }

  std::vector<StageName> all_;
};

}  // namespace strata::memory
