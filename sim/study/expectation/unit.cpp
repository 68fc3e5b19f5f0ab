// SPDX-License-Identifier: Apache-2.0
#include "study/expectation/unit.hpp"

#include <algorithm>
#include <array>

#include "config/schema/scalar.hpp"

namespace strata::study {

namespace {

constexpr double kibi = 1024;

constexpr std::array<Unit, 19> all_units{{
    {"clk", Dimension::cycles, 1},
    {"ns", Dimension::time, 1},
    {"us", Dimension::time, 1e3},
    {"B", Dimension::size, 1},
    {"KiB", Dimension::size, kibi},
    {"MiB", Dimension::size, kibi* kibi},
    {"GiB", Dimension::size, kibi* kibi* kibi},
    {"B/clk", Dimension::width, 1},
    {"B/s", Dimension::bandwidth, 1},
    {"MB/s", Dimension::bandwidth, 1e6},
    {"GB/s", Dimension::bandwidth, 1e9},
    {"TB/s", Dimension::bandwidth, 1e12},
    {"Hz", Dimension::frequency, 1},
    {"kHz", Dimension::frequency, 1e3},
    {"MHz", Dimension::frequency, 1e6},
    {"GHz", Dimension::frequency, 1e9},
    {"count", Dimension::count, 1},
    {"ratio", Dimension::ratio, 1},
    {"%", Dimension::percent, 1},
}};

template <class Quantity>
bool read_with(std::string_view text, Dimension dimension, std::optional<Value>& out) {
  const config::Reading<Quantity> reading = config::read_number<Quantity>(text);
  if (!reading.error.empty()) return false;
  if constexpr (config::IsQuantity<Quantity>::value) {
    out = Value{dimension, static_cast<double>(reading.value.value)};
  } else {
    out = Value{dimension, static_cast<double>(reading.value)};
  }
  return true;
}

}  // namespace

std::string_view phrase(Dimension dimension) {
  switch (dimension) {
    case Dimension::cycles:
      return "a number of cycles";
    case Dimension::time:
      return "a time";
    case Dimension::size:
      return "a size";
    case Dimension::width:
      return "a width";
    case Dimension::bandwidth:
      return "a bandwidth";
    case Dimension::frequency:
      return "a frequency";
    case Dimension::count:
      return "a count";
    case Dimension::ratio:
      return "a ratio";
    case Dimension::percent:
      return "a mean error";
  }
  return "";
}

const Unit* find_unit(std::string_view name) {
  const auto found =
      std::find_if(all_units.begin(), all_units.end(), [name](const Unit& unit) { return unit.name == name; });
  return found == all_units.end() ? nullptr : &*found;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const Unit& unit : all_units) names.emplace_back(unit.name);
  return names;
}

std::optional<Value> read_value(std::string_view text) {
  std::optional<Value> value;
  // The units of the kinds are disjoint, so the first that reads is the one.
  [[maybe_unused]] const bool read =
      read_with<double>(text, Dimension::count, value) || read_with<Bytes>(text, Dimension::size, value) ||
      read_with<Cycles>(text, Dimension::cycles, value) || read_with<Nanoseconds>(text, Dimension::time, value) ||
      read_with<BytesPerClock>(text, Dimension::width, value) ||
      read_with<BytesPerSecond>(text, Dimension::bandwidth, value) ||
      read_with<Frequency>(text, Dimension::frequency, value);
  return value;
}

}  // namespace strata::study
