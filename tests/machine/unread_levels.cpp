// SPDX-License-Identifier: Apache-2.0
// Which settings are read if groups of cores have a level.
#include "catch.hpp"
#include "machine/checks/unread.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

MachineSpec with_level_of(Sharers sharers) {
  MachineSpec spec = monolithic();
  LevelSpec level;
  level.shared_by = sharers;
  level.cache = tiny_cache("L1.5", 4_KiB, 4, 3_clk, 11_clk, 2_clk);
  level.cache.write_policy = cache::WritePolicy::write_through;
  level.cache.write_allocate = cache::WriteAllocate::none;
  spec.levels = {level};
  return spec;
}

bool reads(const MachineSpec& spec, const char* path) { return !why_unread(spec, {}, path); }

}  // namespace

TEST_CASE("a_level_of_a_group_reads_how_many_cores_a_group_has") {
  CHECK_FALSE(reads(monolithic(), "dies.cores_per_group"));
  CHECK_FALSE(reads(monolithic(), "dies.group_sizes"));
  CHECK_FALSE(reads(with_level_of(Sharers::core), "dies.cores_per_group"));
  CHECK(reads(with_level_of(Sharers::group), "dies.cores_per_group"));
  CHECK(reads(with_level_of(Sharers::group), "dies.group_sizes"));
  MachineSpec sized = with_level_of(Sharers::group);
  sized.dies.group_sizes = {1, 3};
  CHECK_FALSE(reads(sized, "dies.cores_per_group"));
  CHECK(reads(sized, "dies.group_sizes"));
}

TEST_CASE("a_crossbar_between_groups_has_no_clusters_of_cores") {
  for (const char* const path : {"dies.cores_per_cluster", "dies.cluster_run"}) {
    CAPTURE(path);
    for (const bool groups : {false, true}) {
      MachineSpec spec = groups ? with_level_of(Sharers::group) : monolithic();
      spec.crossbar.cluster_write_width = 16_B_clk;
      spec.dies.cores_per_cluster = 1;
      CHECK(reads(spec, path) != groups);
    }
  }
}

}  // namespace strata::machine::test
