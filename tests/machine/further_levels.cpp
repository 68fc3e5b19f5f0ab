// SPDX-License-Identifier: Apache-2.0
// Further levels of caches in addition to L1, L2 and memory-side cache: position, sharers, and latency to the tick.
#include <fmt/format.h>

#include "catch.hpp"
#include "kernels/catalogue.hpp"
#include "machine/blocks/dispatcher.hpp"
#include "machine/checks/consistency.hpp"
#include "machine/levels.hpp"
#include "random_streams.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

constexpr Cycles tag = 3_clk;
constexpr Cycles hit = 11_clk;
constexpr Cycles fill = 2_clk;
constexpr Nanoseconds way_in{4};

LevelSpec level(Sharers sharers, const std::string& name = "L1.5", Bytes size = 4_KiB) {
  LevelSpec spec;
  spec.shared_by = sharers;
  spec.latency = way_in;
  spec.index.page = 4_KiB;
  spec.cache = tiny_cache(name.c_str(), size, 4, tag, hit, fill);
  if (sharers == Sharers::core || sharers == Sharers::group) {
    spec.cache.write_policy = cache::WritePolicy::write_through;
    spec.cache.write_allocate = cache::WriteAllocate::none;
  }
  return spec;
}

MachineSpec with(MachineSpec spec, std::vector<LevelSpec> levels) {
  spec.levels = std::move(levels);
  return spec;
}

/// The latency that a level adds to a request that passes it, and to one that hits it, in its
/// clock.
struct Passing {
  Passing(const Machine& machine, Frequency clock)
      : clock_(machine.timebase().clock(clock.value)), way_(machine.timebase().nanoseconds(way_in.value)) {}
  Duration there() const { return way_ + clock_.cycles(tag.value); }
  Duration back() const { return clock_.cycles(fill.value); }
  Duration hits() const { return way_ + clock_.cycles(hit.value); }

 private:
  engine::Clock clock_;
  Duration way_;
};

/// For a load that misses the first level, to the next one and back, with no level between.
Duration beyond_l1(const Machine& machine) {
  const MachineSpec& spec = machine.spec();
  return machine.core_clock().cycles(spec.core.load_store.scalar_address.value + spec.l1.cache.tag_latency.value +
                                     spec.l1.cache.fill_latency.value);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a_level_of_a_group_serves_its_cores_and_no_others") {
  const MachineSpec spec = with(monolithic(), {level(Sharers::group)});
  Prober prober(spec);
  Machine& machine = prober.machine();
  CHECK(level_names(machine.spec(), Space::global) == Names{"L1", "L1.5", "L2", "DRAM"});
  const Way way(machine);
  const Passing passing(machine, spec.clocks.core);
  const Duration there = way.to_l2() + passing.there() + way.l2_tag();
  const Duration back = way.l2_fill() + passing.back() + way.from_l2();
  const Time leaves = machine.simulation().now() + there;
  const Served cold = prober.load(0, 0);
  CHECK(prober.level(cold.level) == "DRAM");
  CHECK(cold.latency == there + way.dram(leaves) + back);
  const Served same_group = prober.load(1, 0);
  CHECK(prober.level(same_group.level) == "L1.5");
  CHECK(same_group.latency == beyond_l1(machine) + passing.hits());
  const Served other_group = prober.load(2, 0);
  CHECK(prober.level(other_group.level) == "L2");
  CHECK(other_group.latency == way.l2_hit() + passing.there() + passing.back());
}

TEST_CASE("a_level_of_a_core_serves_that_core_alone") {
  MachineSpec spec = with(monolithic(), {level(Sharers::core, "private L2")});
  spec.l1.carve_outs = {{"all", 512_B, {}}};
  Prober prober(spec);
  Machine& machine = prober.machine();
  const Passing passing(machine, spec.clocks.core);
  prober.load(0, 0);
  for (std::uint64_t line = 1; line <= 8; ++line) prober.load(0, line * 128);  // out of the L1
  const Served own = prober.load(0, 0);
  CHECK(prober.level(own.level) == "private L2");
  CHECK(own.latency == beyond_l1(machine) + passing.hits());
  CHECK(prober.level(prober.load(1, 0).level) == "L2");
}

