// SPDX-License-Identifier: Apache-2.0
#include "compute/core_spec.hpp"

#include "compute/scheduling.hpp"

namespace strata::compute {

using config::range;
using config::Schema;
using namespace literals;  // NOLINT(google-build-using-namespace): operators of literals only

Schema<LoadStoreSpec> LoadStoreSpec::schema() {
  return Schema<LoadStoreSpec>("load/store unit", "from a memory instruction to its line requests")
      .optional("lanes_per_pass", &LoadStoreSpec::lanes_per_pass, "lanes whose addresses are computed at once",
                range(1, 64))
      .required("scalar_address", &LoadStoreSpec::scalar_address, "time until an access of one lane reaches the cache",
                range(0_clk, 1000_clk))
      .required("vector_address", &LoadStoreSpec::vector_address,
                "time until an access of several lanes reaches the cache, for one pass", range(0_clk, 1000_clk))
      .optional("per_extra_pass", &LoadStoreSpec::per_extra_pass, "time added by each further pass over the lanes",
                range(0_clk, 1000_clk))
      .optional("per_line", &LoadStoreSpec::per_line, "between the line requests of one instruction",
                range(0_clk, 64_clk))
      .optional("lines_at_once", &LoadStoreSpec::lines_at_once,
                "line requests of a load that are sent together in each such interval", range(1, 64))
      .optional("per_stored_line", &LoadStoreSpec::per_stored_line,
                "between the line requests of a store; none: as per_line", range(0_clk, 64_clk))
      .optional("per_store", &LoadStoreSpec::per_store, "minimum time for which a store keeps the unit busy",
                range(0_clk, 64_clk))
      .optional("atomic_packets", &LoadStoreSpec::atomic_packets,
                "an atomic to global memory is packets of 32 B: one where it changes one word, otherwise one for each "
                "sector and one more, and another for each further lane on a word, which is a request of its own; "
                "otherwise it weighs on wires what a store does")
      .optional("masked_stores", &LoadStoreSpec::masked_stores,
                "stores that write part of a sector carry a mask, which takes as much width as a sector; otherwise an "
                "accessed sector counts as wholly written")
      .optional("per_pass", &LoadStoreSpec::per_pass, "time for which each pass over the lanes keeps the unit busy",
                range(0_clk, 64_clk))
      .optional("wide_access", &LoadStoreSpec::wide_access, "latency added by more than 8 bytes per lane",
                range(0_clk, 64_clk))
      .optional("return_width", &LoadStoreSpec::return_width,
                "width of the path from the caches to the registers; none: that of the caches",
                range(BytesPerClock{1}, BytesPerClock{4096}))
      .optional("queue", &LoadStoreSpec::queue,
                "entries for instructions that wait for the unit; when all are in use, warps wait", range(1, 1024))
      .optional("loads_in_flight", &LoadStoreSpec::loads_in_flight,
                "maximum number of outstanding loads and atomics of the core, in warp instructions; none: no bound",
                range(1, 65536));
}

Schema<SharedMemorySpec> SharedMemorySpec::schema() {
  return Schema<SharedMemorySpec>("shared memory", "shared memory, LDS or SLM: banks without tags")
      .required("size", &SharedMemorySpec::size, "maximum of one core", range(1_KiB, 1_GiB))
      .optional("banks", &SharedMemorySpec::banks, "banks", range(1, 256))
      .optional("bank_width", &SharedMemorySpec::bank_width, "bytes that a bank delivers in one pass", range(1_B, 64_B))
      .required("latency", &SharedMemorySpec::latency, "load-to-use without conflict", range(1_clk, 1000_clk))
      .optional("wide_access", &SharedMemorySpec::wide_access, "latency added by more than 8 bytes per lane",
                range(0_clk, 64_clk))
      .optional("per_conflict", &SharedMemorySpec::per_conflict, "latency added by each further pass over the banks",
                range(0_clk, 64_clk))
      .optional("per_pass", &SharedMemorySpec::per_pass, "time for which each pass keeps the banks busy",
                range(0_clk, 64_clk))
      .optional("atomic_latency", &SharedMemorySpec::atomic_latency, "latency added by an atomic",
                range(0_clk, 1000_clk))
      .optional("compare_latency", &SharedMemorySpec::compare_latency,
                "latency added by a compare-and-swap; none: atomic_latency", range(0_clk, 1000_clk))
      .optional("compare_passes", &SharedMemorySpec::compare_passes,
                "passes of a compare-and-swap for each pass of another atomic", range(1, 16))
      .optional("atomics_per_pass", &SharedMemorySpec::atomics_per_pass,
                "words that one pass changes by atomics; none: one of each bank", range(1, 256))
      .optional("pairs_share", &SharedMemorySpec::pairs_share,
                "if lanes read more than a word and each has the address of the adjacent lane, or of the next but one, "
                "a pass serves twice as many lanes")
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
      .required("name", &CoreSpec::name, "the vendor's name")
      .optional("warp_width", &CoreSpec::warp_width, "lanes of a warp", range(16, 64), config::power_of_two())
      .optional("warps", &CoreSpec::warps, "maximum number of resident warps", range(1, 256))
      .optional("schedulers", &CoreSpec::schedulers, "warp schedulers, over which warps are distributed", range(1, 16))
      .optional("issue_interval", &CoreSpec::issue_interval, "interval between the instructions of one scheduler",
                range(0.1_clk, 64_clk))
      .optional("scheduling", &CoreSpec::scheduling, "policy that selects one of the ready warps",
                config::choices(policies()))
      .optional("exit_waits_for_stores", &CoreSpec::exit_waits_for_stores,
                "a completed warp stays resident until its stores are answered")
      .required("load_store", &CoreSpec::load_store, "the load/store unit")
      .required("shared_memory", &CoreSpec::shared_memory, "shared memory, LDS or SLM")
      .optional("cluster", &CoreSpec::cluster, "the network to the shared memory of the other cores of a group")
      .optional("bulk_copy", &CoreSpec::bulk_copy, "the unit that copies tiles from memory into shared memory")
      .optional("tensor_memory", &CoreSpec::tensor_memory, "memory for the accumulators of matrix products")
      .optional("execution", &CoreSpec::execution, "instructions other than accesses")
      .optional("residency", &CoreSpec::residency, "bounds on the resident blocks of a core");
}

}  // namespace strata::compute
