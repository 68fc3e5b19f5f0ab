// SPDX-License-Identifier: Apache-2.0
// Figures of a run that must agree, each named with its level. The owner of the levels states
// which figures must be equal, or which must not exceed others; require() reports all
// violations. A breach is a miscount of this program, never of its input.
#pragma once
#include <concepts>
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

/// The name of a level: a text, or a function that forms it and is called where a breach is reported. Either must live as
/// long as the name.
class Name {
 public:
  Name() = default;
  Name(std::string_view text) : text_(text) {}  // NOLINT(google-explicit-constructor)
  Name(const char* text) : text_(text) {}       // NOLINT(google-explicit-constructor)
  template <std::invocable Form>
  Name(const Form& form)  // NOLINT(google-explicit-constructor)
      : self_(&form), form_([](const void* self) -> std::string { return (*static_cast<const Form*>(self))(); }) {}

  std::string text() const { return form_ != nullptr ? form_(self_) : std::string(text_); }

 private:
  std::string_view text_;
  const void* self_ = nullptr;
  std::string (*form_)(const void* self) = nullptr;
};

class Balance {
 public:
  void equal(const Name& level, std::string_view unit, const Counted& one, const Counted& other);
  void at_most(const Name& level, std::string_view unit, const Counted& less, const Counted& more);
  /// One line for each breach.
  const std::vector<std::string>& breaches() const { return breaches_; }
  /// Throws Imbalance unless all agrees.
  void require() const;

 private:
  std::vector<std::string> breaches_;
};

}  // namespace strata::observe
