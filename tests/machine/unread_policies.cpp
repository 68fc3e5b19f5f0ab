// SPDX-License-Identifier: Apache-2.0
// Which settings are read follows from what the lines of the policy tables state.
#include "cache/compression/table.hpp"
#include "cache/prefetch/table.hpp"
#include "catch.hpp"
#include "compute/placement.hpp"
#include "dram/page_policies.hpp"
#include "dram/scheduler/policy.hpp"
#include "fabric/address_map.hpp"
#include "machine/checks/unread.hpp"
#include "tiny_machine.hpp"
#include "translation/page_table.hpp"

namespace strata::machine::test {
namespace {

bool reads(const MachineSpec& spec, const std::string& path) { return !why_unread(spec, {}, path); }

}  // namespace

TEST_CASE("settings_of_a_scheduler_are_read_where_its_policy_states_so") {
  const std::string controller = "memory.channel.controller.";
  for (const dram::Policy& policy : dram::policies()) {
    CAPTURE(policy.name);
    MachineSpec spec = monolithic();
    spec.memory.channel.controller.scheduler = policy.name;
    CHECK(reads(spec, controller + "hit_cap") == policy.hits_counted);
    CHECK(reads(spec, controller + "blacklist_after") == policy.blacklists);
    CHECK(reads(spec, controller + "blacklist_interval") == policy.blacklists);
  }
  for (const dram::PagePolicyRow& row : dram::page_policies) {
    CAPTURE(row.name);
    MachineSpec spec = monolithic();
    spec.memory.channel.controller.page_policy = row.policy;
    CHECK(reads(spec, controller + "row_timeout") == row.reads_row_timeout);
  }
}

TEST_CASE("settings_of_placements_are_read_where_the_placement_states_so") {
  for (const translation::Placement& placement : translation::placements) {
    CAPTURE(placement.name);
    MachineSpec spec = monolithic();
    spec.pages.placement = placement.name;
    CHECK(reads(spec, "pages.run") == placement.seeded);
    CHECK(reads(spec, "pages.seed") == placement.seeded);
  }
  for (const compute::PlacementPolicy& policy : compute::placement_policies()) {
    CAPTURE(policy.name);
    MachineSpec spec = monolithic();
    spec.placement = policy.name;
    CHECK(reads(spec, "dies.cores_per_group") == policy.by_group);
  }
}

TEST_CASE("a_stride_of_rows_is_read_where_slots_are_folded") {
  for (const fabric::IndexPolicy& policy : fabric::index_policies) {
    CAPTURE(policy.name);
    MachineSpec spec = monolithic();
    spec.l2.index.policy = policy.name;
    CHECK(reads(spec, "l2.index.row_stride") == (policy.name == "folded"));
  }
  MachineSpec spec = chiplets();
  spec.l2.index.policy = spec.memory_side_cache->index.policy = "folded";
  CHECK(!reads(spec, "l2.index.row_stride"));
  CHECK(reads(spec, "memory_side_cache.index.row_stride"));
}

TEST_CASE("who_takes_turns_at_a_slice_decides_what_is_read") {
  const auto reads_with = [](fabric::Arbitration arbitration, const std::string& path) {
    MachineSpec spec = monolithic();
    spec.crossbar.arbitration = arbitration;
    return reads(spec, path);
  };
  using fabric::Arbitration;
  for (const Arbitration each :
       {Arbitration::first_come, Arbitration::core, Arbitration::cluster, Arbitration::group}) {
    CHECK(reads_with(each, "crossbar.grants") == (each != Arbitration::first_come));
    CHECK(reads_with(each, "dies.cores_per_cluster") == (each == Arbitration::cluster));
    CHECK(reads_with(each, "dies.cores_per_group") == (each == Arbitration::cluster || each == Arbitration::group));
  }
}

TEST_CASE("settings_of_a_cache_are_read_where_its_policies_state_so") {
  for (const auto& row : cache::CompressionTable::rows()) {
    CAPTURE(row.name);
    MachineSpec spec = monolithic();
    spec.l2.cache.compression = row.name;
    CHECK(reads(spec, "l2.cache.compressed_sectors") == cache::CompressionTable::reads_sectors(row.name));
    CHECK(reads(spec, "l2.cache.compression_seed") == cache::CompressionTable::reads_seed(row.name));
  }
  for (const auto& row : cache::PrefetcherTable::rows()) {
    CAPTURE(row.name);
    MachineSpec spec = monolithic();
    spec.l2.cache.prefetcher = row.name;
    CHECK(reads(spec, "l2.cache.prefetch_degree") == cache::PrefetcherTable::reads_degree(row.name));
  }
}

// What the tables state is what each policy does: an order of cores that differs with the group, frames that differ
// with the seed.
TEST_CASE("placements_depend_on_what_they_state") {
  for (const compute::PlacementPolicy& policy : compute::placement_policies()) {
    CAPTURE(policy.name);
    CHECK((policy.order({2, 8, 2}) != policy.order({2, 8, 4})) == policy.by_group);
  }
  for (const translation::Placement& placement : translation::placements) {
    if (placement.frame == nullptr) continue;
    CAPTURE(placement.name);
    const std::uint32_t domains = placement.of_domains ? 2 : 1;
    translation::PageTable one({2_MiB, 1_GiB, std::string(placement.name), 1, 1, domains, 512_MiB, 512_MiB});
    translation::PageTable other({2_MiB, 1_GiB, std::string(placement.name), 1, 2, domains, 512_MiB, 512_MiB});
    bool differ = false;
    for (std::uint64_t page = 0; page < 256; ++page) differ |= one.frame(page) != other.frame(page);
    CHECK(differ == placement.seeded);
  }
}

}  // namespace strata::machine::test