TEST_CASE("a_level_behind_a_private_l2_serves_its_die_alone") {
  MachineSpec spec = with(chiplets(), {level(Sharers::die, "L3", 32_KiB)});
  spec.l2.cache.size = 1_KiB;
  Prober prober(spec);
  Machine& machine = prober.machine();
  CHECK(level_names(machine.spec(), Space::global) == Names{"L1", "L2", "L3", "MALL", "DRAM"});
  const Way way(machine);
  const Passing passing(machine, spec.clocks.l2);
  prober.load(0, 0);
  for (std::uint64_t line = 1; line <= 64; ++line) prober.load(0, line * 128);  // out of the L2
  const Served same_die = prober.load(1, 0);
  CHECK(prober.level(same_die.level) == "L3");
  CHECK(same_die.latency == way.to_l2() + way.l2_tag() + passing.hits() + way.l2_fill() + way.from_l2());
  CHECK(prober.level(prober.load(2, 0).level) != "L3");  // of another die
}

TEST_CASE("a_level_behind_a_partitioned_l2_is_at_the_home") {
  const MachineSpec spec = with(two_sides(), {level(Sharers::die, "L3", 32_KiB)});
  Prober prober(spec);
  Machine& machine = prober.machine();
  CHECK(level_names(machine.spec(), Space::global) == Names{"L1", "L2", "far L2", "L3", "DRAM"});
  const Way way(machine);
  const Passing passing(machine, spec.clocks.l2);
  const std::uint64_t near = address_at_home(machine, 0);
  const std::uint64_t far = address_at_home(machine, 1);
  for (const std::uint64_t address : {near, far}) CHECK(prober.level(prober.load(0, address).level) == "DRAM");
  machine.forget(DieLevels::l2);
  machine.forget_first_levels();
  const Duration at_home = way.to_l2() + way.l2_tag() + passing.hits() + way.l2_fill() + way.from_l2();
  for (const auto& [address, expected] :
       {std::pair{near, at_home}, std::pair{far, at_home + way.crossing() * 2 + way.l2_tag() + way.l2_fill()}}) {
    const Served served = prober.load(0, address);
    CHECK(prober.level(served.level) == "L3");
    CHECK(served.latency == expected);
  }
}

TEST_CASE("levels_of_a_memory_die_are_in_series_in_front_of_its_memory_side_cache") {
  const MachineSpec spec =
      with(chiplets(), {level(Sharers::memory_die, "L3", 4_KiB), level(Sharers::memory_die, "L4", 8_KiB)});
  Prober prober(spec);
  Machine& machine = prober.machine();
  CHECK(level_names(machine.spec(), Space::global) == Names{"L1", "L2", "L3", "L4", "MALL", "DRAM"});
  const Passing passing(machine, spec.clocks.fabric);
  const Way way(machine);
  const std::uint64_t address = address_at_home(machine, 2);
  prober.load(0, address);
  const Duration flown = way.flight(1, 2);
  const Served other_die = prober.load(2, address);
  CHECK(prober.level(other_die.level) == "L3");
  CHECK(other_die.latency == way.to_l2() + way.l2_tag() + flown * 2 + passing.hits() + way.l2_fill() + way.from_l2());
}

