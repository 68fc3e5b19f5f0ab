// SPDX-License-Identifier: Apache-2.0
// The settings of a configuration that are numbers, and the values half below and half above
// each.
#pragma once
#include <string>
#include <vector>

#include "config/effective.hpp"

namespace strata::mutation {

enum class Direction : std::uint8_t { down, up };

/// A number of the effective configuration that is not 0, not a seed, not the
/// end of a link and not an entry of a list of numbers (masks of address bits,
/// sizes of groups).
struct Number {
  std::string path;
  std::string value;  ///< as the model reads it, with its unit
};
std::vector<Number> numbers(const config::Effective& root);

/// Half of the value or half as much again, then the values nearest to it, nearest first: the
/// caller tries which of them a configuration allows. Sizes are given in bytes; a value without
/// a fraction is also offered as a whole number.
std::vector<std::string> moved(const std::string& value, Direction direction);

}  // namespace strata::mutation
