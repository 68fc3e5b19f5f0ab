// SPDX-License-Identifier: Apache-2.0
// Machines whose caches have lines of 256 B: latencies to the tick, places of both blocks of a line, random traffic,
// and refusals.
#include "base/invalid_request.hpp"
#include "catch.hpp"
#include "machine/checks/consistency.hpp"
#include "memory/values.hpp"
#include "random_streams.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

void widen(cache::CacheSpec& cache) {
  cache.line = 256_B;
  cache.sector = 64_B;
  cache.fill_granularity = std::max(cache.fill_granularity, 64_B);
}

LevelSpec wide_level(Sharers sharers) {
  LevelSpec spec;
  spec.shared_by = sharers;
  spec.latency = Nanoseconds{4};
  spec.slices = 2;
  spec.index.page = 4_KiB;
  spec.cache = tiny_cache("L1.5", 4_KiB, 4, 3_clk, 11_clk, 2_clk);
  if (sharers == Sharers::core || sharers == Sharers::group) {
    spec.cache.write_policy = cache::WritePolicy::write_through;
    spec.cache.write_allocate = cache::WriteAllocate::none;
  }
  widen(spec.cache);
  return spec;
}

/// A tiny machine all of whose caches that may have such lines have them.
MachineSpec wide_machine(std::uint64_t seed) {
  MachineSpec spec = random_machine(seed);
  widen(spec.l1.cache);
  if (!spec.l2.partitioned && spec.memory_side_cache) widen(spec.l2.cache);
  const Sharers all[] = {Sharers::core, Sharers::group, Sharers::memory_die};
  if (seed % 4 != 3) spec.levels.push_back(wide_level(all[seed % 4]));
  return spec;
}

std::vector<std::string> messages(const MachineSpec& spec) {
  std::vector<std::string> all;
  for (const RequestFault& fault : contradictions(spec)) all.push_back(fault.message);
  return all;
}

}  // namespace

TEST_CASE("an_l1_with_lines_of_two_blocks_holds_its_capacity_and_fetches_each_block_by_itself") {
  MachineSpec spec = monolithic();
  widen(spec.l1.cache);
  Prober prober(spec);
  const Way way(prober.machine());
  const std::uint64_t blocks = (2_KiB).value / 128;
  for (std::uint64_t block = 0; block < blocks; ++block)  // the tag is there for every second one; its data are not
    CHECK(prober.level(prober.load(0, block * 128).level) == "DRAM");
  for (std::uint64_t block = 0; block < blocks; ++block) {
    CHECK(prober.load(0, block * 128).latency == way.l1_hit());
    CHECK(prober.load(0, block * 128 + 32).latency == way.l1_hit());  // of the same 64 B
    CHECK(prober.load(0, block * 128 + 64).latency > way.l1_hit());
  }
  // Four lines of a set of 2 KiB / 256 B / 4 ways = 2 sets: the fifth evicts the first, both its blocks.
  for (std::uint64_t line = 0; line < 5; ++line) prober.load(0, 8192 + line * 512);
  CHECK(prober.load(0, 8192 + 512).latency == way.l1_hit());
  CHECK(prober.load(0, 8192).latency == way.l2_hit());
}

TEST_CASE("both_blocks_of_a_line_have_one_slice_and_pages_cover_slices_and_sets_evenly") {
  MachineSpec spec = chiplets();
  widen(spec.l2.cache);
  spec.l2.slices_per_die = 4;
  const Machine machine(spec);
  std::vector<std::uint64_t> of_slice(4);
  for (std::uint64_t address = 0; address < 16384; address += 256) {
    const auto even = machine.atlas().whereabouts(0, address);
    const auto odd = machine.atlas().whereabouts(0, address + 128);
    CHECK(even.slice == odd.slice);
    CHECK(even.set == odd.set);
    ++of_slice.at(even.slice);
  }
  // 64 lines.
  for (const std::uint64_t lines : of_slice) CHECK(lines == 16);
}

TEST_CASE("random_traffic_through_lines_of_two_blocks_ends_balanced") {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    const MachineSpec spec = wide_machine(seed);
    REQUIRE(messages(spec).empty());
    Traffic traffic;
    traffic.seed = seed;
    traffic.lanes = 4;
    traffic.dependent = seed % 2 == 0;
    traffic.writes = true;
    CHECK(run_everywhere(spec, traffic, 2).completions == run_everywhere(random_machine(seed), traffic, 2).completions);
  }
}

TEST_CASE("random_traffic_through_l1s_that_keep_stores_in_lines_of_two_blocks_ends_balanced") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    MachineSpec spec = wide_machine(seed);
    spec.l1.cache.write_policy = cache::WritePolicy::write_back;
    spec.l1.cache.write_allocate = cache::WriteAllocate::sector;
    spec.l1.cache.bypass_cg = false;
    REQUIRE(messages(spec).empty());
    Traffic traffic;
    traffic.seed = seed;
    traffic.lanes = 4;
    traffic.writes = true;
    CHECK(run_everywhere(spec, traffic, 2).completions == run_everywhere(random_machine(seed), traffic, 2).completions);
  }
}

TEST_CASE("a_machine_with_lines_of_two_blocks_keeps_no_values") {
  MachineSpec spec = monolithic();
  widen(spec.l1.cache);
  Machine machine(spec);
  memory::Values values({nullptr, nullptr, nullptr});
  CHECK_THROWS_AS(machine.keep_values(values), InvalidRequest);
}

TEST_CASE("lines_of_two_blocks_are_refused_where_slices_are_bound_to_channels_or_homes") {
  const auto only = [](const MachineSpec& spec) {
    const std::vector<std::string> all = messages(spec);
    REQUIRE(all.size() == 1);
    return all.front();
  };
  MachineSpec bound = monolithic();
  widen(bound.l2.cache);
  CHECK(only(bound) ==
        "l2.cache.line is more than the 128 B of a request: each slice is bound to one of memory.channels_per_die = 2 "
        "channels, and the two blocks of a line may be of different ones");
  MachineSpec sides = two_sides();
  widen(sides.l2.cache);
  CHECK(only(sides) ==
        "l2.cache.line is more than the 128 B of a request: l2.partitioned = true gives each block a home and copies "
        "of its own");
  MachineSpec side = chiplets();
  widen(side.memory_side_cache->cache);
  CHECK(only(side) ==
        "memory_side_cache.cache.line is more than the 128 B of a request: each slice is bound to a channel, and the "
        "two blocks of a line may be of different channels");
  MachineSpec homes = chiplets();
  homes.memory_side_cache->index.home_bits = {{{7}}, {{9}}};
  homes.levels = {wide_level(Sharers::memory_die)};
  CHECK(only(homes) ==
        "levels[0].cache.line is more than the 128 B of a request: home_bits with address bit 7 put the two blocks of "
        "a line on different memory dies");
  MachineSpec victims = monolithic();
  widen(victims.l1.cache);
  victims.l1.victim_cache.emplace();
  CHECK(only(victims) ==
        "l1.cache.line is more than the 128 B of a request: l1.victim_cache takes one block for each line that is "
        "evicted");
}

}  // namespace strata::machine::test
