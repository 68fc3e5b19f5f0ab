// SPDX-License-Identifier: Apache-2.0
// Tensor Memory of one core: which columns are allocated, and its ports in time. Blocks allocate columns while they
// run, all rows of a column at once. A warp reaches the rows of one partition only, that of its number in the block.
#pragma once
#include <cstdint>
#include <vector>

#include "compute/tensor_memory/tensor_memory_spec.hpp"
#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "engine/simulation.hpp"
#include "stats/collector.hpp"
#include "stats/counter.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

/// Adjacent columns.
struct TensorColumns {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};
/// What a block has allocated, in that order.
using TensorAllocations = std::vector<TensorColumns>;
std::uint64_t columns_of(const TensorAllocations& held);

struct TensorMemoryStatistics {
  stats::Counter<"allocations asked", "allocations", "of columns, by warps"> asked;
  stats::Counter<"allocations", "allocations", "of columns that warps have got"> got;
};

class TensorMemory {
 public:
  /// A partition for each scheduler.
  TensorMemory(const TensorMemorySpec& spec, std::uint64_t partitions, std::uint64_t warp_width,
               const engine::Clock& clock);

  /// A warp asks for columns now; it may have to wait until allocate() is true.
  void ask() { ++statistics_.asked; }
  /// False: the columns are not free. Throws InvalidRequest if no block can have so many.
  bool allocate(TensorAllocations& held, std::uint64_t columns);
  /// The earliest allocation of that size. Throws InvalidRequest if there is none.
  void free(TensorAllocations& held, std::uint64_t columns);

  /// A load or store of a warp, issued now: when its registers can be read, or when its words are written. Throws
  /// InvalidRequest if a lane reaches a row of another partition or a column that the block does not have.
  Time access(const trace::Instruction& instruction, const TensorAllocations& held, std::uint32_t warp, Time now);

  /// For how long a product keeps the tensor units of all partitions busy. Throws InvalidRequest if Tensor Memory has
  /// no such rows or the block no such columns.
  Duration product_time(const trace::TensorWork& product, const TensorAllocations& held) const;
  /// Of its operands, bytes that come from shared memory.
  static std::uint64_t shared_bytes(const trace::TensorWork& product);
  Duration product_latency() const { return product_latency_; }

  void collect(stats::Collector& collector, Time now) const;

 private:
  struct Partition {
    engine::Lane reads;
    engine::Lane writes;
  };

  void mark(const TensorColumns& columns, bool taken);
  void check(const trace::Instruction& instruction, const TensorAllocations& held, std::uint32_t warp) const;

  TensorMemorySpec spec_;
  std::uint64_t rows_;  ///< of a partition
  double ticks_;        ///< of a byte at a port
  Duration clock_, latency_, product_latency_;
  std::vector<bool> taken_;  ///< by units of columns
  std::vector<Partition> partitions_;
  TensorMemoryStatistics statistics_;
};

}  // namespace strata::compute
