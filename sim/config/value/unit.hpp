// SPDX-License-Identifier: Apache-2.0
// The kinds of number that a configuration may hold, each with the units it is
// written in, and the exact reading of their text. A number is decimal digits,
// with a fraction and an exponent where the kind has them; everything that
// another reader might take for something else (`010`, `0x10`, `1_000`, `nan`)
// is refused with the right notation. Parsing does not depend on the locale.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/quantity.hpp"

namespace strata::config {

/// One of these is worth `multiply / divide` of the kind's base unit.
struct Unit {
  std::string_view name;
  std::uint64_t multiply;
  std::uint64_t divide;
  bool listed;  ///< named in messages and used in printing; others are understood as well
};

struct NumberKind {
  std::string_view name;        ///< `size`: for the reference page
  std::string_view phrase;      ///< `a size`: for messages
  std::span<const Unit> units;  ///< smallest first; empty: written without a unit
  bool whole;                   ///< held as a whole number of base units
  bool unit_optional;
  bool may_be_negative;
};

/// `B, KiB, MiB or GiB`; empty for kinds without units.
std::string unit_list(const NumberKind& kind);

/// What reading gave: a value, or an error that completes "'path' " (`is a size and needs …`).
template <class Number>
struct Reading {
  Number value{};
  std::string error;
};

/// Reads a whole number of base units; never rounds.
Reading<std::uint64_t> read_whole(std::string_view text, const NumberKind& kind);
/// Reads the nearest double, in base units; never an infinity.
Reading<double> read_real(std::string_view text, const NumberKind& kind);
/// Reads a signed whole number without a unit.
Reading<std::int64_t> read_signed(std::string_view text, const NumberKind& kind);

/// Text that reads back as the same value, in the largest listed unit that keeps it whole.
std::string show_whole(std::uint64_t value, const NumberKind& kind);
std::string show_real(double value, const NumberKind& kind);

namespace units {
inline constexpr std::uint64_t kilo = 1000;
inline constexpr std::uint64_t mega = kilo * kilo;
inline constexpr std::uint64_t giga = mega * kilo;
inline constexpr std::uint64_t tera = giga * kilo;
inline constexpr std::uint64_t kibi = 1024;

inline constexpr Unit size[] = {
    {"B", 1, 1, true},      {"KiB", kibi, 1, true}, {"MiB", kibi* kibi, 1, true}, {"GiB", kibi* kibi* kibi, 1, true},
    {"kB", kilo, 1, false}, {"KB", kilo, 1, false}, {"MB", mega, 1, false},       {"GB", giga, 1, false}};
inline constexpr Unit frequency[] = {
    {"Hz", 1, 1, true}, {"kHz", kilo, 1, true}, {"MHz", mega, 1, true}, {"GHz", giga, 1, true}};
inline constexpr Unit cycles[] = {{"clk", 1, 1, true}};
inline constexpr Unit time[] = {
    {"ps", 1, kilo, true}, {"ns", 1, 1, true}, {"us", kilo, 1, true}, {"ms", mega, 1, false}};
inline constexpr Unit width[] = {{"B/clk", 1, 1, true}};
inline constexpr Unit bandwidth[] = {{"B/s", 1, 1, true},
                                     {"MB/s", mega, 1, true},
                                     {"GB/s", giga, 1, true},
                                     {"TB/s", tera, 1, true},
                                     {"KiB/s", kibi, 1, false},
                                     {"MiB/s", kibi* kibi, 1, false},
                                     {"GiB/s", kibi* kibi* kibi, 1, false}};
inline constexpr Unit data_rate[] = {{"T/s", 1, 1, false}, {"MT/s", mega, 1, true}, {"GT/s", giga, 1, true}};
inline constexpr Unit ratio[] = {{"%", 1, 100, true}};
}  // namespace units

inline constexpr NumberKind count_kind{"count", "a count", {}, true, true, false};
inline constexpr NumberKind integer_kind{"whole number", "a whole number", {}, true, true, true};
inline constexpr NumberKind real_kind{"number", "a number", {}, false, true, true};
inline constexpr NumberKind size_kind{"size", "a size", units::size, true, false, false};
inline constexpr NumberKind frequency_kind{"frequency", "a frequency", units::frequency, true, false, false};
inline constexpr NumberKind cycles_kind{"cycles", "a number of cycles", units::cycles, false, false, false};
inline constexpr NumberKind time_kind{"time", "a time", units::time, false, false, false};
inline constexpr NumberKind width_kind{"width", "a width", units::width, false, false, false};
inline constexpr NumberKind bandwidth_kind{"bandwidth", "a bandwidth", units::bandwidth, false, false, false};
inline constexpr NumberKind data_rate_kind{"data rate", "a data rate", units::data_rate, true, false, false};
inline constexpr NumberKind ratio_kind{"ratio", "a ratio", units::ratio, false, true, false};

/// The kind of a quantity's tag.
template <class Tag>
struct KindOfTag;
template <>
struct KindOfTag<BytesTag> {
  static constexpr const NumberKind& kind = size_kind;
};
template <>
struct KindOfTag<FrequencyTag> {
  static constexpr const NumberKind& kind = frequency_kind;
};
template <>
struct KindOfTag<CyclesTag> {
  static constexpr const NumberKind& kind = cycles_kind;
};
template <>
struct KindOfTag<NanosecondsTag> {
  static constexpr const NumberKind& kind = time_kind;
};
template <>
struct KindOfTag<BytesPerClockTag> {
  static constexpr const NumberKind& kind = width_kind;
};
template <>
struct KindOfTag<BytesPerSecondTag> {
  static constexpr const NumberKind& kind = bandwidth_kind;
};
template <>
struct KindOfTag<DataRateTag> {
  static constexpr const NumberKind& kind = data_rate_kind;
};
template <>
struct KindOfTag<RatioTag> {
  static constexpr const NumberKind& kind = ratio_kind;
};

}  // namespace strata::config
