// SPDX-License-Identifier: Apache-2.0
// What a core (SM, CU, Xe core) is made of apart from its caches: how its
// load/store unit turns lanes into line requests, and its shared memory.
#pragma once
#include <cstdint>
#include <string>

#include "base/quantity.hpp"
#include "config/schema.hpp"

namespace strata::compute {

/// From issue of a memory instruction to its first line request.
struct LoadStoreSpec {
  std::uint64_t lanes_per_pass = 32;  ///< lanes whose addresses are formed at once
  Cycles scalar_address;              ///< an access of one lane reaches the cache after this
  Cycles vector_address;              ///< an access of several lanes, one pass
  Cycles per_extra_pass;              ///< each further pass
  Cycles per_line{1};                 ///< between line requests of one instruction

  static config::Schema<LoadStoreSpec> schema();
};

/// Shared memory, LDS or SLM: banked, no tag, no translation.
struct SharedMemorySpec {
  Bytes size;                ///< the largest share of it that one core can give
  std::uint64_t banks = 32;
  Bytes bank_width{4};
  Cycles latency;            ///< load-to-use without conflict
  Cycles per_conflict{1};    ///< added latency for each further pass over the banks
  Cycles per_pass{1};        ///< the banks are busy for this long with each pass

  static config::Schema<SharedMemorySpec> schema();
};

struct CoreSpec {
  std::string name;          ///< what the vendor calls it
  std::uint64_t warp_width = 32;
  std::uint64_t warps = 64;  ///< resident at most
  LoadStoreSpec load_store;
  SharedMemorySpec shared_memory;

  static config::Schema<CoreSpec> schema();
};

}  // namespace strata::compute
