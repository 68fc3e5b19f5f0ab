// SPDX-License-Identifier: Apache-2.0
// Messages for contradictions in a spec: settings, values and the remedy, all at once.
#include "machine/checks/consistency.hpp"

#include <algorithm>

#include "catch.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

/// The only fault of a spec; its message, after its settings are checked.
std::string only(const MachineSpec& spec, const std::vector<std::string>& settings) {
  const std::vector<RequestFault> faults = contradictions(spec);
  REQUIRE(faults.size() == 1);
  for (const std::string& setting : settings) {
    CAPTURE(setting, faults.front().message);
    CHECK(std::find(faults.front().settings.begin(), faults.front().settings.end(), setting) !=
          faults.front().settings.end());
  }
  return faults.front().message;
}

}  // namespace

TEST_CASE("machines_that_fit_have_no_contradictions") {
  for (const MachineSpec& spec : {monolithic(), two_sides(), chiplets()}) CHECK(contradictions(spec).empty());
}

TEST_CASE("a_level_has_8192_slices_at_most") {
  MachineSpec spec = chiplets();
  REQUIRE(spec.memory_side_cache);
  const std::uint64_t most = 8192 / spec.dies.memory;
  spec.memory_side_cache->slices_per_die = most;
  CHECK(contradictions(spec).empty());
  spec.memory_side_cache->slices_per_die = 2 * most;
  only(spec, {"memory_side_cache.slices_per_die", "dies.memory"});
  CHECK(contradictions(spec).front().remedy == "set memory_side_cache.slices_per_die=" + std::to_string(most));
}

TEST_CASE("slices_that_do_not_divide_among_channels_are_named_with_the_remedy") {
  MachineSpec spec = monolithic();
  spec.memory.channels_per_die = 4;
  spec.l2.slices_per_die = 6;
  CHECK(only(spec, {"l2.slices_per_die", "memory.channels_per_die"}) ==
        "l2.slices_per_die = 6 is not a multiple of memory.channels_per_die = 4: each channel serves the same number "
        "of slices");
  CHECK(contradictions(spec).front().remedy == "set l2.slices_per_die=4 or 8");
  spec = chiplets();
  spec.memory_side_cache->slices_per_die = 3;
  only(spec, {"memory_side_cache.slices_per_die", "memory.channels_per_die"});
}

TEST_CASE("channels_on_separate_dies_need_no_multiple_of_slices") {
  GIVEN("compute dies of 3 slices apart from memory dies of 2 channels, without a memory-side cache") {
    MachineSpec spec = chiplets();
    spec.l2.index.home_bits = spec.memory_side_cache->index.home_bits;
    spec.memory_side_cache.reset();
    spec.l2.slices_per_die = 3;
    REQUIRE(contradictions(spec).empty());
    THEN("every channel of every die is reached") {
      const Machine machine(spec);
      std::vector<bool> met(8);
      for (std::uint64_t address = 0; address < 1 << 18; address += 128)
        met.at(machine.atlas().whereabouts(0, address).channel) = true;
      CHECK(std::all_of(met.begin(), met.end(), [](bool channel) { return channel; }));
    }
  }
}

TEST_CASE("links_name_the_node_that_is_not_there_and_the_pair_that_is_joined_twice") {
  MachineSpec spec = two_sides();
  spec.network.links[0].to = 7;
  CHECK(only(spec, {"network.links[0].to", "dies.memory"}) ==
        "network.links[0].to = 7 is not a node: dies.memory = 2 make nodes 0 to 1");
  spec = two_sides();
  spec.network.links.push_back(link(1, 0, side_to_side));
  CHECK(only(spec, {"network.links[1].from"}) == "network.links[0] and network.links[1] both join nodes 1 and 0");
}

