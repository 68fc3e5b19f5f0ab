// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a sensitivity analysis: the numbers of a configuration, the values
// that a number takes when it is moved by a factor or drawn from a range, and the
// elasticity that follows from two answers.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/effective.hpp"
#include "config/value/unit.hpp"

namespace strata::study {

struct NumberSetting {
  std::string path;   ///< entries of lists by their name, where they have one
  std::string value;  ///< as the model reads it, with its unit
  config::Provenance provenance;
  std::optional<config::Position> set_by;  ///< unset: the default
};

/// The numbers of an effective configuration, in its order. Seeds, the ends of links
/// and lists of numbers (masks of address bits, sizes of groups) are not among them.
std::vector<NumberSetting> number_settings(const config::Effective& root);

enum class Direction : std::uint8_t { down, up };

struct Move {
  std::string text;        ///< as --set takes it
  double number = 0;       ///< in base units
  bool by_factor = false;  ///< the value times the factor asked for, rounded where the kind is whole
};

/// The value in base units; none: the text is no number of that kind.
std::optional<double> number_of(const std::string& value, const config::NumberKind& kind);

/// Values to try, in order: the value times 1 - by or 1 + by, then other steps in the same
/// direction, the nearest first, down to a half or up to the double. Whole kinds are rounded;
/// where that changes nothing, the next whole number is taken. Zero is not among the values,
/// and has none, since no factor moves it.
std::vector<Move> moves(const std::string& value, const config::NumberKind& kind, Direction direction, double by);

/// The value times a factor from 1 / (1 + range) to 1 + range, uniform in the logarithm.
/// Depends on the seed, the draw and the path alone, not on other settings.
Move drawn(const std::string& path, const std::string& value, const config::NumberKind& kind, double range,
           std::uint64_t seed, std::uint64_t draw);

/// d ln(answer) / d ln(setting) between two points; NaN where one of the four is not
/// positive or the settings are equal.
double elasticity(double setting_low, double answer_low, double setting_high, double answer_high);

/// The value below which that share of the sorted values lies, linear between
/// neighbours; NaN of none. share: 0 to 1.
double quantile(const std::vector<double>& sorted, double share);

}  // namespace strata::study
