// SPDX-License-Identifier: Apache-2.0
// The access pattern of the streaming kernels: read, write, copy, scale, add and
// triad over arrays (McCalpin: Memory Bandwidth and Machine Balance, 1995), as
// the accesses of one warp among many. The kernels of that name have the same
// operations with the instructions and registers of a compiler.
//
// An array is a row of elements, one access of a lane each, `stride()` bytes
// apart; what is left over at its end is not touched. It is cut into chunks of
// `lanes` elements, one access of a warp; the last may be of fewer lanes. Warp
// w of W takes, in each pass, the places
//   grid-stride:  w, w + W, w + 2 W, ...
//   blocked:      from n w / W up to but not including n (w + 1) / W
// of n chunks, and place c of pass p is the chunk (c + start + p x shift) modulo
// n. Lane l of chunk k accesses byte (k x lanes + l) x stride of each array.
//
// Arithmetic takes the time that the kernel says, none if nothing: then scale is
// copy and triad is add. What is loaded
// goes to registers: place i of a warp has those of slot i modulo `unroll`.
// Rotating, a load waits for the load that had its slot before, and a store
// follows `unroll` places behind the loads, so that so many places are under
// way at any time. In batches, `unroll` places are loaded, waited for and
// stored before the next are loaded. Stores wait for the loads of their place.
#pragma once
#include <array>
#include <cstdint>

#include "trace/instruction.hpp"

namespace strata::trace {

enum class StreamOperation : std::uint8_t {
  read,   ///< loads of array 0
  write,  ///< stores to array 0
  copy,   ///< loads of array 0, stores to array 1
  scale,  ///< as copy
  add,    ///< loads of arrays 0 and 1, stores to array 2
  triad   ///< as add
};

/// Arrays that an operation loads; they come first.
constexpr unsigned loads_of(StreamOperation operation) {
  using enum StreamOperation;
  return operation == write ? 0 : operation == add || operation == triad ? 2 : 1;
}
/// Arrays that an operation stores to: the one after those it loads.
constexpr unsigned stores_of(StreamOperation operation) { return operation == StreamOperation::read ? 0 : 1; }

struct StreamPattern {
  StreamOperation operation = StreamOperation::read;
  std::array<std::uint64_t, 3> arrays{};  ///< addresses in `space`, bytes
  std::uint64_t bytes_per_array = 0;      ///< what all warps together cover in a pass
  std::uint32_t lanes = 32;
  std::uint32_t bytes_per_lane = 4;
  std::uint32_t lane_stride = 0;  ///< bytes from lane to lane; 0: bytes_per_lane
  std::uint32_t unroll = 1;       ///< places of a warp under way
  bool batch = false;             ///< else rotating
  bool blocked = false;           ///< else grid-stride
  memory::CacheOperator cache_operator = memory::CacheOperator::ca;
  Space space = Space::global;
  std::uint64_t passes = 1;
  std::uint64_t start = 0;           ///< chunks
  std::uint64_t shift_per_pass = 0;  ///< chunks
  Duration work_per_access{};        ///< of a warp, before each access
  Duration work_per_batch{};         ///< and once more before each batch

  std::uint64_t stride() const { return lane_stride == 0 ? bytes_per_lane : lane_stride; }
  std::uint64_t elements() const { return bytes_per_array / stride(); }
  std::uint64_t chunks() const { return (elements() + lanes - 1) / lanes; }
  /// What all lanes of all warps together load, and store, in all passes.
  std::uint64_t bytes_loaded() const { return elements() * bytes_per_lane * passes * loads_of(operation); }
  std::uint64_t bytes_stored() const { return elements() * bytes_per_lane * passes * stores_of(operation); }
  /// Throws std::invalid_argument, with a remedy, if there is no such kernel.
  void check() const;
};

/// The part of one warp.
class StreamingWarp final : public WarpStream {
 public:
  /// Warp `warp` of `warps`, at least one. Checks the kernel.
  StreamingWarp(const StreamPattern& kernel, std::uint64_t warp, std::uint64_t warps);

  bool next(Instruction& instruction) override;

 private:
  /// The places of the warp, in order.
  struct Walk {
    std::uint64_t place = 0;
    std::uint64_t rotation = 0;  ///< of the pass, modulo the chunks
    std::uint64_t passes_left = 0;
    std::uint32_t slot = 0;  ///< of the registers

    bool ended() const { return passes_left == 0; }
  };

  std::uint64_t chunk(const Walk& walk) const {
    const std::uint64_t at = walk.place + walk.rotation;
    return at < chunks_ ? at : at - chunks_;
  }
  void advance(Walk& walk) const;
  void load(Instruction& instruction);
  void store(Instruction& instruction);
  void access(Instruction& instruction, unsigned array, std::uint64_t chunk) const;
  std::uint8_t register_of(std::uint32_t slot, unsigned array) const {
    return static_cast<std::uint8_t>(1 + slot * loads_ + array);
  }

  StreamPattern kernel_;
  std::uint64_t elements_;
  std::uint64_t chunks_;
  std::uint64_t chunk_bytes_;
  std::uint64_t first_, end_, step_;  ///< places of a pass
  unsigned loads_, stores_;
  unsigned part_ = 0;       ///< the array that the present place loads next
  std::uint32_t held_ = 0;  ///< places loaded and not yet stored
  bool draining_ = false;   ///< a batch is loaded and now stored
  bool begun_ = false;
  Walk loading_, storing_;
};

}  // namespace strata::trace