TEST_CASE("logical_gpus_groups_and_pages_that_do_not_fit_are_named") {
  MachineSpec spec = chiplets();
  spec.dies.logical_gpus = 3;
  CHECK(only(spec, {"dies.logical_gpus", "dies.compute"}) == "dies.logical_gpus = 3 does not divide dies.compute = 8");
  CHECK(contradictions(spec).front().remedy == "1, 2, 4, 8 do");
  spec = monolithic();
  spec.dies.group_sizes = {2, 1};
  CHECK(only(spec, {"dies.group_sizes", "dies.cores_per_die"}) ==
        "dies.group_sizes = [2, 1] has 3 cores, dies.cores_per_die = 4");
  spec = monolithic();
  spec.dies.group_sizes = {3, 1};
  spec.translation.levels.resize(1);
  spec.translation.levels[0].scope = translation::Scope::group;
  CHECK(only(spec, {"translation.levels[0].scope", "dies.group_sizes", "dies.cores_per_group", "dies.cores_per_die"}) ==
        "translation.levels[0].scope = group needs groups of one size in each die, but dies.cores_per_die = 4, "
        "dies.cores_per_group = 2 and dies.group_sizes = [3, 1]");
  spec = monolithic();
  spec.pages.run = 2048;
  CHECK(only(spec, {"pages.run", "pages.page", "memory.size"}) ==
        "pages.run = 2048 pages of pages.page = 4 KiB are more than memory.size = 4 MiB");
}

TEST_CASE("memory_of_each_die_apart_needs_pages_that_lie_with_their_die") {
  MachineSpec spec = chiplets();
  spec.memory.interleave = Interleave::per_die;
  CHECK(contradictions(spec).empty());
  spec.pages.placement = "scattered";
  only(spec, {"memory.interleave", "pages.placement"});
}

TEST_CASE("caches_of_one_name_are_named_with_a_name_that_is_free") {
  MachineSpec spec = chiplets();
  LevelSpec level;
  level.cache = tiny_cache("L2", 8_KiB, 4, 7_clk, 16_clk, 5_clk);
  spec.levels = {level};
  CHECK(only(spec, {"levels[0].cache.name", "l2.cache.name"}) ==
        "levels[0].cache.name = L2 is l2.cache.name as well: statistics and results would not distinguish them");
  CHECK(contradictions(spec).front().remedy == "set levels[0].cache.name=L3");
  spec.memory_side_cache->cache.name = "L3";
  CHECK(contradictions(spec).front().remedy == "set levels[0].cache.name=L3 2");
  spec.levels[0].cache.name = " ";
  CHECK(only(spec, {"levels[0].cache.name"}) ==
        "levels[0].cache.name is empty: statistics and results need a name for each cache");
  spec.levels[0].cache.name = "L4";
  CHECK(contradictions(spec).empty());
}

TEST_CASE("no_cache_is_called_as_another_part_of_the_machine") {
  MachineSpec spec = monolithic();
  spec.l1.cache.name = "DRAM";
  CHECK(only(spec, {"l1.cache.name"}) ==
        "l1.cache.name = DRAM: in statistics and results this is the name of another part of the machine, DRAM");
  CHECK(contradictions(spec).front().remedy == "set l1.cache.name=L1");
  spec.l1.cache.name = "shared memory";
  CHECK(contradictions(spec).size() == 1);
  spec.l1.cache.name = "far L2";
  CHECK(contradictions(spec).empty());
  spec = two_sides();
  spec.l1.cache.name = "far L2";
  only(spec, {"l1.cache.name", "l2.partitioned"});
}

TEST_CASE("an_l2_of_one_die_is_not_partitioned") {
  MachineSpec spec = monolithic();
  spec.l2.partitioned = true;
  CHECK(only(spec, {"l2.partitioned", "dies.compute"}) ==
        "l2.partitioned = true gives each block a home die, but dies.compute = 1");
  CHECK(contradictions(spec).front().remedy == "set l2.partitioned=false");
}

TEST_CASE("contradictions_are_reported_all_at_once") {
  MachineSpec spec = two_sides();
  spec.l2.index.home_bits.clear();
  spec.dies.logical_gpus = 4;
  spec.network.links.clear();
  CHECK(contradictions(spec).size() == 4);  // GPUs, home bits, and each die without a route to the other
  try {
    const Machine machine(spec);
    FAIL("was built");
  } catch (const InvalidRequest& error) {
    CHECK(error.faults().size() == 4);
  }
}

}  // namespace strata::machine::test
