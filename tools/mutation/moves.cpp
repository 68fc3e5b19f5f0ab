// SPDX-License-Identifier: Apache-2.0
#include "moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "study/sweep/sensitivity.hpp"

namespace strata::mutation {

namespace {

// Factors of a move, the nearest to a half first.
constexpr std::array down{0.5, 0.5625, 0.4375, 0.625, 0.375, 0.75, 0.25, 0.875};
constexpr std::array up{1.5, 1.4375, 1.5625, 1.375, 1.625, 1.25, 1.75, 2.0, 1.125};

// A size in bytes, so that half of an odd number of KiB can be written.
std::pair<double, std::string> split(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  std::string unit(end);
  constexpr std::array<std::pair<std::string_view, double>, 4> sizes{
      {{" KiB", 0x1p10}, {" MiB", 0x1p20}, {" GiB", 0x1p30}, {" TiB", 0x1p40}}};
  for (const auto& [name, bytes] : sizes)
    if (unit == name) return {value * bytes, " B"};
  return {value, unit};
}

}  // namespace

std::vector<Number> numbers(const config::Effective& root) {
  std::vector<Number> out;
  for (const study::NumberSetting& setting : study::number_settings(root))
    if (std::strtod(setting.value.c_str(), nullptr) != 0) out.push_back({setting.path, setting.value});
  return out;
}

std::vector<std::string> moved(const std::string& value, Direction direction) {
  const auto parts = split(value);
  const double number = parts.first;
  const std::string& unit = parts.second;
  const bool whole = number == std::floor(number);
  std::vector<std::string> out;
  const auto offer = [&](double to) {
    if (to == number) return;
    std::string text = fmt::format("{:.12g}{}", to, unit);
    if (std::abs(to) >= 1e6 && to == std::floor(to)) text = fmt::format("{:.0f}{}", to, unit);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  };
  const auto go = [&](const auto& factors) {
    for (const double factor : factors) {
      const double to = number * factor;
      if (unit != " B") offer(to);
      if (whole) offer(std::round(to));
    }
  };
  if (direction == Direction::down)
    go(down);
  else
    go(up);
  // Small counts have no half: the next whole number.
  if (whole) offer(number + (direction == Direction::down ? -1 : 1));
  return out;
}

}  // namespace strata::mutation
