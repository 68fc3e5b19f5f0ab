// SPDX-License-Identifier: Apache-2.0
// A counter with its name, unit and meaning: a block declares it as a member of a struct of its counters and
// increments it, and that is all. collect_counters.hpp reports every counter of such a struct.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::stats {

/// Text as a template argument.
template <std::size_t Size>
struct Text {
  // NOLINTNEXTLINE(google-explicit-constructor): literals stand in the place of template arguments
  consteval Text(const char (&text)[Size]) { std::copy_n(text, Size, characters); }
  constexpr std::string_view view() const { return {characters, Size - 1}; }

  char characters[Size]{};
};

/// Counter<"hits", "requests", "loads that found all sectors">: grows. As large as its value, which it converts to.
template <Text Name, Text Unit, Text Meaning>
class Counter {
 public:
  static constexpr std::string_view name = Name.view();
  static constexpr std::string_view unit = Unit.view();
  static constexpr std::string_view meaning = Meaning.view();

  // NOLINTNEXTLINE(google-explicit-constructor): it is used as the number it counts
  constexpr operator std::uint64_t() const { return value_; }
  constexpr Counter& operator=(std::uint64_t value) {
    value_ = value;
    return *this;
  }
  constexpr Counter& operator+=(std::uint64_t more) {
    value_ += more;
    return *this;
  }
  constexpr Counter& operator++() {
    ++value_;
    return *this;
  }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace strata::stats
