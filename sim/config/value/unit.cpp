// SPDX-License-Identifier: Apache-2.0
#include "config/value/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "config/value/provenance.hpp"

namespace strata::config {

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A text split into its number and its unit, both as written.
struct Parts {
  bool negative = false;
  std::string_view number;  ///< digits, fraction and exponent
  std::string_view unit;
  std::string_view whole;     ///< digits before the point
  std::string_view fraction;  ///< digits after the point
  int exponent = 0;
  const Unit* scale = nullptr;
  std::string error;
};

std::size_t digits_at(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - from;
}

std::string quoted(std::string_view text) { return fmt::format("'{}'", text); }

/// `is a size and needs a unit of B, KiB, MiB or GiB, not '126 MHz'`.
std::string expects(const NumberKind& kind, std::string_view text) {
  if (kind.units.empty()) return fmt::format("is {} without a unit, not {}", kind.phrase, quoted(text));
  const char* or_none = kind.unit_optional ? "may have" : "needs";
  return fmt::format("is {} and {} a unit of {}, not {}", kind.phrase, or_none, unit_list(kind), quoted(text));
}

/// Notations that are numbers elsewhere, each with the way to write it here; empty where it is none.
std::string foreign_number(std::string_view text) {
  std::string low;
  for (const char c : text) low += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::string_view bare = low;
  if (!bare.empty() && (bare.front() == '-' || bare.front() == '+')) bare.remove_prefix(1);
  if (!low.empty() && low.front() == '+') return fmt::format("must be written without '+', not {}", quoted(text));
  if (bare.starts_with("nan") || bare.starts_with("inf") || bare.starts_with(".nan") || bare.starts_with(".inf")) {
    return fmt::format("must be a finite number, not {}", quoted(text));
  }
  if (bare.size() > 1 && bare[0] == '0' && (bare[1] == 'x' || bare[1] == 'o' || bare[1] == 'b') && bare.size() > 2 &&
      (is_digit(bare[2]) || (bare[2] >= 'a' && bare[2] <= 'f'))) {
    return fmt::format("must be in decimal digits, not {}", quoted(text));
  }
  const std::size_t digits = digits_at(bare, 0);
  if (digits > 0 && digits + 1 < bare.size() && is_digit(bare[digits + 1])) {
    const char mark = bare[digits];
    if (mark == '_' || mark == '\'' || mark == ',') {
      return fmt::format("must be written without '{}' between digits, not {}", mark, quoted(text));
    }
  }
  if (digits > 1 && bare[0] == '0') return fmt::format("must not begin with 0, as {} does", quoted(text));
  return {};
}

void find_unit(Parts& parts, std::string_view text, const NumberKind& kind) {
  if (parts.unit.empty()) {
    if (!kind.unit_optional) parts.error = expects(kind, text);
    return;
  }
  for (const Unit& unit : kind.units) {
    if (unit.name == parts.unit) parts.scale = &unit;
  }
  if (parts.scale == nullptr) parts.error = expects(kind, text);
}

Parts take_apart(std::string_view text, const NumberKind& kind) {
  Parts parts;
  if (text.empty()) {
    parts.error = fmt::format("is {} and has no value", kind.phrase);
    return parts;
  }
  parts.error = foreign_number(text);
  if (!parts.error.empty()) return parts;

  std::size_t at = 0;
  if (text[0] == '-') {
    parts.negative = true;
    at = 1;
  }
  const std::size_t begin = at;
  std::size_t digits = digits_at(text, at);
  if (digits == 0) {
    parts.error = kind.units.empty() ? fmt::format("is {}, not {}", kind.phrase, quoted(text))
                                     : fmt::format("is {} such as '64 {}', not {}", kind.phrase,
                                                   kind.units.front().name, quoted(text));
    return parts;
  }
  parts.whole = text.substr(at, digits);
  at += digits;
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    digits = digits_at(text, at + 1);
    parts.fraction = text.substr(at + 1, digits);
    at += 1 + digits;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const bool sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
    const std::size_t first = at + (sign ? 2 : 1);
    digits = digits_at(text, first);
    if (digits > 0) {
      constexpr int far = 100'000;  // beyond any double; keeps the sum from overflowing
      int exponent = 0;
      for (const char c : text.substr(first, digits)) exponent = std::min(far, exponent * 10 + (c - '0'));
      parts.exponent = sign && text[at + 1] == '-' ? -exponent : exponent;
      at = first + digits;
    }
  }
  parts.number = text.substr(begin, at - begin);
  parts.unit = trimmed(text.substr(at));
  if (!kind.may_be_negative && parts.negative) {
    parts.error = fmt::format("is {} and must not be negative, as {} is", kind.phrase, quoted(text));
    return parts;
  }
  find_unit(parts, text, kind);
  return parts;
}

bool times(std::uint64_t& value, std::uint64_t factor) {
  if (factor != 0 && value > most / factor) return false;
  value *= factor;
  return true;
}

