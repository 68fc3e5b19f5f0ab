// SPDX-License-Identifier: Apache-2.0
// Where the arrays of a built-in kernel lie: one after the other from 2 MiB on,
// each as cudaMalloc would place it. Arrays of 2 MiB or more begin at a multiple
// of 2 MiB, smaller ones at a multiple of 512 B.
#pragma once
#include <cstdint>

namespace strata::kernels {

class Arrays {
 public:
  /// The address of a new array.
  std::uint64_t allocate(std::uint64_t bytes) {
    const std::uint64_t alignment = bytes >= page ? page : small;
    const std::uint64_t address = (next_ + alignment - 1) / alignment * alignment;
    next_ = address + bytes;
    return address;
  }

 private:
  static constexpr std::uint64_t page = std::uint64_t{2} << 20U;
  static constexpr std::uint64_t small = 512;
  std::uint64_t next_ = page;
};

}  // namespace strata::kernels
