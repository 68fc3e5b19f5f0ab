// SPDX-License-Identifier: Apache-2.0
// A kernel whose memory lies elsewhere: traces carry the addresses of the machine
// they were recorded on, far beyond the memory of a simulated one. Its regions
// are packed one after the other, in ascending order, each at the same place
// within a page of 2 MiB, so that adjacent data stay adjacent. One
// Relocation serves all kernels of a launch list.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "trace/kernel.hpp"

namespace strata::trace {

class Relocation {
 public:
  /// Of all regions of all kernels.
  explicit Relocation(const LaunchList& launches);
  /// Whether some region ends beyond so many bytes of memory.
  bool needed(std::uint64_t memory_bytes) const { return end_ > memory_bytes; }
  /// Memory that the packed regions take.
  std::uint64_t bytes() const { return packed_; }
  /// Where an address lies now; one outside of all regions stays.
  std::uint64_t operator()(std::uint64_t address) const;
  /// The addresses of an access to global memory, changed in place.
  void apply(Instruction& instruction) const;

 private:
  struct Piece {
    std::uint64_t begin, end, now;
  };
  const Piece* find(std::uint64_t address) const;
  std::vector<Piece> pieces_;  ///< in ascending order, apart
  std::uint64_t end_ = 0;
  std::uint64_t packed_ = 0;
};

std::unique_ptr<Kernel> relocated(std::unique_ptr<Kernel> kernel, std::shared_ptr<const Relocation> relocation);

}  // namespace strata::trace