/// The digits as one whole number, times the unit, times the power of ten.
Reading<std::uint64_t> scaled(const Parts& parts, std::string_view text, const NumberKind& kind) {
  const std::string too_large = fmt::format("is too large: {}", quoted(text));
  std::string_view fraction = parts.fraction;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  std::uint64_t value = 0;
  for (const std::string_view digits : {parts.whole, fraction}) {
    for (const char c : digits) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (value > (most - digit) / 10) return {0, too_large};
      value = value * 10 + digit;
    }
  }
  std::uint64_t unit = parts.scale != nullptr ? parts.scale->multiply : 1;
  std::int64_t power = parts.exponent - static_cast<std::int64_t>(fraction.size());
  for (; power < 0 && unit % 10 == 0; ++power) unit /= 10;
  for (; power < 0 && value != 0 && value % 10 == 0; ++power) value /= 10;
  if (value == 0) return {0, {}};
  if (!times(value, unit)) return {0, too_large};
  for (; power > 0; --power) {
    if (!times(value, 10)) return {0, too_large};
  }
  for (; power < 0; ++power) {
    if (value % 10 != 0) {
      const std::string_view base = kind.units.empty() ? "" : kind.units.front().name;
      return {0, base.empty() ? fmt::format("must be a whole number, not {}", quoted(text))
                              : fmt::format("must be a whole number of {}, not {}", base, quoted(text))};
    }
    value /= 10;
  }
  return {value, {}};
}

}  // namespace

std::string unit_list(const NumberKind& kind) {
  std::vector<std::string_view> names;
  for (const Unit& unit : kind.units) {
    if (unit.listed) names.push_back(unit.name);
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += names[i];
  }
  return out;
}

Reading<std::uint64_t> read_whole(std::string_view text, const NumberKind& kind) {
  const Parts parts = take_apart(text, kind);
  if (!parts.error.empty()) return {0, parts.error};
  return scaled(parts, text, kind);
}

Reading<std::int64_t> read_signed(std::string_view text, const NumberKind& kind) {
  const Parts parts = take_apart(text, kind);
  if (!parts.error.empty()) return {0, parts.error};
  const Reading<std::uint64_t> magnitude = scaled(parts, text, kind);
  if (!magnitude.error.empty()) return {0, magnitude.error};
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude.value > largest) return {0, fmt::format("is too large: {}", quoted(text))};
  const auto value = static_cast<std::int64_t>(magnitude.value);
  return {parts.negative ? -value : value, {}};
}

namespace {

/// False if the number is out of range. libc++ before version 20 has no from_chars for double; on
/// WebAssembly, where it is used, strtod has only the locale "C" and rounds in the same way.
bool nearest_double(std::string_view digits, double& value) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc::result_out_of_range;
#else
  errno = 0;
  value = std::strtod(std::string(digits).c_str(), nullptr);
  return errno != ERANGE;
#endif
}

}  // namespace

Reading<double> read_real(std::string_view text, const NumberKind& kind) {
  const Parts parts = take_apart(text, kind);
  if (!parts.error.empty()) return {0, parts.error};
  double value = 0;
  if (!nearest_double(parts.number, value)) return {0, fmt::format("is out of range: {}", quoted(text))};
  if (parts.scale != nullptr) {
    value = value * static_cast<double>(parts.scale->multiply) / static_cast<double>(parts.scale->divide);
  }
  if (!std::isfinite(value)) return {0, fmt::format("is out of range: {}", quoted(text))};
  return {parts.negative ? -value : value, {}};
}

std::string show_whole(std::uint64_t value, const NumberKind& kind) {
  if (kind.units.empty()) return fmt::format("{}", value);
  const Unit* best = &kind.units.front();
  for (const Unit& unit : kind.units) {
    if (unit.listed && value != 0 && value % unit.multiply == 0 && unit.multiply >= best->multiply) best = &unit;
  }
  return fmt::format("{} {}", value / best->multiply, best->name);
}

std::string show_real(double value, const NumberKind& kind) {
  // The largest unit that leaves one or more of it, if that text reads back as the same double.
  const auto in = [](double number, std::string_view unit) {
    return unit.empty() ? fmt::format("{}", number) : fmt::format("{} {}", number, unit);
  };
  if (kind.unit_optional) return in(value, {});
  std::string best = in(value, {});
  std::uint64_t best_multiply = 0;
  for (const Unit& unit : kind.units) {
    const double count = value * static_cast<double>(unit.divide) / static_cast<double>(unit.multiply);
    const std::string text = in(count, unit.name);
    const bool base = unit.multiply == 1 && unit.divide == 1;
    if (!base && (!unit.listed || !(count >= 1) || read_real(text, kind).value != value)) continue;
    if (base && best_multiply != 0 && !(count >= 1) && value != 0) continue;
    if (unit.multiply >= best_multiply) {
      best = text;
      best_multiply = unit.multiply;
    }
  }
  return best;
}

}  // namespace strata::config
