// SPDX-License-Identifier: Apache-2.0
// NUMA domains and logical GPUs: whose memory is where, and in which order work
// fills the cores.
#include <stdexcept>

#include "catch.hpp"
#include "machine/core_order.hpp"
#include "machine/layout/numa.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {

TEST_CASE("one_logical_gpu_is_filled_after_the_other") {
  MachineSpec spec = chiplets();
  const auto cores = static_cast<std::uint32_t>(spec.dies.cores_per_die);
  GIVEN("eight dies as one GPU") {
    const Machine machine(spec);
    const auto order = core_order(machine.spec(), "round_robin_dies");
    THEN("blocks are dealt out to all dies") {
      for (std::uint32_t n = 0; n < order.size(); ++n) CHECK(order[n] / cores == n % 8);
      CHECK(machine.atlas().logical_gpu(order.back()) == 0);
    }
  }
  GIVEN("one logical GPU a die, and one of every two") {
    const std::uint64_t gpus = GENERATE(8U, 4U);
    spec.dies.logical_gpus = gpus;
    const Machine machine(spec);
    const auto order = core_order(machine.spec(), "round_robin_dies");
    const std::size_t of_a_gpu = order.size() / gpus;
    THEN("all cores of the first are filled before any of the second") {
      REQUIRE(order.size() == 8 * cores);
      for (std::size_t n = 0; n < order.size(); ++n) {
        CHECK(machine.atlas().logical_gpu(order[n]) == n / of_a_gpu);
        CHECK(order[n] / cores / (8 / gpus) == n / of_a_gpu);
      }
    }
  }
}

TEST_CASE("logical_gpus_have_equal_numbers_of_dies") {
  MachineSpec spec = chiplets();
  spec.dies.logical_gpus = 3;
  CHECK_THROWS_WITH(Machine(spec), "dies.logical_gpus = 3 does not divide dies.compute = 8 (1, 2, 4, 8 do)");
}

TEST_CASE("a_core_calls_the_memory_of_its_own_die_local") {
  MachineSpec spec = chiplets();
  const auto cores = static_cast<std::uint32_t>(spec.dies.cores_per_die);
  GIVEN("memory interleaved over all dies") {
    const Machine machine(spec);
    for (std::uint32_t die = 0; die < 8; ++die) CHECK(machine.atlas().local_memory(die * cores) == 0);
  }
  GIVEN("memory of each die apart") {
    spec.memory.interleave = Interleave::per_die;
    const Machine machine(spec);
    THEN("each pair of compute dies has the memory of the die under it") {
      for (std::uint32_t die = 0; die < 8; ++die) {
        const std::uint64_t local = machine.atlas().local_memory(die * cores);
        CHECK(local == die / 2 * domain_bytes(spec));
        CHECK(machine.atlas().whereabouts(die * cores, local).home_die == die / 2);
        CHECK(machine.atlas().whereabouts(die * cores, local + spec.memory.size.value / 4 - 1).home_die == die / 2);
      }
    }
  }
}

}  // namespace strata::machine::test
