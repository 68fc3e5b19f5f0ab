// SPDX-License-Identifier: Apache-2.0
// The coalescer: the lanes of one access become the fewest requests for
// 128-byte blocks, each with the mask of the 32-byte sectors touched, in the
// order in which the lanes first touch them.
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
    for (unsigned lane = 0; lane < instruction.lanes; ++lane) {
      const std::uint64_t first = instruction.addresses[lane];
      const std::uint64_t last = first + instruction.bytes_per_lane - 1;
      for (std::uint64_t sector = first / memory::sector_bytes;
           sector <= last / memory::sector_bytes; ++sector)
        add(sector);
    }
  }
  unsigned size() const { return size_; }
  const BlockRequest& operator[](unsigned i) const { return requests_[i]; }

 private:
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
