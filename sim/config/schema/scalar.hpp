// SPDX-License-Identifier: Apache-2.0
// The C++ types that one scalar of a configuration can be bound to, and how
// each is read and printed: quantities, whole numbers, double, bool, text and
// enumerations with a table of names.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "config/schema/info.hpp"
#include "config/schema/rules.hpp"
#include "config/value/unit.hpp"

namespace strata::config {

template <class T>
struct IsQuantity : std::false_type {};
template <class Tag, class Number>
struct IsQuantity<Quantity<Tag, Number>> : std::true_type {};

template <class T>
concept NumberType = IsQuantity<T>::value || ((std::integral<T> || std::same_as<T, double>) && !std::same_as<T, bool>);
template <class T>
concept ScalarType = NumberType<T> || std::same_as<T, bool> || std::same_as<T, std::string> || std::is_enum_v<T>;

template <NumberType T>
constexpr const NumberKind& kind_of() {
  if constexpr (IsQuantity<T>::value) {
    return KindOfTag<typename T::tag_type>::kind;
  } else if constexpr (std::same_as<T, double>) {
    return real_kind;
  } else if constexpr (std::signed_integral<T>) {
    return integer_kind;
  } else {
    return count_kind;
  }
}

/// Text that reads back as the same value.
template <NumberType T>
std::string show_number(T value) {
  if constexpr (IsQuantity<T>::value) {
    if constexpr (std::integral<typename T::number_type>)
      return show_whole(value.value, kind_of<T>());
    else
      return show_real(value.value, kind_of<T>());
  } else if constexpr (std::same_as<T, double>) {
    return show_real(value, real_kind);
  } else {
    return std::to_string(value);
  }
}

template <NumberType T>
Reading<T> read_number(std::string_view text) {
  const auto& kind = kind_of<T>();
  const auto narrow = [&](const auto& reading) -> Reading<T> {
    if (!reading.error.empty()) return {T{}, reading.error};
    if constexpr (std::integral<T>) {
      if (!std::in_range<T>(reading.value)) return {T{}, "is too large: '" + std::string(text) + "'"};
    }
    if constexpr (IsQuantity<T>::value)
      return {T{reading.value}, {}};
    else
      return {static_cast<T>(reading.value), {}};
  };
  if constexpr (IsQuantity<T>::value) {
    if constexpr (std::integral<typename T::number_type>)
      return narrow(read_whole(text, kind));
    else
      return narrow(read_real(text, kind));
  } else if constexpr (std::same_as<T, double>) {
    return narrow(read_real(text, kind));
  } else if constexpr (std::signed_integral<T>) {
    return narrow(read_signed(text, kind));
  } else {
    return narrow(read_whole(text, kind));
  }
}

template <NumberType T>
bool is_power_of_two(T value) {
  if constexpr (IsQuantity<T>::value)
    return is_power_of_two(value.value);
  else if constexpr (std::integral<T>)
    return value > 0 && (value & (value - 1)) == 0;
  else
    return false;
}

/// `1 KiB to 4 GiB, a power of two`; `0, or 1 MB/s to 1000 TB/s`.
template <class T>
std::string range_text(const Rules<T>& rules) {
  std::string out;
  if constexpr (NumberType<T>) {
    if (rules.or_zero) out = "0, or ";
    if (rules.low && rules.high)
      out += show_number(*rules.low) + " to " + show_number(*rules.high);
    else if (rules.low)
      out = "at least " + show_number(*rules.low);
    if (rules.power_of_two) out += out.empty() ? "a power of two" : ", a power of two";
  }
  return out;
}

/// What did not fit, as text that completes "'path' "; `hint` is the nearest name.
struct Misfit {
  std::string error;
  std::string hint;
};
Misfit unknown_choice(std::string_view text, const std::vector<std::string>& names);

/// Reads one scalar's text by the field's rules. Only a text may be empty, and only in quotes.
template <ScalarType T>
Misfit read_scalar(std::string_view text, bool quoted, const Rules<T>& rules, T& out) {
  const bool may_be_empty = std::same_as<T, std::string> && quoted && rules.choices.empty();
  if (text.empty() && !may_be_empty) return {"has no value", {}};
  if (!rules.choices.empty()) {
    std::vector<std::string> names;
    for (const Named<T>& choice : rules.choices) {
      if (choice.name == text) {
        out = choice.value;
        return {};
      }
      names.push_back(choice.name);
    }
    return unknown_choice(text, names);
  } else if constexpr (NumberType<T>) {  // NOLINT(readability-else-after-return): at compile time
    const Reading<T> reading = read_number<T>(text);
    if (!reading.error.empty()) return {reading.error, {}};
    const bool low = rules.low && reading.value < *rules.low && !(rules.or_zero && reading.value == T{});
    const bool high = rules.high && reading.value > *rules.high;
    const bool uneven = rules.power_of_two && !is_power_of_two(reading.value);
    if (low || high || uneven) return {"must be " + range_text(rules) + ", not '" + std::string(text) + "'", {}};
    out = reading.value;
  } else if constexpr (std::same_as<T, bool>) {
    if (text != "true" && text != "false") return {"must be true or false, not '" + std::string(text) + "'", {}};
    out = text == "true";
  } else if constexpr (std::same_as<T, std::string>) {
    out = std::string(text);
  }
  return {};
}

template <ScalarType T>
std::string show_scalar(const T& value, const Rules<T>& rules) {
  for (const Named<T>& choice : rules.choices) {
    if (choice.value == value) return choice.name;
  }
  if constexpr (NumberType<T>)
    return show_number(value);
  else if constexpr (std::same_as<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::same_as<T, std::string>)
    return value;
  else
    return {};
}

/// Fills in what the type says about a field.
template <ScalarType T>
void describe_scalar(const Rules<T>& rules, FieldInfo& info) {
  for (const Named<T>& choice : rules.choices) info.choices.push_back({choice.name, choice.meaning});
  info.range = range_text(rules);
  if constexpr (NumberType<T>) {
    info.kind = kind_of<T>().name;
    info.phrase = kind_of<T>().phrase;
    info.units = unit_list(kind_of<T>());
    info.number = true;
  } else if constexpr (std::same_as<T, bool>) {
    info.kind = "true or false";
    info.phrase = "true or false";
  } else {
    info.kind = rules.choices.empty() ? "text" : "choice";
    info.phrase = rules.choices.empty() ? "a text" : "a choice";
  }
}

}  // namespace strata::config