TEST_CASE("levels_are_one_table_from_the_cores_to_memory") {
  MachineSpec spec = with(two_sides(), {level(Sharers::memory_die, "L4"), level(Sharers::die, "L3"),
                                        level(Sharers::group, "L1.5"), level(Sharers::core, "L1.2")});
  spec.memory_side_cache = chiplets().memory_side_cache;
  const std::vector<Level> levels = levels_of(spec);
  Names paths;
  std::vector<unsigned> numbers;
  std::vector<std::uint64_t> instances;
  for (const Level& row : levels) {
    paths.push_back(row.path);
    numbers.push_back(row.number);
    instances.push_back(row.instances);
  }
  CHECK(paths == Names{"levels[3]", "levels[2]", "l2", "levels[1]", "levels[0]", "memory_side_cache"});
  CHECK(numbers == std::vector<unsigned>{1, 2, 3, 5, 6, 7});  // the far L2 has a separate number
  CHECK(instances == std::vector<std::uint64_t>{8, 4, 2, 2, 2, 2});
  CHECK(last_cache_bytes(spec) == 2 * 2 * 8192);
  spec.memory_side_cache.reset();
  CHECK(last_cache_bytes(spec) == 2 * 4096);
}

TEST_CASE("unlike_groups_have_a_level_each") {
  DiesSpec dies;
  dies.cores_per_die = 7;
  dies.cores_per_group = 3;
  CHECK(groups_of_die(dies) == 3);
  std::vector<std::uint32_t> groups;
  for (std::uint32_t core = 0; core < 7; ++core) groups.push_back(group_of(dies, core));
  CHECK(groups == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, 2});
  dies.group_sizes = {1, 4, 2};
  CHECK(groups_of_die(dies) == 3);
  groups.clear();
  for (std::uint32_t core = 0; core < 7; ++core) groups.push_back(group_of(dies, core));
  CHECK(groups == std::vector<std::uint32_t>{0, 1, 1, 1, 1, 2, 2});
  dies.compute = 2;
  std::vector<std::uint32_t> next;
  for (std::uint32_t core = 0; core < 14; ++core) next.push_back(next_in_group(dies, core));
  CHECK(next == std::vector<std::uint32_t>{0, 2, 3, 4, 1, 6, 5, 7, 9, 10, 11, 8, 13, 12});
}

// Every run ends with the checks of level_balance.hpp, which include each request and sector between all
// levels.
TEST_CASE("mixed_traffic_through_further_levels_balances_and_repeats") {
  const auto everywhere = {level(Sharers::core, "L1.2", 4_KiB), level(Sharers::group, "L1.5", 8_KiB)};
  const auto below = {level(Sharers::die, "L3", 8_KiB), level(Sharers::memory_die, "L4", 16_KiB)};
  for (const MachineSpec& base : {monolithic(), two_sides(), chiplets()}) {
    for (const auto& levels : {everywhere, below}) {
      const MachineSpec spec = with(base, levels);
      CAPTURE(spec.name, spec.levels.front().cache.name);
      Traffic traffic;
      traffic.writes = true;
      traffic.instructions = 400;
      traffic.footprint = 32768;
      const Outcome first = run_everywhere(spec, traffic, 2);
      const Outcome second = run_everywhere(spec, traffic, 2);
      CHECK(first.fingerprint == second.fingerprint);
      CHECK(first.completions == run_everywhere(base, traffic, 2).completions);
      for (const Level& row : levels_of(spec))
        if (row.kind == LevelKind::further) CHECK(first.served.at(row.number) > 0);
    }
  }
}

