// SPDX-License-Identifier: Apache-2.0
// A policy of the table that is chosen by name when the tags are built, as one class: for tags that
// are not compiled once for each policy. A call costs a switch.
#pragma once
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "replacement/table.hpp"

namespace strata::replacement {

class AnyPolicy {
 public:
  static constexpr std::string_view name = "any";
  static constexpr std::string_view meaning = "the policy that the shape names";
  static constexpr Forgets forgets = Forgets::never;

  /// shape.policy: a name of ReplacementTable (std::invalid_argument).
  explicit AnyPolicy(const TagShape& shape) : policy_(ReplacementTable::into<Factory>::make(shape)) {}

  std::uint32_t state_words() const {
    return std::visit([](const auto& policy) { return policy.state_words(); }, policy_);
  }
  std::uint32_t hit(SetView set, std::uint32_t way) {
    return std::visit([&](auto& policy) { return policy.hit(set, way); }, policy_);
  }
  std::uint32_t victim(SetView set) const {
    return std::visit([&](const auto& policy) { return policy.victim(set); }, policy_);
  }
  std::uint32_t insert(SetView set, std::uint32_t way, std::uint64_t word) {
    return std::visit([&](auto& policy) { return policy.insert(set, way, word); }, policy_);
  }
  void remove(SetView set, std::uint32_t way) {
    std::visit([&](auto& policy) { policy.remove(set, way); }, policy_);
  }

 private:
  template <class... Policy>
  using Variant = std::variant<Policy...>;
  using Policies = ReplacementTable::into<Variant>;
  template <class... Policy>
  struct Factory {
    static Policies make(const TagShape& shape) {
      std::vector<Policies> made;
      ((shape.policy == Policy::name ? void(made.emplace_back(std::in_place_type<Policy>, shape)) : void()), ...);
      if (made.empty())
        throw std::invalid_argument("no replacement policy is called '" + std::string(shape.policy) + "'");
      return std::move(made.front());
    }
  };

  Policies policy_;
};

static_assert(ReplacementPolicy<AnyPolicy>);

}  // namespace strata::replacement
