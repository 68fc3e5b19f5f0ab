// SPDX-License-Identifier: Apache-2.0
// The caches of a machine: the L1 of a core, the L2 of a compute die, a cache at the memory, and
// further levels between them.
#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "cache/coherence/probe_filter_spec.hpp"
#include "cache/spec/cache_spec.hpp"
#include "cache/victim/victim_cache.hpp"
#include "config/schema/schema.hpp"
#include "fabric/address_map_spec.hpp"
#include "memory/transaction.hpp"

namespace strata::machine {

/// A share of the core's array that the program can ask for as L1.
struct CarveOutSpec {
  std::string name;
  Bytes size;
  /// Shared memory beside it; none: kernels do not choose it by what they need.
  std::optional<Bytes> shared;

  static config::Schema<CarveOutSpec> schema();
};

/// The first-level data cache. Its size is that of the chosen carve-out.
struct L1Spec {
  std::optional<Bytes> capacity;  ///< size of the chosen carve-out; see derived.hpp
  std::vector<CarveOutSpec> carve_outs;
  std::string carve_out;
  cache::CacheSpec cache;  ///< its own size is replaced by the carve-out's
  std::optional<cache::VictimCacheSpec> victim_cache;

  static config::Schema<L1Spec> schema();
  /// Of a kernel whose blocks on a core take so much shared memory: the chosen one if it
  /// holds that, else the one with the least shared memory that does; the chosen one too
  /// where none does or where it does not say what it holds.
  const CarveOutSpec& for_shared(std::uint64_t bytes) const;
  /// The cache spec with the size of the chosen carve-out.
  cache::CacheSpec chosen() const;
};

/// The instruction cache of a core, or of some that share it. What misses it is sent where misses of the L1 are.
struct InstructionCacheSpec {
  std::uint64_t cores = 1;  ///< consecutive ones of a compute die that share an instance
  cache::CacheSpec cache;

  static config::Schema<InstructionCacheSpec> schema();
};

/// How blocks are spread over slices and sets; see fabric::AddressMap.
struct IndexSpec {
  std::vector<fabric::HomeBitSpec> home_bits;  ///< lowest first; none: one memory die
  std::string policy = "balanced";
  Bytes page{2U << 20U};
  std::vector<std::uint32_t> unit_bits;  ///< see fabric::AddressMapSpec
  std::uint64_t row_stride = 1;          ///< the same
  std::uint64_t seed = 1;

  static config::Schema<IndexSpec> schema();
};

/// The caches of a compute die.
struct L2Spec {
  std::uint64_t slices_per_die = 1;
  std::optional<Bytes> capacity;  ///< of all slices of all dies; see derived.hpp
  /// On several dies: each block has a home die where memory is attached, and
  /// a die that misses a block of another home asks that home's slice and keeps
  /// a copy. Off: a die's L2 serves that die alone.
  bool partitioned = false;
  /// Misses of the caches of a core are forwarded to memory: there is no L2.
  bool bypass = false;
  IndexSpec index;
  cache::CacheSpec cache;  ///< one slice

  static config::Schema<L2Spec> schema();
};

/// Physical addresses, from the first to the one before the last.
struct AddressRangeSpec {
  Bytes from{0};
  Bytes to;

  bool holds(std::uint64_t address) const { return address >= from.value && address < to.value; }
  static config::Schema<AddressRangeSpec> schema();
};

/// A cache in front of the memory channels, reached by every die (MALL).
struct MemorySideCacheSpec {
  std::uint64_t slices_per_die = 1;
  std::optional<Bytes> capacity;  ///< of all slices of all dies; see derived.hpp
  IndexSpec index;
  std::optional<AddressRangeSpec> addresses;  ///< that it homes; others bypass it. None: all
  Nanoseconds latency{0};                     ///< from the die's edge to a slice's tags
  cache::CacheSpec cache;                     ///< one slice
  std::optional<cache::ProbeFilterSpec> probe_filter;

  static config::Schema<MemorySideCacheSpec> schema();
};

/// Which part of the machine an instance of a level serves.
enum class Sharers : std::uint8_t { core, group, die, memory_die };

/// A level between the L1s and the memory, beside L2 and memory-side cache. Where an instance stands follows from
/// who shares it: behind the L1 of a core; between the cores of a group and the crossbar; behind the L2 of a compute
/// die; in front of the memory-side cache of a memory die. See levels.hpp.
struct LevelSpec {
  Sharers shared_by = Sharers::die;
  std::uint64_t slices = 1;       ///< of one instance
  std::optional<Bytes> capacity;  ///< of all instances; see derived.hpp
  IndexSpec index;
  std::optional<AddressRangeSpec> addresses;  ///< that it homes; others bypass it. None: all
  Nanoseconds latency{0};                     ///< from the level above to a slice's tags
  cache::CacheSpec cache;                     ///< one slice

  static config::Schema<LevelSpec> schema();
};

/// What the address map of a level spreads over slices and sets: blocks, or the pairs of blocks that are its lines.
struct MappedLines {
  explicit MappedLines(const cache::CacheSpec& cache)
      : of_block(cache.line.value > memory::block_bytes ? 1U : 0U),
        of_line(cache.line.value < memory::block_bytes
                    ? static_cast<unsigned>(std::countr_zero(memory::block_bytes / cache.line.value))
                    : 0U) {}
  std::uint64_t from_block(std::uint64_t block) const { return block >> of_block; }
  std::uint64_t from_line(std::uint64_t line) const { return line >> of_line; }

  unsigned of_block, of_line;
};

}  // namespace strata::machine
