// SPDX-License-Identifier: Apache-2.0
// The coalescer: the lanes of one access become the fewest requests for
// 128-byte blocks, each with the mask of the 32-byte sectors touched, in the
// order in which the lanes first touch them. Stores are coalesced alike: those
// of one instruction to one block make one request. Which bytes of a sector a
// store covers is not kept: a sector that is touched counts as written whole.
#pragma once
#include <array>
#include <cstdint>

#include "memory/transaction.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

struct BlockRequest {
  std::uint64_t block = 0;  ///< virtual address / 128
  memory::SectorMask sectors = 0;
};

class Coalescer {
 public:
  /// Requests of the access; at most two a lane (a lane may straddle blocks).
  void coalesce(const trace::Instruction& instruction) {
    size_ = 0;
    if (instruction.strided && instruction.lane_stride <= instruction.bytes_per_lane) {
      const std::uint64_t first = instruction.addresses[0];
      const std::uint64_t span = std::uint64_t{instruction.lanes - 1U} * instruction.lane_stride;
      return add_all(first / memory::sector_bytes,
                     (first + span + instruction.bytes_per_lane - 1) / memory::sector_bytes);
    }
    for (unsigned lane = 0; lane < instruction.lanes; ++lane) {
      const std::uint64_t first = instruction.address(lane);
      const std::uint64_t last = first + instruction.bytes_per_lane - 1;
      for (std::uint64_t sector = first / memory::sector_bytes;
           sector <= last / memory::sector_bytes; ++sector)
        add(sector);
    }
  }
  unsigned size() const { return size_; }
  const BlockRequest& operator[](unsigned i) const { return requests_[i]; }

 private:
  /// A run of sectors without a gap.
  void add_all(std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t in_block = memory::sectors_per_block;
    for (std::uint64_t block = first / in_block; block <= last / in_block; ++block) {
      const std::uint64_t from = block == first / in_block ? first % in_block : 0;
      const std::uint64_t to = block == last / in_block ? last % in_block : in_block - 1;
      requests_[size_++] = {block, static_cast<memory::SectorMask>((2U << to) - (1U << from))};
    }
  }
  void add(std::uint64_t sector) {
    const std::uint64_t block = sector / memory::sectors_per_block;
    const auto bit = static_cast<memory::SectorMask>(1U << (sector % memory::sectors_per_block));
    // The last request first: neighbouring lanes mostly share a block.
    for (unsigned i = size_; i-- > 0;) {
      if (requests_[i].block == block) {
        requests_[i].sectors |= bit;
        return;
      }
    }
    requests_[size_++] = {block, bit};
  }

  std::array<BlockRequest, std::size_t{2} * trace::most_lanes> requests_;
  unsigned size_ = 0;
};

}  // namespace strata::compute
