// SPDX-License-Identifier: Apache-2.0
// The units that an expectation may be stated in, and what each measures.
// Values are held in the base unit of their dimension: clk, ns, B, B/clk, B/s,
// Hz, or the bare number.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::study {

enum class Dimension : std::uint8_t { cycles, time, size, width, bandwidth, frequency, count, ratio, percent };

/// "a time": for messages.
std::string_view phrase(Dimension dimension);

struct Unit {
  std::string_view name = "count";
  Dimension dimension = Dimension::count;
  double scale = 1;  ///< base units in one of these

  double from_base(double value) const { return value / scale; }
};

/// Null where there is no such unit.
const Unit* find_unit(std::string_view name);
std::vector<std::string> unit_names();

struct Value {
  Dimension dimension = Dimension::count;
  double base = 0;
};

/// Reads a figure of a configuration in its fixed notation, `216 KiB` or `16`;
/// nothing where the text is no figure.
std::optional<Value> read_value(std::string_view text);

}  // namespace strata::study
