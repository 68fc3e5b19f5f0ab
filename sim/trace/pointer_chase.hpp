// SPDX-License-Identifier: Apache-2.0
// The pointer chase: nodes a stride apart, visited in a random single cycle
// or in ascending order, each load waiting for the one before. Every lane of
// the warp reads the same node, as the published tests do. The order is a
// permutation computed on the fly, so a footprint of many gibibytes costs no
// memory; node i of the cycle is at first + permutation(i) * stride.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/permutation.hpp"
#include "trace/instruction.hpp"

namespace strata::trace {

enum class ChaseOrder : std::uint8_t { random, ascending };

struct ChaseRing {
  std::uint64_t first = 0;     ///< virtual address of the array, bytes
  std::uint64_t nodes = 1;     ///< at least one
  std::uint64_t stride = 128;  ///< bytes
  ChaseOrder order = ChaseOrder::random;
  std::uint64_t seed = 1;
  /// Where the nodes lie, in strides from the first; none: one after the other.
  std::shared_ptr<const std::vector<std::uint32_t>> places{};
};

/// The addresses of a ring in the order of the chase.
class ChasePath {
 public:
  explicit ChasePath(const ChaseRing& ring) : ring_(ring), permutation_(ring.nodes, ring.seed) {}

  std::uint64_t nodes() const { return ring_.nodes; }
  std::uint64_t address(std::uint64_t step) const {
    const std::uint64_t i = step % ring_.nodes;
    std::uint64_t node = ring_.order == ChaseOrder::random ? permutation_(i) : i;
    if (ring_.places) node = (*ring_.places)[node];
    return ring_.first + node * ring_.stride;
  }

 private:
  ChaseRing ring_;
  Permutation permutation_;
};

/// A warp that walks a stretch of a ring.
class PointerChase final : public WarpStream {
 public:
  /// pattern: space, operator, lanes and width of every load; its addresses
  /// are overwritten. The walk starts at step `start` and makes `steps` loads.
  PointerChase(const ChaseRing& ring, const Instruction& pattern, std::uint64_t start, std::uint64_t steps)
      : path_(ring), pattern_(pattern), step_(start % ring.nodes), left_(steps) {}

  /// The load under way is the last.
  void stop() { left_ = 0; }

  bool next(Instruction& instruction) override {
    if (left_ == 0) return false;
    --left_;
    if (!begun_) {
      // What stays the same is written once: the caller keeps the instruction.
      instruction = pattern_;
      instruction.dependent = true;
      begun_ = true;
    }
    const std::uint64_t address = path_.address(step_);
    for (unsigned lane = 0; lane < instruction.lanes; ++lane) instruction.addresses[lane] = address;
    if (++step_ == path_.nodes()) step_ = 0;
    return true;
  }

 private:
  ChasePath path_;
  Instruction pattern_;
  std::uint64_t step_;
  std::uint64_t left_;
  bool begun_ = false;
};

}  // namespace strata::trace
