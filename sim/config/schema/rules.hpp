// SPDX-License-Identifier: Apache-2.0
// Rules of a field besides its name: its range, its choices, its size.
// These are the trailing arguments of Schema<T>::required and ::optional.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strata::config {

template <class Number>
struct Range {
  Number low;
  Number high;
};
/// 0, which stands for something of its own, or a range.
template <class Number>
struct ZeroOr {
  Range<Number> range;
};
template <class Number>
struct AtLeast {
  Number low;
};
struct PowerOfTwo {};
struct Entries {
  std::size_t least;
  std::size_t most;
};

/// One name of a choice; `meaning` goes to the reference page.
template <class Choice>
struct Named {
  std::string name;
  Choice value;
  std::string meaning = {};
};
template <class Choice>
struct Choices {
  std::vector<Named<Choice>> table;
};
struct OneOf {
  std::vector<std::string> names;
};

/// Both ends belong to the range.
template <class Number>
constexpr Range<Number> range(Number low, Number high) {
  return {low, high};
}
template <class Number>
constexpr ZeroOr<Number> zero_or(Range<Number> range) {
  return {range};
}
template <class Number>
AtLeast<Number> at_least(Number low) {
  return {low};
}
inline PowerOfTwo power_of_two() { return {}; }
/// How many entries a list may have, both ends included.
inline Entries entries(std::size_t least, std::size_t most) { return {least, most}; }
/// The names of an enumeration.
template <class Choice>
Choices<Choice> choices(std::vector<Named<Choice>> table) {
  return {std::move(table)};
}
/// The names that a text field may hold, for example those of a policy table.
inline OneOf one_of(std::vector<std::string> names) { return {std::move(names)}; }

template <class T>
class Schema;

/// All rules of one field; `Leaf` is its type without optional<> and vector<>.
template <class Leaf>
struct Rules {
  std::optional<Leaf> low;
  std::optional<Leaf> high;
  bool or_zero = false;  ///< in addition to low to high
  bool power_of_two = false;
  std::optional<Entries> entries;
  std::vector<Named<Leaf>> choices;
};

}  // namespace strata::config
