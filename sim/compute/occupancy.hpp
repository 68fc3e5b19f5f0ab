// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel a core holds at once, and what sets the bound:
// block slots, warps, registers or shared memory (CUDA C++ Programming Guide, "Hardware
// Multithreading"). Tensor Memory is no bound: blocks allocate it while they run, and wait for it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compute/core_spec.hpp"
#include "trace/kernel.hpp"

namespace strata::compute {

struct ResidencyBound {
  std::string what;          ///< "warps", "registers", "shared memory", "blocks"
  std::uint64_t needed = 0;  ///< by one block
  std::uint64_t held = 0;    ///< by the core
  std::string unit;
  std::uint64_t blocks() const { return needed == 0 ? held : held / needed; }
};

struct Occupancy {
  std::uint64_t blocks = 0;        ///< at once on a core
  std::uint64_t warps = 0;         ///< of them
  double share = 0;                ///< of the warps that a core holds
  std::uint64_t shared_bytes = 0;  ///< of shared memory, that a block takes with what is kept for it
  std::vector<ResidencyBound> bounds;
  std::string limited_by;         ///< what of the bounds; `grid` where there are fewer blocks
  std::uint64_t grid_blocks = 0;  ///< of the whole grid, and the cores for them: if that is the bound
  std::uint64_t cores = 0;

  static constexpr const char* grid = "grid";
  /// So many blocks for so many cores do not fill the places.
  void bound_by_grid(std::uint64_t blocks_of_grid, std::uint64_t cores_for_them) {
    limited_by = grid;
    grid_blocks = blocks_of_grid;
    cores = cores_for_them;
  }
  /// One sentence: how many, and why no more.
  std::string explanation() const;
};

/// Throws std::invalid_argument, naming the bound and by how much it is
/// exceeded, if not one block fits.
Occupancy occupancy(const CoreSpec& core, const trace::KernelInfo& kernel);

}  // namespace strata::compute
