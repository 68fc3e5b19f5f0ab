// SPDX-License-Identifier: Apache-2.0
#include "engine/clock.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

namespace strata::engine {

namespace {
// A second of ticks below 2^61: the event queue stores two bits of priority with the time.
constexpr std::uint64_t most_ticks_per_second = std::uint64_t{1} << 61U;
}  // namespace

Timebase::Timebase(std::span<const std::uint64_t> frequencies) {
  for (const std::uint64_t hertz : frequencies) {
    if (hertz == 0) throw std::domain_error("a clock of 0 Hz never ticks");
    const std::uint64_t factor = hertz / std::gcd(ticks_per_second_, hertz);
    if (factor > most_ticks_per_second / ticks_per_second_)
      throw std::domain_error(
          fmt::format("the clocks of {} Hz have no common tick; give them common factors, for example "
                      "whole multiples of 5 MHz, or make two of them equal",
                      fmt::join(frequencies, ", ")));
    ticks_per_second_ *= factor;
  }
}

Clock Timebase::clock(std::uint64_t hertz) const {
  if (hertz == 0 || ticks_per_second_ % hertz != 0)
    throw std::domain_error(fmt::format("{} Hz is not a clock of this timebase", hertz));
  return Clock{Duration{static_cast<std::int64_t>(ticks_per_second_ / hertz)}};
}

}  // namespace strata::engine
