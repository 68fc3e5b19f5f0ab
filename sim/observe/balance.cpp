// SPDX-License-Identifier: Apache-2.0
#include "observe/balance.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace strata::observe {

void Balance::equal(const Name& level, std::string_view unit, const Counted& one, const Counted& other) {
  if (one.value == other.value) return;
  breaches_.push_back(
      fmt::format("{}: {} {} {}, but {} {}", level.text(), one.value, unit, one.what, other.value, other.what));
}

void Balance::at_most(const Name& level, std::string_view unit, const Counted& less, const Counted& more) {
  if (less.value <= more.value) return;
  breaches_.push_back(
      fmt::format("{}: {} {} {}, more than {} {}", level.text(), less.value, unit, less.what, more.value, more.what));
}

void Balance::require() const {
  if (breaches_.empty()) return;
  constexpr std::size_t most_listed = 8;  // blocks that are alike miscount alike
  std::string all = "statistics do not agree";
  for (std::size_t i = 0; i < std::min(breaches_.size(), most_listed); ++i) all += "\n  " + breaches_[i];
  if (breaches_.size() > most_listed) all += fmt::format("\n  and {} more", breaches_.size() - most_listed);
  throw Imbalance(all);
}

}  // namespace strata::observe
