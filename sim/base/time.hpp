// SPDX-License-Identifier: Apache-2.0
// Simulated time as whole ticks. What a tick is worth is decided once per
// machine by engine::Timebase, so that the period of every clock is a whole
// number of ticks and no clock ever drifts against another.
#pragma once
#include <compare>
#include <cstdint>

namespace strata {

/// A span of simulated time, in ticks. May be negative only as an
/// intermediate result.
struct Duration {
  std::int64_t ticks = 0;

  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration& operator+=(Duration other) {
    ticks += other.ticks;
    return *this;
  }
  constexpr Duration& operator-=(Duration other) {
    ticks -= other.ticks;
    return *this;
  }
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.ticks + b.ticks}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.ticks - b.ticks}; }
  friend constexpr Duration operator*(Duration a, std::int64_t n) { return {a.ticks * n}; }
  friend constexpr Duration operator*(std::int64_t n, Duration a) { return {a.ticks * n}; }
};

/// A point in simulated time, in ticks since the start of the run.
struct Time {
  std::int64_t ticks = 0;

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time& operator+=(Duration d) {
    ticks += d.ticks;
    return *this;
  }
  friend constexpr Time operator+(Time t, Duration d) { return {t.ticks + d.ticks}; }
  friend constexpr Time operator-(Time t, Duration d) { return {t.ticks - d.ticks}; }
  friend constexpr Duration operator-(Time a, Time b) { return {a.ticks - b.ticks}; }
};

constexpr Time later(Time a, Time b) { return a < b ? b : a; }
constexpr Time earlier(Time a, Time b) { return b < a ? b : a; }
constexpr Duration longer(Duration a, Duration b) { return a < b ? b : a; }

}  // namespace strata
