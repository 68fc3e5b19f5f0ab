// SPDX-License-Identifier: Apache-2.0
#include "compute/core_spec.hpp"

#include "compute/scheduling.hpp"

namespace strata::compute {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<LoadStoreSpec> LoadStoreSpec::schema() {
  return Schema<LoadStoreSpec>("load/store unit", "from a memory instruction to its line requests")
      .optional("lanes_per_pass", &LoadStoreSpec::lanes_per_pass, "lanes whose addresses are formed at once",
                range(1, 64))
      .required("scalar_address", &LoadStoreSpec::scalar_address, "an access of one lane reaches the cache after this",
                range(0_clk, 1000_clk))
      .required("vector_address", &LoadStoreSpec::vector_address,
                "an access of several lanes reaches the cache after this, one pass", range(0_clk, 1000_clk))
      .optional("per_extra_pass", &LoadStoreSpec::per_extra_pass, "each further pass over the lanes adds this",
                range(0_clk, 1000_clk))
      .optional("per_line", &LoadStoreSpec::per_line, "between the line requests of one instruction",
                range(0_clk, 64_clk))
      .optional("lines_at_once", &LoadStoreSpec::lines_at_once,
                "line requests of a load that leave together, at the same pace", range(1, 64))
      .optional("per_stored_line", &LoadStoreSpec::per_stored_line, "the same of a store; none: as per_line",
                range(0_clk, 64_clk))
      .optional("per_store", &LoadStoreSpec::per_store, "a store keeps the unit busy for this at least",
                range(0_clk, 64_clk))
      .optional("masked_stores", &LoadStoreSpec::masked_stores,
                "stores that leave words of their sectors alone carry a mask, which weighs as much "
                "as a sector; else a sector that is touched counts as written whole")
      .optional("per_pass", &LoadStoreSpec::per_pass, "each pass over the lanes keeps the unit busy for this",
                range(0_clk, 64_clk))
      .optional("wide_access", &LoadStoreSpec::wide_access, "latency that more than 8 bytes a lane add",
                range(0_clk, 64_clk))
      .optional("return_width", &LoadStoreSpec::return_width,
                "path by which what caches answer enters the registers; none: as wide as they are",
                range(BytesPerClock{1}, BytesPerClock{4096}))
      .optional("queue", &LoadStoreSpec::queue,
                "instructions that wait in front of the unit; when it is full, warps wait", range(1, 1024))
      .optional("loads_in_flight", &LoadStoreSpec::loads_in_flight,
                "loads and atomics of the core under way, in warp instructions; none: no bound", range(1, 65536));
}

Schema<SharedMemorySpec> SharedMemorySpec::schema() {
  return Schema<SharedMemorySpec>("shared memory", "shared memory, LDS or SLM: banks without tags")
      .required("size", &SharedMemorySpec::size, "the most that one core can give", range(1_KiB, 1_GiB))
      .optional("banks", &SharedMemorySpec::banks, "banks", range(1, 256))
      .optional("bank_width", &SharedMemorySpec::bank_width, "bytes a bank gives in one pass", range(1_B, 64_B))
      .required("latency", &SharedMemorySpec::latency, "load-to-use without conflict", range(1_clk, 1000_clk))
      .optional("wide_access", &SharedMemorySpec::wide_access, "latency that more than 8 bytes a lane add",
                range(0_clk, 64_clk))
      .optional("per_conflict", &SharedMemorySpec::per_conflict, "latency that each further pass over the banks adds",
                range(0_clk, 64_clk))
      .optional("per_pass", &SharedMemorySpec::per_pass, "each pass keeps the banks busy for this",
                range(0_clk, 64_clk))
      .optional("pairs_share", &SharedMemorySpec::pairs_share,
                "where lanes read more than a word and each shares its address with the lane "
                "beside it, or each with the next but one, twice as many are served in a pass")
      .optional("shares_array", &SharedMemorySpec::shares_array,
                "its banks also serve the L1, so that both share their bandwidth");
}

namespace {

std::vector<config::Named<std::string>> policies() {
  std::vector<config::Named<std::string>> table;
  for (const SchedulingPolicy& policy : scheduling_policies())
    table.push_back({std::string(policy.name), std::string(policy.name), std::string(policy.meaning)});
  return table;
}

}  // namespace

Schema<CoreSpec> CoreSpec::schema() {
  return Schema<CoreSpec>("core", "an SM, CU or Xe core")
      .required("name", &CoreSpec::name, "what the vendor calls it")
      .optional("warp_width", &CoreSpec::warp_width, "lanes of a warp", range(16, 64), config::power_of_two())
      .optional("warps", &CoreSpec::warps, "warps resident at most", range(1, 256))
      .optional("schedulers", &CoreSpec::schedulers, "warp schedulers; warps are dealt out to them", range(1, 16))
      .optional("issue_interval", &CoreSpec::issue_interval, "between the instructions that one scheduler issues",
                range(0.1_clk, 64_clk))
      .optional("scheduling", &CoreSpec::scheduling, "which of its ready warps a scheduler takes",
                config::choices(policies()))
      .optional("exit_waits_for_stores", &CoreSpec::exit_waits_for_stores,
                "a warp that has ended keeps its place until its stores are answered")
      .required("load_store", &CoreSpec::load_store, "the load/store unit")
      .required("shared_memory", &CoreSpec::shared_memory, "shared memory, LDS or SLM")
      .optional("cluster", &CoreSpec::cluster, "the network to the shared memory of the other cores of a group")
      .optional("bulk_copy", &CoreSpec::bulk_copy, "the unit that copies tiles from memory into shared memory")
      .optional("execution", &CoreSpec::execution, "instructions that are no accesses")
      .optional("residency", &CoreSpec::residency, "what bounds the blocks resident on a core");
}

}  // namespace strata::compute
