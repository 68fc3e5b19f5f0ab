// SPDX-License-Identifier: Apache-2.0
// What `--vary PATH=...` says: one thing that is varied, and the values that it
// takes. Between the commas stand single values as --set takes them, ranges
// `lo..hi:xF` and `lo..hi:+S` with both ends included, and factors `*F` of the
// value that is there already, which may be a range of factors as well. Values
// come out as texts for the parser of configurations, so that what it refuses is
// refused in its own words; only the arithmetic of ranges and factors is done
// here, on whole numbers where the kind of number is whole.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/sweep/numbers.hpp"

namespace strata::study {

/// More points than this are a slip of the pen rather than a sweep.
inline constexpr std::size_t most_sweep_points = 100'000;

struct VariedValue {
  std::string text;                   ///< as --set takes it
  double number = 0;                  ///< in base units; NaN where it is no number; a factor itself
  std::optional<double> factor = {};  ///< of what each machine has; see Present::of_each
};

struct Variation {
  std::string path;
  const config::NumberKind* kind = nullptr;  ///< null: a text, a choice, a map
  bool scaled = false;                       ///< some value is a factor of what is there
  bool factors = false;                      ///< all are, each of its own machine's value
  std::vector<VariedValue> values;
};

/// What a path stands at before it is varied.
struct Present {
  const config::NumberKind* kind = nullptr;
  bool number_by_look = false;  ///< the kind is that of the first value, by how it is written
  std::string value;            ///< empty: it has none
  bool of_each = false;         ///< machines differ in it: factors stay factors
  bool parameters = false;      ///< a value includes the `name=value` that follow it: NAME,a=1,b=2
};

/// The part of `PATH=...` before the '='. Throws InputError where there is none.
std::string varied_path(std::string_view argument);

/// Throws InputError (`--vary:1:COLUMN`): nothing between two commas, a range
/// that does not rise, steps that lead nowhere, a value given twice, more
/// than most_sweep_points values.
Variation read_variation(std::string_view argument, const Present& present);

/// The values of `PATH=a,b,c` as they are written, ranges and factors too. parameters: as in Present.
std::vector<std::string> written_values(std::string_view argument, bool parameters);

}  // namespace strata::study
