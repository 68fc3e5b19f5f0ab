// SPDX-License-Identifier: Apache-2.0
// Figures of a run that must agree, each named with its level. The owner of the levels states
// which figures must be equal, or which must not exceed others; require() reports all
// violations. A breach is a miscount of this program, never of its input.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace strata::observe {

/// Thrown where figures do not agree; what() names the levels, the figures and their values.
class Imbalance : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A figure and what it is of: "1024 asked of the level below".
struct Counted {
  std::int64_t value = 0;
  std::string_view what;
};
inline Counted counted(std::uint64_t value, std::string_view what) { return {static_cast<std::int64_t>(value), what}; }

class Balance {
 public:
  void equal(std::string_view level, std::string_view unit, const Counted& one, const Counted& other);
  void at_most(std::string_view level, std::string_view unit, const Counted& less, const Counted& more);
  /// One line for each breach.
  const std::vector<std::string>& breaches() const { return breaches_; }
  /// Throws Imbalance unless all agrees.
  void require() const;

 private:
  std::vector<std::string> breaches_;
};

}  // namespace strata::observe
