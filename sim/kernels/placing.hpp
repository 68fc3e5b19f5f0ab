// SPDX-License-Identifier: Apache-2.0
// Addresses of the active lanes of an access: by a function of the lane, or affine in the lane or in the thread's place,
// which needs no call for each.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>

#include "trace/kernel.hpp"

namespace strata::kernels {

/// One stride gives the first n addresses, if one does.
inline void find_stride(trace::Instruction& i, unsigned n) {
  const std::uint64_t stride = n > 1 ? i.addresses[1] - i.addresses[0] : 0;
  i.strided = stride <= std::numeric_limits<std::uint32_t>::max();
  for (unsigned k = 2; i.strided && k < n; ++k) i.strided = i.addresses[k] - i.addresses[k - 1] == stride;
  i.lane_stride = i.strided ? static_cast<std::uint32_t>(stride) : 0;
}

/// Lane l accesses address_of(l).
template <class AddressOf>
void place_by_lane(trace::Instruction& i, std::uint64_t active, AddressOf address_of) {
  unsigned n = 0;
  for (std::uint64_t left = active; left != 0; left &= left - 1)
    i.addresses[n++] = address_of(static_cast<unsigned>(std::countr_zero(left)));
  find_stride(i, n);
}

/// Lane l accesses first + l x stride.
inline void place_by_stride(trace::Instruction& i, std::uint64_t active, std::uint64_t first, std::uint32_t stride) {
  const auto lowest = static_cast<unsigned>(std::countr_zero(active | (std::uint64_t{1} << 63U)));
  if (((active >> lowest) & ((active >> lowest) + 1)) != 0)  // a hole between the active lanes
    return place_by_lane(i, active, [&](unsigned lane) { return first + std::uint64_t{lane} * stride; });
  i.strided = true;
  i.lane_stride = stride;
  i.addresses[0] = first + std::uint64_t{lowest} * stride;
}

struct ByThread {
  std::uint64_t first, per_x, per_y;
};

/// Thread (x, y) of the block accesses first + x per_x + y per_y, modulo 2^64. first_thread: of lane 0.
inline void place_by_thread(trace::Instruction& i, std::uint64_t active, const trace::KernelInfo& info,
                            std::uint32_t first_thread, const ByThread& at) {
  const std::uint32_t columns = info.block.x;
  std::uint32_t column = first_thread % columns, row = first_thread / columns % info.block.y;
  std::uint64_t address = at.first + column * at.per_x + row * at.per_y;
  if (column + info.warp_width <= columns && at.per_x <= std::numeric_limits<std::uint32_t>::max())
    return place_by_stride(i, active, address, static_cast<std::uint32_t>(at.per_x));
  unsigned n = 0;
  for (std::uint64_t left = active; left != 0; left >>= 1U) {
    if ((left & 1U) != 0) i.addresses[n++] = address;
    address += at.per_x;
    if (++column < columns) continue;
    column = 0;
    address += at.per_y - columns * at.per_x;
    if (++row < info.block.y) continue;
    row = 0;
    address -= info.block.y * at.per_y;
  }
  find_stride(i, n);
}

}  // namespace strata::kernels
