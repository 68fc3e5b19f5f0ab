// SPDX-License-Identifier: Apache-2.0
// Where the arrays of a built-in kernel lie: one after the other from 2 MiB on,
// each as cudaMalloc would place it. Arrays of 2 MiB or more begin at a multiple
// of 2 MiB, smaller ones at a multiple of 512 B.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "trace/kernel.hpp"

namespace strata::kernels {

/// Bytes of an element, where a kernel does not say otherwise.
inline constexpr std::uint64_t word = 4;

class Arrays {
 public:
  /// The address of a new array. Throws std::invalid_argument where it would not end
  /// below 2^63.
  std::uint64_t allocate(std::uint64_t bytes, std::optional<std::uint32_t> memory_die = std::nullopt) {
    constexpr std::uint64_t end = std::uint64_t{1} << 63U;
    if (bytes > end || next_ > end - bytes - page) throw std::invalid_argument("its arrays take more than 2^63 bytes");
    const std::uint64_t alignment = bytes >= page || memory_die ? page : small;
    const std::uint64_t address = (next_ + alignment - 1) / alignment * alignment;
    // What lies in a die of its own shares no page.
    next_ = address + (memory_die ? (bytes + page - 1) / page * page : bytes);
    regions_.push_back({address, bytes, memory_die});
    return address;
  }
  const std::vector<trace::Region>& regions() const { return regions_; }

 private:
  static constexpr std::uint64_t page = std::uint64_t{2} << 20U;
  static constexpr std::uint64_t small = 512;
  std::uint64_t next_ = page;
  std::vector<trace::Region> regions_;
};

}  // namespace strata::kernels
