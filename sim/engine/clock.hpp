// SPDX-License-Identifier: Apache-2.0
// Clock domains without drift. The Timebase of a machine is the least common
// multiple of the frequencies of all its clocks: one tick is one period of
// that common frequency, so 1965 MHz and 3996 MHz both have periods of a whole number of ticks,
// without drift.
#pragma once
#include <cstdint>
#include <span>

#include "base/time.hpp"

namespace strata::engine {

/// A clock whose period is a whole number of ticks; its edges are the
/// multiples of the period.
class Clock {
 public:
  constexpr Clock() = default;
  constexpr explicit Clock(Duration period) : period_(period) {}

  constexpr Duration period() const { return period_; }

  /// The span of a number of cycles; fractions of a cycle round to the nearest tick.
  constexpr Duration cycles(double count) const {
    return {static_cast<std::int64_t>(count * static_cast<double>(period_.ticks) + 0.5)};
  }
  /// The first edge at or after t.
  constexpr Time edge(Time t) const {
    const std::int64_t past = t.ticks % period_.ticks;
    return past == 0 ? t : Time{t.ticks + period_.ticks - past};
  }
  /// How many cycles a span lasts.
  constexpr double count(Duration span) const {
    return static_cast<double>(span.ticks) / static_cast<double>(period_.ticks);
  }

 private:
  Duration period_{1};
};

/// Says what a tick is worth.
class Timebase {
 public:
  /// frequencies: hertz, each > 0. Throws std::domain_error when no common
  /// tick represents a simulated second in 61 bits; frequencies with
  /// common factors are the remedy.
  explicit Timebase(std::span<const std::uint64_t> frequencies);

  std::uint64_t ticks_per_second() const { return ticks_per_second_; }
  /// A frequency given to the constructor.
  Clock clock(std::uint64_t hertz) const;
  Duration nanoseconds(double count) const {
    return {static_cast<std::int64_t>(count * 1e-9 * static_cast<double>(ticks_per_second_) + 0.5)};
  }
  double to_nanoseconds(Duration span) const {
    return static_cast<double>(span.ticks) / static_cast<double>(ticks_per_second_) * 1e9;
  }

 private:
  std::uint64_t ticks_per_second_ = 1;
};

}  // namespace strata::engine
