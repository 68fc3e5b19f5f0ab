// SPDX-License-Identifier: Apache-2.0
// What a core (SM, CU, Xe core) is made of apart from its caches: how many
// warps it holds and how often it issues, how its load/store unit turns lanes
// into line requests, and its shared memory.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity.hpp"
#include "compute/cluster/cluster_spec.hpp"
#include "compute/execution_spec.hpp"
#include "compute/load_store/bulk_copy_spec.hpp"
#include "compute/tensor_memory/tensor_memory_spec.hpp"
#include "config/schema/schema.hpp"
#include "memory/transaction.hpp"

namespace strata::compute {

/// From issue of a memory instruction to its first line request.
struct LoadStoreSpec {
  /// What one line request asks for at most: less than a block where a cache below the first has shorter lines. Not a
  /// setting: it follows from the caches.
  Bytes request{memory::block_bytes};
  std::uint64_t lanes_per_pass = 32;             ///< lanes whose addresses are formed at once
  Cycles scalar_address;                         ///< an access of one lane reaches the cache after this
  Cycles vector_address;                         ///< an access of several lanes, one pass
  Cycles per_extra_pass;                         ///< each further pass
  Cycles per_line{1};                            ///< between line requests of one instruction
  std::uint64_t lines_at_once = 1;               ///< line requests of a load that leave together
  std::optional<Cycles> per_stored_line;         ///< the same of stores; none: as per_line
  Cycles per_store{0};                           ///< a store keeps the unit busy for this at least
  bool masked_stores = false;                    ///< stores say which words they write
  bool atomic_packets = false;                   ///< atomics are packets of a sector: memory::AtomicPackets
  Cycles per_pass{0};                            ///< each pass keeps the unit busy for this
  Cycles wide_access{0};                         ///< added where a lane accesses more than 8 bytes
  std::optional<BytesPerClock> return_width;     ///< from caches into registers; none: no bound
  std::uint64_t queue = 8;                       ///< instructions waiting in front of the unit
  std::optional<std::uint64_t> loads_in_flight;  ///< warp instructions; none: no bound

  static config::Schema<LoadStoreSpec> schema();
};

/// Shared memory, LDS or SLM: banked, no tag, no translation.
struct SharedMemorySpec {
  Bytes size;  ///< the largest share of it that one core can give
  std::uint64_t banks = 32;
  Bytes bank_width{4};
  Cycles latency;                         ///< load-to-use without conflict
  Cycles wide_access{0};                  ///< added where a lane accesses more than 8 bytes
  Cycles per_conflict{1};                 ///< added latency for each further pass over the banks
  Cycles per_pass{1};                     ///< the banks are busy for this long with each pass
  Cycles atomic_latency{0};               ///< added by an atomic
  std::optional<Cycles> compare_latency;  ///< added by a compare-and-swap; none: as by other atomics
  std::uint64_t compare_passes = 1;       ///< over the banks, of a compare-and-swap, for each one of another atomic
  std::optional<std::uint64_t> atomics_per_pass;  ///< words that a pass changes by atomics; none: one of each bank
  bool pairs_share = false;                       ///< wide accesses of lane pairs to one address count once
  bool shares_array = false;                      ///< its banks are also those of the L1

  static config::Schema<SharedMemorySpec> schema();
};

struct CoreSpec {
  std::string name;  ///< the vendor's name
  std::uint64_t warp_width = 32;
  std::uint64_t warps = 64;  ///< resident at most
  std::uint64_t schedulers = 4;
  Cycles issue_interval{1};  ///< of one scheduler
  std::string scheduling = "round_robin";
  bool exit_waits_for_stores = true;  ///< a warp keeps its place until its stores are answered
  LoadStoreSpec load_store;
  SharedMemorySpec shared_memory;
  std::optional<ClusterSpec> cluster;             ///< none: no core reads the shared memory of another
  std::optional<BulkCopySpec> bulk_copy;          ///< none: no unit copies from memory into shared memory
  std::optional<TensorMemorySpec> tensor_memory;  ///< none: the core has none
  ExecutionSpec execution;
  ResidencySpec residency;

  static config::Schema<CoreSpec> schema();
};

}  // namespace strata::compute