TEST_CASE("contradictions_of_further_levels_name_the_settings") {
  const auto refused = [](const MachineSpec& spec) {
    Names messages;
    for (const RequestFault& fault : contradictions(spec)) messages.push_back(fault.message);
    return messages;
  };
  using Catch::Matchers::StartsWith;
  CHECK(refused(with(monolithic(), {level(Sharers::group)})).empty());
  for (const Sharers sharers : {Sharers::core, Sharers::group}) {
    LevelSpec written = level(sharers);
    written.cache.write_policy = cache::WritePolicy::write_back;
    written.cache.performs_atomics = true;
    const Names messages = refused(with(monolithic(), {written}));
    REQUIRE(messages.size() == 2);
    CHECK_THAT(messages[0], StartsWith("levels[0].cache.write_policy = write_back in a level shared_by "));
    CHECK_THAT(messages[1], StartsWith("levels[0].cache.performs_atomics = true in a level shared_by "));
  }
  LevelSpec homes = level(Sharers::memory_die);
  homes.index.home_bits = {{{8}}};
  CHECK_THAT(refused(with(monolithic(), {homes})).front(), StartsWith("levels[0].index.home_bits is given"));
  MachineSpec joined = with(monolithic(), {level(Sharers::group)});
  joined.crossbar.coalescer.emplace();
  CHECK_THAT(refused(joined).front(),
             StartsWith("levels[0] is shared_by group, so the sources of the crossbar are groups"));
  const auto in_a_row = [](unsigned count) {
    std::vector<LevelSpec> levels;
    for (unsigned i = 0; i < count; ++i) levels.push_back(level(Sharers::memory_die, fmt::format("M{}", i)));
    return levels;
  };
  CHECK(refused(with(chiplets(), in_a_row(6))).empty());
  CHECK_THAT(refused(with(chiplets(), in_a_row(7))).front(),
             StartsWith("levels = 7 entries make a request pass 13 blocks on its path, and the maximum is 12"));
}

TEST_CASE("names_that_statistics_add_up_are_refused_with_one_that_is_free") {
  const auto remedies = [](const std::vector<const char*>& names) {
    std::vector<LevelSpec> levels;
    for (const char* name : names) levels.push_back(level(Sharers::die, name));
    Names all;
    for (const RequestFault& fault : contradictions(with(chiplets(), levels))) all.push_back(fault.remedy);
    return all;
  };
  CHECK(remedies({"L3", "L4"}).empty());
  CHECK(remedies({"Level 3", "Level 4"}) == Names{"set levels[1].cache.name=L3"});
  CHECK(remedies({"L3", "L3"}) == Names{"set levels[1].cache.name=L3 2"});
  CHECK(remedies({"L3", "L3 2", "L3"}) == Names{"set levels[2].cache.name=L3 b"});
  CHECK(remedies({"a/b"}) == Names{"set levels[0].cache.name=L3"});
}

TEST_CASE("stores_of_a_kernel_are_written_back_level_after_level") {
  MachineSpec spec = with(chiplets(), {level(Sharers::die, "L3", 32_KiB)});
  spec.core.exit_waits_for_stores = true;
  spec.launch.flushes_l2 = true;
  Prober prober(spec);
  Machine& machine = prober.machine();
  const auto kernel = kernels::make_kernel("stream_write,bytes=4KiB,width=4,unroll=1,threads=64", {32, 16});
  Dispatcher dispatcher(machine, *kernel, "", {});
  dispatcher.launch();
  REQUIRE(machine.run());
  constexpr std::uint64_t lines = 4096 / 128;
  const stats::Snapshot counts = machine.meter().snapshot();
  CHECK(counts.sum("die */L2 slice */write-backs") == lines);
  CHECK(counts.sum("die */L3 slice */stores") == lines);
  CHECK(counts.sum("die */L3 slice */write-backs") == lines);
  CHECK(machine.meter().dies_written_back() > Time{});
  CHECK(dispatcher.ended() >= machine.meter().dies_written_back());
  WHEN("the next kernel begins") {
    machine.forget(DieLevels::all);
    machine.forget_first_levels();
    THEN("it finds neither level filled") {
      CHECK(prober.level(prober.load(0, kernel->info().regions.front().first).level) == "MALL");
    }
  }
}

TEST_CASE("a_request_passes_up_to_twelve_blocks_and_is_answered") {
  std::vector<LevelSpec> six;
  for (int i = 1; i <= 6; ++i) six.push_back(level(Sharers::memory_die, fmt::format("M{}", i).c_str()));
  MachineSpec spec = chiplets();
  spec.levels = six;
  Prober prober(spec);
  const Served first = prober.load(0, 0);
  CHECK(prober.level(first.level) == "DRAM");
  CHECK(prober.machine().simulation().idle());
  CHECK(prober.level(prober.load(0, 0).level) == "L1");
}

}  // namespace strata::machine::test
