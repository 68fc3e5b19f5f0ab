// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace strata {

/// The least multiple of `unit` that is not below `value`.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// A count as a factor of quantities that are not whole.
constexpr double real(std::uint64_t whole) { return static_cast<double>(whole); }

}  // namespace strata
