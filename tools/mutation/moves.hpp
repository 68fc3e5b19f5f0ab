// SPDX-License-Identifier: Apache-2.0
// The settings of a configuration that are numbers, and the values that stand
// half below and half above each.
#pragma once
#include <string>
#include <vector>

#include "config/effective.hpp"

namespace strata::mutation {

enum class Direction : std::uint8_t { down, up };

/// A number of the effective configuration that is not nought, not a seed, not the
/// end of a link and not an entry of a list of numbers (masks of address bits,
/// sizes of groups).
struct Number {
  std::string path;
  std::string value;  ///< as the model reads it, with its unit
};
std::vector<Number> numbers(const config::Effective& root);

/// Half of the value or half as much again, then what is nearest to it, nearest
/// first: which of them a configuration allows is found by trying. Sizes are
/// given in bytes; a value without a fraction is offered whole as well.
std::vector<std::string> moved(const std::string& value, Direction direction);

}  // namespace strata::mutation
