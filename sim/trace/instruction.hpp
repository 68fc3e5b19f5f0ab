// SPDX-License-Identifier: Apache-2.0
// What a warp does next, as far as memory is concerned: one load, store or
// atomic of up to 64 lanes, with the registers that tie it to others. A stream
// hands out the instructions of one warp in program order and is asked for the
// next only when the warp can issue it, so nothing of a workload needs to be
// held in memory.
#pragma once
#include <array>
#include <cstdint>

#include "memory/transaction.hpp"

namespace strata::trace {

/// Which storage an access goes to, and by which path.
enum class Space : std::uint8_t { global, shared, scalar, texture };

inline constexpr unsigned most_lanes = 64;

struct Instruction {
  memory::Operation operation = memory::Operation::load;
  memory::CacheOperator cache_operator = memory::CacheOperator::ca;
  Space space = Space::global;
  /// Waits until all earlier loads and atomics of the warp have answered.
  bool dependent = true;
  /// The register that the answer writes, 1 to 255; 0: none. An instruction
  /// waits while a load that writes its destination or one of its sources is
  /// under way.
  std::uint8_t destination = 0;
  std::array<std::uint8_t, 3> sources{};  ///< registers read before issue; 0: none
  Time not_before{};  ///< a load at a given rate is issued then or later
  /// Arithmetic of the warp before it: from when it need wait for nothing more
  /// until it can be issued.
  Duration work{};
  std::uint8_t bytes_per_lane = 8;
  std::uint8_t lanes = 1;  ///< active lanes, the first `lanes` of addresses
  /// Lane i accesses addresses[0] + i x lane_stride; the other addresses are
  /// then not read, so a stream need not write them.
  bool strided = false;
  std::uint32_t lane_stride = 0;  ///< bytes, if strided
  std::array<std::uint64_t, most_lanes> addresses{};  ///< virtual, in bytes

  std::uint64_t address(unsigned lane) const {
    return strided ? addresses[0] + std::uint64_t{lane} * lane_stride : addresses[lane];
  }
};

class WarpStream {
 public:
  virtual ~WarpStream() = default;
  /// False when the warp has ended; instruction is then left alone. The caller
  /// hands in the same object each time, as the stream left it.
  virtual bool next(Instruction& instruction) = 0;
};

}  // namespace strata::trace
