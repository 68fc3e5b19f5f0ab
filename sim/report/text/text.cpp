// SPDX-License-Identifier: Apache-2.0
#include "report/text/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/printable.hpp"

namespace strata::report {

namespace {
constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

template <typename OnCodePoint>
std::string rewrite(std::string_view text, OnCodePoint&& on_code_point) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    out += length == 0 ? replacement : on_code_point(text.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string trimmed(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number == "-0" ? "0" : number;
}
}  // namespace

std::string valid_utf8(std::string_view text) {
  return rewrite(text, [](std::string_view code_point) { return code_point; });
}

std::string clean(std::string_view text) {
  std::string line(text);
  for (char& character : line)
    if (character == '\t' || character == '\n' || character == '\r') character = ' ';
  return printable(line);
}

std::string escape_markup(std::string_view text) {
  const std::string safe = clean(text);
  std::string out;
  out.reserve(safe.size());
  for (const char character : safe) {
    switch (character) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += character;
    }
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char character) {
    return (static_cast<unsigned char>(character) & 0xC0U) != 0x80U;
  }));
}

std::string shortest(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

std::string readable(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude >= 1e15) return fmt::format("{:.4g}", value);
  if (magnitude >= 1000) return fmt::format("{:.0f}", value);
  if (magnitude >= 100) return trimmed(fmt::format("{:.1f}", value));
  if (magnitude >= 10) return trimmed(fmt::format("{:.2f}", value));
  if (magnitude >= 1) return trimmed(fmt::format("{:.3f}", value));
  return fmt::format("{:.3g}", value);
}

std::string fixed(double value, int decimals) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals) : "-";
}

std::string percent(double fraction) { return fixed(fraction * 100, 1); }

std::string signed_percent(double fraction) {
  return std::isfinite(fraction) ? fmt::format("{:+.1f}", fraction * 100) : "-";
}

std::string size_label(double bytes) {
  static constexpr std::array<std::string_view, 6> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  if (!std::isfinite(bytes)) return "-";
  std::size_t unit = 0;
  while (std::abs(bytes) >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

std::string coordinate(double value) { return trimmed(fmt::format("{:.2f}", value)); }

}  // namespace strata::report
