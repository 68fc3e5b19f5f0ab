// SPDX-License-Identifier: Apache-2.0
// Where the addresses of a machine lie, and how far its cores are from them.
#pragma once
#include <cstdint>
#include <optional>

#include "base/time.hpp"

namespace strata::machine {

class Machine;

/// A view: the machine must outlive it.
class Atlas {
 public:
  explicit Atlas(const Machine& machine) : machine_(machine) {}

  /// Where a virtual address lives and how a core would find it, in words.
  struct Whereabouts {
    std::uint64_t physical = 0;
    std::uint32_t home_die = 0;
    std::uint32_t slice = 0;  ///< of the core's own die
    std::uint32_t set = 0;
    std::uint32_t channel = 0;                  ///< over all dies
    std::optional<std::uint32_t> memory_slice;  ///< of the home die, where a memory-side cache homes the block
  };
  Whereabouts whereabouts(std::uint32_t index, std::uint64_t address) const;
  /// The memory dies with the shortest and the longest way from a core, of equals the first.
  struct Homes {
    std::uint32_t nearest = 0;
    std::uint32_t farthest = 0;
  };
  Homes homes_by_distance(std::uint32_t core) const;
  /// The lowest address of the memory that a core calls its own: 0 but where memory is not interleaved over the dies.
  std::uint64_t local_memory(std::uint32_t core) const;
  /// The lowest address of the host's memory. Throws InvalidRequest where there is none.
  std::uint64_t host_memory() const;
  /// The process to which a core belongs: see Division.
  std::uint32_t process_of(std::uint32_t core) const;
  /// The logical GPU to which a core belongs.
  std::uint32_t logical_gpu(std::uint32_t core) const;
  /// Whether accesses decide in which memory die a page comes to lie.
  bool pages_by_access() const;
  /// From the die of one core to that of another, over links alone, one way.
  Duration flight(std::uint32_t first, std::uint32_t second) const;

 private:
  const Machine& machine_;
};

}  // namespace strata::machine
