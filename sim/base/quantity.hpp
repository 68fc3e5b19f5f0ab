// SPDX-License-Identifier: Apache-2.0
// Strong types for the figures that specs carry: one number and the unit it is
// counted in, so that a size cannot be given where a rate is wanted. Each is an
// aggregate with the single member `value`, in the unit that its alias names;
// all operations are constexpr. Quantities of one kind add, subtract, compare,
// scale by a plain number and divide into a plain ratio; kinds do not mix.
// Nothing here is the simulator's time: the engine counts that in integers.
#pragma once

#include <compare>
#include <cstdint>

namespace strata {

template <class Tag, class Number>
struct Quantity {
  using number_type = Number;
  using tag_type = Tag;
  Number value{};

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, Number factor) { return {a.value * factor}; }
  friend constexpr Quantity operator*(Number factor, Quantity a) { return {factor * a.value}; }
  friend constexpr Quantity operator/(Quantity a, Number divisor) { return {a.value / divisor}; }
  /// How many times `b` goes into `a`; whole quantities round down.
  friend constexpr Number operator/(Quantity a, Quantity b) { return a.value / b.value; }
  friend constexpr Quantity operator%(Quantity a, Quantity b)
    requires(static_cast<Number>(0.5) == 0)
  {
    return {a.value % b.value};
  }
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value -= other.value;
    return *this;
  }
};

/// A size in bytes.
using Bytes = Quantity<struct BytesTag, std::uint64_t>;
/// A clock rate in hertz, whole so that clock domains stay exact.
using Frequency = Quantity<struct FrequencyTag, std::uint64_t>;
/// A duration in cycles of the clock that the spec names; may be fractional where it was measured.
using Cycles = Quantity<struct CyclesTag, double>;
/// A duration in nanoseconds.
using Nanoseconds = Quantity<struct NanosecondsTag, double>;
/// A width: bytes moved per clock.
using BytesPerClock = Quantity<struct BytesPerClockTag, double>;
/// A bandwidth in bytes per second.
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;
/// The transfer rate of one data pin, in transfers per second.
using DataRate = Quantity<struct DataRateTag, std::uint64_t>;
/// A share of a whole: 0.5 and 50 % are the same.
using Ratio = Quantity<struct RatioTag, double>;

namespace literals {
// NOLINTBEGIN(google-runtime-int): the language fixes the parameter types.
constexpr Bytes operator""_B(unsigned long long n) { return {n}; }
constexpr Bytes operator""_KiB(unsigned long long n) { return {n << 10U}; }
constexpr Bytes operator""_MiB(unsigned long long n) { return {n << 20U}; }
constexpr Bytes operator""_GiB(unsigned long long n) { return {n << 30U}; }
constexpr Frequency operator""_MHz(unsigned long long n) { return {n * 1'000'000U}; }
constexpr Frequency operator""_GHz(unsigned long long n) { return {n * 1'000'000'000U}; }
constexpr Cycles operator""_clk(unsigned long long n) { return {static_cast<double>(n)}; }
constexpr Cycles operator""_clk(long double n) { return {static_cast<double>(n)}; }
constexpr Nanoseconds operator""_ns(unsigned long long n) { return {static_cast<double>(n)}; }
constexpr Nanoseconds operator""_ns(long double n) { return {static_cast<double>(n)}; }
constexpr Nanoseconds operator""_us(unsigned long long n) { return {static_cast<double>(n) * 1e3}; }
constexpr BytesPerClock operator""_B_clk(unsigned long long n) { return {static_cast<double>(n)}; }
constexpr BytesPerSecond operator""_GB_s(unsigned long long n) { return {static_cast<double>(n) * 1e9}; }
constexpr DataRate operator""_MT_s(unsigned long long n) { return {n * 1'000'000U}; }
// NOLINTEND(google-runtime-int)
}  // namespace literals

}  // namespace strata
