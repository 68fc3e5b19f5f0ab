// SPDX-License-Identifier: Apache-2.0
// What a warp does next: an access to memory by up to 64 lanes, or an instruction
// of another class, with the registers that tie it to others. A stream hands out
// the instructions of one warp in program order and is asked for the next only
// when the warp can issue it, so nothing of a workload needs to be held in memory.
//
// Lanes that take no part are masked (CUDA C++ Programming Guide, SIMT
// architecture): `lanes` counts the active ones, `mask` says which they are, and
// addresses stand packed, one for each active lane in ascending order. So what
// sums over lanes need not look at the mask.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "memory/transaction.hpp"
#include "memory/words.hpp"
#include "trace/op_class.hpp"

namespace strata::trace {

/// Which storage an access goes to, and by which path.
/// cluster: shared memory of another core of the same group (GPC), by the network between cores: where the kernel has
/// clusters, an address is rank of the block x 2^24 + offset, otherwise it is that of the next core. bulk: global memory,
/// copied into shared memory, or from it, by the core's copy unit. tensor: Tensor Memory of the core; an address is
/// row x 65536 + column of 32 bits, the columns those that the block has allocated, from 0 on.
enum class Space : std::uint8_t { global, shared, scalar, texture, cluster, bulk, tensor };
/// By their number.
inline constexpr std::array<std::string_view, 7> spaces{"global",  "shared", "scalar", "texture",
                                                        "cluster", "bulk",   "tensor"};
/// Those that a warp accesses without an allocation before.
inline constexpr std::span measured_spaces = std::span(spaces).first<6>();
static_assert(measured_spaces.size() == static_cast<std::size_t>(Space::tensor));
/// Of the cluster space: addresses of one block's shared memory.
inline constexpr std::uint64_t bytes_of_rank = std::uint64_t{1} << 24U;
/// Whether the data lie in a core, where no cache stands in front of them.
constexpr bool within_cores(Space space) {
  return space == Space::shared || space == Space::cluster || space == Space::tensor;
}
constexpr std::optional<Space> space_of(std::string_view name) {
  for (std::size_t i = 0; i < spaces.size(); ++i)
    if (spaces[i] == name) return static_cast<Space>(i);
  return std::nullopt;
}

/// Whom a fence, or an access that orders others, speaks to.
enum class Scope : std::uint8_t { block, gpu, system };
/// By their number.
inline constexpr std::array<std::string_view, 3> scopes{"block", "gpu", "system"};

inline constexpr unsigned most_lanes = 64;
inline constexpr unsigned most_sources = 4;
inline constexpr unsigned most_bytes_per_lane = 64;

/// What a block does with Tensor Memory (PTX ISA, tcgen05).
struct TensorWork {
  static constexpr std::uint32_t row = 1U << 16U;  ///< from an address to that of the next row

  std::uint16_t columns = 0;          ///< allocated or freed
  std::uint16_t m = 0, n = 0, k = 0;  ///< a product adds m x k by k x n to m rows of n columns
  std::uint8_t bits = 16;             ///< of an element of its operands
  bool a_from_tensor_memory = false;  ///< its first operand; the second comes from shared memory
  bool operator==(const TensorWork&) const = default;
};

/// What a warp does at a barrier. The parts are of barriers of a cluster; one of a block has no wait alone.
enum class BarrierPart : std::uint8_t { both, arrive, wait };

/// Of an instruction whose place in the kernel's code is not known.
inline constexpr std::uint32_t no_pc = 0xFFFFFFFF;

/// The first n lanes.
constexpr std::uint64_t first_lanes(unsigned n) {
  return n >= most_lanes ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

struct Instruction {
  OpClass op_class = OpClass::access;
  memory::Operation operation = memory::Operation::load;
  bool compares = false;  ///< an atomic that compares and swaps
  memory::CacheOperator cache_operator = memory::CacheOperator::ca;
  Space space = Space::global;
  /// Waits until all earlier loads and atomics of the warp have answered.
  bool dependent = true;
  /// The register that the result enters, 1 to 255; 0: none. An instruction
  /// waits while one that writes its destination or one of its sources is
  /// under way. Results of more than 4 bytes a lane take the registers from
  /// there on, as many as the count says; so do sources.
  std::uint8_t destination = 0;
  std::uint8_t destination_count = 1;
  std::array<std::uint8_t, most_sources> sources{};  ///< registers read before issue; 0: none
  std::array<std::uint8_t, most_sources> source_counts{1, 1, 1, 1};
  Scope scope = Scope::block;                    ///< of a fence
  std::uint8_t barrier = 0;                      ///< its number within the block
  std::uint16_t barrier_warps = 0;               ///< warps that it waits for; 0: all of the block
  BarrierPart barrier_part = BarrierPart::both;  ///< arrive: the warp counts at the barrier and continues
  bool of_cluster = false;                       ///< a barrier of all blocks of the cluster
  std::uint16_t multicast = 0;  ///< a bulk load also fills shared memory of the cluster's blocks of these ranks
  /// Number of identical instructions, none of which waits for another: arithmetic only.
  std::uint16_t repeat = 1;
  std::uint32_t flops = 0;   ///< floating-point operations of a lane, of one of them
  std::uint32_t pc = no_pc;  ///< in bytes from the beginning of the kernel's code; no_pc: not known, always available
  TensorWork tensor;         ///< of the classes that use Tensor Memory; of others not read
  /// Core cycles after the kernel began before which it is not issued.
  std::uint64_t not_before_cycle = 0;
  Time not_before{};  ///< a load at a given rate is issued then or later
  /// Arithmetic of the warp before it: from when it need wait for nothing more
  /// until it can be issued.
  Duration work{};
  std::uint8_t bytes_per_lane = 8;
  std::uint8_t lanes = 1;  ///< active lanes, the first `lanes` of addresses
  std::uint64_t mask = 0;  ///< which lanes they are; 0: the first `lanes`
  /// Active lane i accesses addresses[0] + i x lane_stride; the other addresses
  /// are then not read, so a stream need not write them.
  bool strided = false;
  std::uint32_t lane_stride = 0;                      ///< bytes, if strided
  std::array<std::uint64_t, most_lanes> addresses{};  ///< virtual, in bytes

  bool is_access() const { return op_class == OpClass::access; }
  /// The result and each source take one register.
  bool in_single_registers() const {
    return destination_count == 1 && std::bit_cast<std::uint32_t>(source_counts) == 0x0101'0101;
  }
  std::uint64_t active() const { return mask != 0 ? mask : first_lanes(lanes); }
  std::uint64_t address(unsigned lane) const {
    return strided ? addresses[0] + std::uint64_t{lane} * lane_stride : addresses[lane];
  }
};

/// A tile that several blocks of a cluster get.
inline bool may_multicast(const Instruction& i) {
  return i.is_access() && i.space == Space::bulk && i.operation == memory::Operation::load;
}

class WarpStream {
 public:
  virtual ~WarpStream() = default;
  /// False when the warp has ended; instruction is then left alone. The caller
  /// hands in the same object each time, as the stream left it.
  virtual bool next(Instruction& instruction) = 0;

  /// Where the kernel reads values: see KernelInfo. A request of the stream is issued, in the order of its
  /// instructions: what it writes.
  virtual memory::Operand operand(const memory::Transaction&) { return {}; }
  /// A request has its answer: the words of its block.
  virtual void answered(const memory::Transaction&, const memory::Words&) {}
};

}  // namespace strata::trace
