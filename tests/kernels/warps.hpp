// SPDX-License-Identifier: Apache-2.0
// The accesses of the threads of a kernel, taken from its streams for comparison with its
// documented formulae.
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "kernels/catalogue.hpp"

namespace strata::test {

using trace::Instruction;
using trace::OpClass;
using trace::Space;

struct LaneAccess {
  memory::Operation operation{};
  Space space{};
  std::uint64_t address = 0;
  unsigned bytes = 0;
  bool operator==(const LaneAccess&) const = default;
};
inline LaneAccess ld(std::uint64_t address, unsigned bytes = 4) {
  return {memory::Operation::load, Space::global, address, bytes};
}
inline LaneAccess st(std::uint64_t address, unsigned bytes = 4) {
  return {memory::Operation::store, Space::global, address, bytes};
}

/// Every instruction of a warp, repeats counted once.
inline std::vector<Instruction> instructions_of(trace::Kernel& kernel, std::uint64_t block, std::uint32_t warp) {
  const auto streams = kernel.open(block);
  std::vector<Instruction> all;
  Instruction instruction;
  while (streams->warp(warp).next(instruction)) all.push_back(instruction);
  return all;
}

/// Accesses to global memory of a thread of a block, in program order.
inline std::vector<LaneAccess> global_accesses(trace::Kernel& kernel, std::uint64_t block, std::uint32_t thread) {
  const std::uint32_t width = kernel.info().warp_width;
  std::vector<LaneAccess> found;
  for (const Instruction& i : instructions_of(kernel, block, thread / width)) {
    const unsigned lane = thread % width;
    if (!i.is_access() || i.space != Space::global || (i.active() >> lane & 1U) == 0) continue;
    const auto below = static_cast<unsigned>(std::popcount(i.active() & trace::first_lanes(lane)));
    found.push_back({i.operation, i.space, i.address(below), i.bytes_per_lane});
  }
  return found;
}

struct Totals {
  std::uint64_t warp_instructions = 0;
  std::uint64_t global_loads = 0, global_stores = 0, shared_loads = 0,
                shared_stores = 0;                   ///< of warps
  std::uint64_t bytes_loaded = 0, bytes_stored = 0;  ///< global
  std::uint64_t flops = 0;
  std::uint64_t tensor_operations = 0;  ///< of warps
};
inline Totals totals_of(trace::Kernel& kernel) {
  Totals totals;
  Instruction i;
  for (std::uint64_t b = 0; b < kernel.info().blocks(); ++b) {
    const auto streams = kernel.open(b);
    for (std::uint32_t w = 0; w < kernel.info().warps_per_block(); ++w) {
      while (streams->warp(w).next(i)) {
        totals.warp_instructions += i.repeat;
        totals.flops += std::uint64_t{i.flops} * i.lanes * i.repeat;
        if (i.op_class == trace::OpClass::tensor16) totals.tensor_operations += i.repeat;
        if (!i.is_access()) continue;
        const bool store = i.operation == memory::Operation::store;
        const bool global = i.space == Space::global;
        ++(global  ? store ? totals.global_stores : totals.global_loads
           : store ? totals.shared_stores
                   : totals.shared_loads);
        if (global) (store ? totals.bytes_stored : totals.bytes_loaded) += std::uint64_t{i.lanes} * i.bytes_per_lane;
      }
    }
  }
  return totals;
}

inline std::unique_ptr<trace::Kernel> make(const char* text, std::uint32_t width = 32) {
  return kernels::make_kernel(text, {width, 1});
}

}  // namespace strata::test
