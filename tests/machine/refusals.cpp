// SPDX-License-Identifier: Apache-2.0
// Specs from which a machine cannot be built.
#include <algorithm>

#include "catch.hpp"
#include "config/yaml/parse.hpp"
#include "machine/core_order.hpp"
#include "machine/levels.hpp"
#include "machine/policies.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

std::string refusal(const MachineSpec& spec) {
  try {
    const Machine machine(spec);
    return "none";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

double peak_of(const MachineSpec& spec) {
  return dram::peaks(spec.memory.channel).bandwidth.value *
         static_cast<double>(spec.memory.channels_per_die * spec.dies.memory);
}

}  // namespace

TEST_CASE("the_memory_channels_must_give_the_published_peak_within_one_percent") {
  for (MachineSpec spec : {monolithic(), two_sides(), chiplets()}) {
    CAPTURE(spec.name);
    const double peak = peak_of(spec);
    for (const double off : {1.0, 1.009, 0.9915}) {
      spec.memory.published_peak = BytesPerSecond{peak * off};
      CHECK(refusal(spec) == "none");
    }
    for (const double off : {2.0, 0.5, 1.02, 0.98}) {
      spec.memory.published_peak = BytesPerSecond{peak * off};
      CHECK_THAT(refusal(spec), Catch::Matchers::StartsWith("the memory channels give ") &&
                                    Catch::Matchers::EndsWith(
                                        "for a what-if remove the comparison: --set memory.published_peak=none)"));
    }
  }
  GIVEN("two channels of 32 GB/s on one die") {
    MachineSpec spec = monolithic();
    REQUIRE(peak_of(spec) == 64e9);
    spec.memory.published_peak = BytesPerSecond{128e9};
    THEN("the refusal has both figures") {
      CHECK(refusal(spec) ==
            "the memory channels give 0.064 TB/s at most, memory.published_peak = 0.128 TB/s: dies.memory = 1 x "
            "memory.channels_per_die = 2 channels at memory.channel.timing.data_rate = 2000 MT/s "
            "(for a what-if remove the comparison: --set memory.published_peak=none)");
    }
  }
}

TEST_CASE("home_bits_must_distinguish_the_memory_dies") {
  MachineSpec spec = two_sides();
  spec.l2.index.home_bits.clear();
  CHECK(refusal(spec) ==
        "l2.index.home_bits has 0 masks, dies.memory = 2 with memory.interleave = all_dies needs 1 (give 1 masks, such "
        "as "
        "{address_bits: [12]}, or dies.memory=1)");
  spec = chiplets();
  spec.memory_side_cache->index.home_bits.pop_back();
  CHECK(refusal(spec) ==
        "memory_side_cache.index.home_bits has 1 masks, dies.memory = 4 with memory.interleave = all_dies needs 2 "
        "(give 2 "
        "masks, such as {address_bits: [12]}, or dies.memory=2, or memory.interleave=per_die)");
}

TEST_CASE("a_partitioned_l2_needs_memory_on_each_die") {
  MachineSpec spec = chiplets();
  spec.l2.partitioned = true;
  CHECK(refusal(spec) ==
        "l2.partitioned = true needs memory on the dies of the L2, but dies.compute = 8, "
        "dies.memory = 4 and dies.memory_apart = true (set l2.partitioned=false, or change those)");
  spec = two_sides();
  spec.l2.bypass = true;
  CHECK(refusal(spec) ==
        "l2.bypass = true removes the L2 that l2.partitioned = true would divide (set l2.partitioned=false or "
        "l2.bypass=false)");
  spec = two_sides();
  spec.l2.partitioned = false;
  CHECK(refusal(spec) ==
        "dies.compute = 2 dies with their own memory need l2.partitioned = true (set "
        "l2.partitioned=true, or dies.memory_apart=true and give network.links)");
}

TEST_CASE("a_partitioned_l2_needs_two_mshrs_and_two_ways") {
  const auto refused = [](const std::string& partitioned, const std::string& ways, const std::string& mshrs) {
    std::vector<Diagnostic> diagnostics;
    config::bind_spec<L2Spec>(
        config::parse("slices_per_die: 1\npartitioned: " + partitioned +
                          "\ncache: {name: L2, size: 8 KiB, hit_latency: 9 clk, data_width: 64 B/clk, ways: " + ways +
                          ", mshrs: " + mshrs + "}\n",
                      "l2.yaml"),
        diagnostics);
    for (const Diagnostic& one : diagnostics)
      CHECK_THAT(one.message, Catch::Matchers::Contains("needs 2 MSHRs, 2 ways"));
    return diagnostics.size();
  };
  CHECK(refused("true", "2", "2") == 0);
  CHECK(refused("true", "2", "1") == 1);
  CHECK(refused("true", "1", "2") == 1);
  CHECK(refused("false", "1", "1") == 0);
}

TEST_CASE("placement_is_selected_by_name") {
  const Machine machine(chiplets());
  // round_robin_dies is the placement of the machine: dies of two cores in turn.
  CHECK(core_order(machine.spec(), "").at(1) == 2);
  CHECK(core_order(machine.spec(), "die_first").at(1) == 1);
  CHECK_THROWS_WITH(core_order(machine.spec(), "no such"),
                    "there is no placement policy 'no such'; strata list policies shows them");
}

TEST_CASE("levels_are_those_that_can_serve_a_load") {
  using Names = std::vector<std::string>;
  CHECK(level_names(monolithic(), Space::global) == Names{"L1", "L2", "DRAM"});
  CHECK(level_names(two_sides(), Space::global) == Names{"L1", "L2", "far L2", "DRAM"});
  CHECK(level_names(chiplets(), Space::global) == Names{"L1", "L2", "MALL", "DRAM"});
  CHECK(level_names(monolithic(), Space::shared) == Names{"shared memory"});
}

TEST_CASE("capacities_are_those_available_to_one_thread") {
  const auto bytes_of = [](const MachineSpec& spec) {
    std::vector<std::uint64_t> bytes;
    for (const Capacity& capacity : capacities(spec)) bytes.push_back(capacity.bytes);
    return bytes;
  };
  const std::uint64_t l1 = 2048, l2 = 2 * 8192;
  CHECK(bytes_of(monolithic()) == std::vector<std::uint64_t>{l1, l2});
  CHECK(bytes_of(two_sides()) == std::vector<std::uint64_t>{l1, l2, 2 * l2});
  CHECK(bytes_of(chiplets()) == std::vector<std::uint64_t>{l1, l2, 4 * 2 * 8192});
}

TEST_CASE("the_home_side_and_slice_of_an_address_are_reported") {
  const Machine machine(two_sides());
  for (std::uint64_t address = 0; address < 1 << 16; address += 128) {
    const auto at = machine.atlas().whereabouts(0, address);
    CHECK(at.physical == address);                 // pages are contiguous
    CHECK(at.home_die == ((address >> 9U) & 1U));  // by home_bits
    CHECK(at.slice < 2);
    CHECK(at.set < machine.spec().l2.cache.sets());
    CHECK(at.channel / machine.spec().memory.channels_per_die == at.home_die);
  }
}

TEST_CASE("every_policy_table_has_rows_and_no_name_twice") {
  const std::vector<PolicyRow> rows = policies();
  for (const char* table :
       {"replacement", "block placement", "set index", "page placement", "DRAM scheduling", "DRAM pages"})
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const PolicyRow& row) { return row.table == table; }));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK_FALSE(rows[i].meaning.empty());
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE((rows[i].table == rows[j].table && rows[i].name == rows[j].name));
  }
}

}  // namespace strata::machine::test
