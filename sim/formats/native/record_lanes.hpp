// SPDX-License-Identifier: Apache-2.0
// Lanes, addresses and operation of an instruction in the shortest form.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

#include "trace/instruction.hpp"

namespace strata::formats {

/// The stride of the lanes, if one stride gives all addresses.
inline bool stride_of(const trace::Instruction& i, std::uint32_t& stride) {
  stride = i.strided && i.lanes > 1 ? i.lane_stride : 0;
  if (i.strided || i.lanes < 2) return true;
  const std::uint64_t first = i.addresses[1] - i.addresses[0];
  if (first > std::numeric_limits<std::uint32_t>::max()) return false;
  for (unsigned lane = 1; lane < i.lanes; ++lane)
    if (i.addresses[lane] - i.addresses[lane - 1] != first || i.addresses[lane] < i.addresses[lane - 1]) return false;
  stride = static_cast<std::uint32_t>(first);
  return true;
}

inline void set_lanes(trace::Instruction& i, std::uint64_t mask) {
  i.lanes = static_cast<std::uint8_t>(std::popcount(mask));
  i.mask = mask == trace::first_lanes(i.lanes) ? 0 : mask;
}

/// Of an access: that of its memory::Operation, and behind them an atomic that compares.
inline constexpr unsigned compare_and_swap = 3;
inline unsigned operation_number(const trace::Instruction& i) {
  const bool compares = i.compares && i.operation == memory::Operation::atomic;
  return compares ? compare_and_swap : static_cast<unsigned>(i.operation);
}
inline void set_operation(trace::Instruction& i, unsigned number) {
  i.compares = number == compare_and_swap;
  i.operation = i.compares ? memory::Operation::atomic : static_cast<memory::Operation>(number);
}

}  // namespace strata::formats
