// SPDX-License-Identifier: Apache-2.0
// Levels that are home to a range of addresses: other requests take the same time as on a machine without the level,
// to the tick.
#include <array>

#include "catch.hpp"
#include "machine/checks/consistency.hpp"
#include "machine/levels.hpp"
#include "random_streams.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

constexpr std::uint64_t first = 8192;
constexpr std::uint64_t beyond = 16384;

LevelSpec level(Sharers sharers) {
  LevelSpec spec;
  spec.shared_by = sharers;
  spec.latency = Nanoseconds{4};
  spec.index.page = 4_KiB;
  spec.addresses = AddressRangeSpec{Bytes{first}, Bytes{beyond}};
  spec.cache = tiny_cache("part", 4_KiB, 4, 3_clk, 11_clk, 2_clk);
  if (sharers == Sharers::core || sharers == Sharers::group) {
    spec.cache.write_policy = cache::WritePolicy::write_through;
    spec.cache.write_allocate = cache::WriteAllocate::none;
  }
  return spec;
}

MachineSpec with(MachineSpec spec, Sharers sharers) {
  spec.levels = {level(sharers)};
  return spec;
}

bool lists(const Contents& contents, const std::string& name) {
  return std::any_of(contents.caches.begin(), contents.caches.end(),
                     [&](const auto& cache) { return cache.name == name; });
}

constexpr std::array sharers{Sharers::core, Sharers::group, Sharers::die, Sharers::memory_die};

}  // namespace

TEST_CASE("requests_for_other_addresses_bypass_a_level_in_no_time") {
  for (const Sharers who : sharers) {
    CAPTURE(static_cast<int>(who));
    const MachineSpec base = who == Sharers::core || who == Sharers::group ? monolithic() : chiplets();
    Prober plain(base);
    Prober ranged(with(base, who));
    for (const std::uint64_t address : {std::uint64_t{0}, first - 128, beyond, beyond + 4096}) {
      CAPTURE(address);
      const Served without = plain.load(0, address);
      const Served beside = ranged.load(0, address);
      CHECK(beside.latency == without.latency);
      CHECK(ranged.level(beside.level) == plain.level(without.level));
      CHECK_FALSE(lists(ranged.machine().contents(0, address), "part"));
    }
    for (const std::uint64_t address : {first, beyond - 128}) {
      CAPTURE(address);
      CHECK(ranged.load(0, address).latency > plain.load(0, address).latency);
      CHECK(lists(ranged.machine().contents(0, address), "part"));
    }
  }
}

TEST_CASE("a_memory_side_cache_homes_a_range_as_further_levels_do") {
  MachineSpec spec = chiplets();
  spec.memory_side_cache->addresses = AddressRangeSpec{Bytes{first}, Bytes{beyond}};
  Prober prober(spec);
  for (const auto& [address, name] : {std::pair{first, "MALL"}, {beyond - 128, "MALL"}, {beyond, "DRAM"}}) {
    CAPTURE(address);
    prober.load(0, address);
    prober.machine().forget(DieLevels::all);
    prober.machine().forget_first_levels();
    CHECK(prober.level(prober.load(0, address).level) == name);
  }
  CHECK(prober.machine().atlas().whereabouts(0, first).memory_slice.has_value());
  CHECK_FALSE(prober.machine().atlas().whereabouts(0, beyond).memory_slice.has_value());
}

// Every run ends with the checks of level_balance.hpp: requests that bypass the level are sent above it and
// received below it.
TEST_CASE("mixed_traffic_within_and_beyond_a_range_balances") {
  for (const Sharers who : sharers) {
    for (const MachineSpec& base : {monolithic(), two_sides(), chiplets()}) {
      const MachineSpec spec = with(base, who);
      CAPTURE(spec.name, static_cast<int>(who));
      Traffic traffic;
      traffic.writes = true;
      traffic.instructions = 400;
      traffic.footprint = 32768;
      const Outcome outcome = run_everywhere(spec, traffic, 2);
      CHECK(outcome.completions == run_everywhere(base, traffic, 2).completions);
      for (const Level& row : levels_of(spec))
        if (row.kind == LevelKind::further) CHECK(outcome.served.at(row.number) > 0);
    }
  }
}

TEST_CASE("a_range_beyond_the_memory_is_refused") {
  MachineSpec spec = with(monolithic(), Sharers::die);
  const std::uint64_t size = spec.memory.size.value;
  spec.levels[0].addresses = AddressRangeSpec{Bytes{size - 4096}, Bytes{size}};
  CHECK(contradictions(spec).empty());
  spec.levels[0].addresses->to = Bytes{2 * size};
  REQUIRE(contradictions(spec).size() == 1);
  CHECK(contradictions(spec).front().message ==
        "levels[0].addresses.to = 8 MiB lies beyond the memory, whose addresses end at 4 MiB");
  spec.levels[0].addresses->from = spec.memory.size;
  const std::vector<RequestFault> faults = contradictions(spec);
  REQUIRE(faults.size() == 1);
  CHECK_THAT(faults.front().message, Catch::Matchers::StartsWith("levels[0].addresses.from = "));
  CHECK(faults.front().settings == std::vector<std::string>{"levels[0].addresses.from", "memory.size"});
}

}  // namespace strata::machine::test
