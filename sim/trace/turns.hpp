// SPDX-License-Identifier: Apache-2.0
// Thread blocks that take the parts of an array dynamically, like a grid of many more blocks
// than fit: a block that is done takes the next part, so every core eventually accesses every
// part (RRZE-HPC/gpu-benches, gpu-l2-cache). In a sweep that is split, a line is always read by
// the same core.
//
// An array of n parts is laid out in rows of one access of each warp of a block:
// row i of part r is row i n + r of the array, so parts interleave. A block goes
// through the rows of its part, then through those of the next part that no block
// has taken; after the last part comes the first. All warps end when the accesses
// that were granted are used up.
#pragma once
#include <cstdint>
#include <vector>

#include "trace/instruction.hpp"

namespace strata::trace {

struct TurnKernel {
  std::uint64_t array = 0;  ///< address, bytes
  std::uint64_t parts = 1;
  std::uint64_t rows = 1;   ///< of a part
  std::uint32_t warps = 1;  ///< of a block
  std::uint32_t lanes = 32;
  std::uint32_t bytes_per_lane = 8;
  std::uint32_t unroll = 1;  ///< loads of a warp under way
  bool batch = false;        ///< all of them answer before the next are issued
  Duration work_per_access{};
  Duration work_per_batch{};
  memory::CacheOperator cache_operator = memory::CacheOperator::ca;

  std::uint64_t access_bytes() const { return std::uint64_t{lanes} * bytes_per_lane; }
  std::uint64_t row_bytes() const { return access_bytes() * warps; }
  std::uint64_t row(std::uint64_t part, std::uint64_t index) const {
    return array + (index * parts + part) * row_bytes();
  }
};

/// Which part comes next, and how many accesses are still granted.
struct Turns {
  std::uint64_t next_part = 0;
  std::uint64_t accesses_left = 0;

  std::uint64_t take(const TurnKernel& kernel) {
    const std::uint64_t part = next_part;
    next_part = part + 1 == kernel.parts ? 0 : part + 1;
    return part;
  }
};

/// A place for blocks on a core: the parts that it took, one after the other.
struct TurnPlace {
  std::vector<std::uint64_t> parts;  ///< from the one under way on
  std::uint64_t row = 0;             ///< of parts[0], where all warps begin
};

class TurnWarp final : public WarpStream {
 public:
  /// All three outlive it; the place has taken a part.
  TurnWarp(const TurnKernel& kernel, Turns& turns, TurnPlace& place, std::uint32_t warp)
      : kernel_(kernel), turns_(turns), place_(place), warp_(warp), row_(place.row) {}

  bool next(Instruction& instruction) override;

 private:
  const TurnKernel& kernel_;
  Turns& turns_;
  TurnPlace& place_;
  std::uint32_t warp_;
  std::uint64_t row_;
  std::size_t taken_ = 0;   ///< of place_.parts
  std::uint32_t slot_ = 0;  ///< of the registers
  bool begun_ = false;
};

}  // namespace strata::trace
