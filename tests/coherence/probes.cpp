// SPDX-License-Identifier: Apache-2.0
// Which accesses are probed for, how long that takes to the tick, and what a probe brings. Cores 2d and 2d + 1 are of
// compute die d, dies 2m and 2m + 1 hang on memory die m.
#include <array>

#include "catch.hpp"
#include "coherent_machine.hpp"
#include "machine/checks/consistency.hpp"
#include "machine/levels.hpp"
#include "study/handoff.hpp"

namespace strata::test {
namespace {

using machine::MachineSpec;
using machine::test::address_at_home;
using machine::test::Way;
using memory::CacheOperator;

MachineSpec without_filter() {
  MachineSpec spec = coherent_chiplets();
  spec.memory_side_cache->probe_filter.reset();
  return spec;
}

/// From the arrival of an access at its home until the answer of a die that was probed is there.
Duration probe_of(const machine::Machine& machine, std::uint32_t die, std::uint32_t home) {
  const Way way(machine);
  const machine::MemorySideCacheSpec& side = *machine.spec().memory_side_cache;
  return way.nanoseconds(side.latency) +
         machine.timebase().clock(machine.spec().clocks.fabric.value).cycles(side.probe_filter->latency.value) +
         way.flight(die, home) + way.l2_tag() + way.flight(die, home);
}

}  // namespace

TEST_CASE("an_atomic_waits_for_the_probe_of_the_die_that_has_a_copy") {
  const std::uint32_t home = GENERATE(0U, 3U);
  SingleAccesses with(coherent_chiplets());
  SingleAccesses without(without_filter());
  const std::uint64_t word = address_at_home(with.machine(), home) + 8;
  const auto atomic = [&](std::uint32_t core, memory::Word before) {
    CHECK(with.add(core, word) == before);
    CHECK(without.add(core, word) == before);
    return with.latency() - without.latency();
  };
  CHECK(atomic(0, 0) == Duration{});  // no copies yet
  CHECK(atomic(1, 1) == Duration{});  // the copy is of the same die
  CHECK(counted(with.machine(), "probes sent") == 0);
  CHECK(atomic(14, 2) == probe_of(with.machine(), 0, home));
  CHECK(atomic(4, 3) == probe_of(with.machine(), 7, home));
  CHECK(counted(with.machine(), "probes sent") == 2);
  CHECK(counted(with.machine(), "probes without a copy") == 0);
  CHECK(counted(with.machine(), "probes answered with data") == 0);
}

TEST_CASE("the_answer_of_an_atomic_leaves_a_copy_that_coherent_loads_of_the_die_hit") {
  SingleAccesses accesses(coherent_chiplets());
  const Way way(accesses.machine());
  accesses.add(0, 64, 5);
  CHECK(accesses.load(1, 64) == 5);
  CHECK(accesses.latency() == way.l2_hit());
  accesses.add(14, 64, 2);
  CHECK(accesses.load(1, 64) == 7);  // its copy was dropped
  CHECK(accesses.latency() > way.l2_hit());
  CHECK(accesses.load(0, 64) == 7);
  CHECK(accesses.latency() == way.l2_hit());
}

TEST_CASE("all_readers_are_probed_and_no_one_else") {
  SingleAccesses accesses(coherent_chiplets());
  for (const std::uint32_t core : {2U, 6U, 7U, 10U}) CHECK(accesses.load(core, 128) == 0);
  CHECK(accesses.add(0, 128) == 0);
  CHECK(counted(accesses.machine(), "probes sent") == 3);  // dies 1, 3 and 5
  for (const std::uint32_t core : {2U, 6U, 10U, 12U}) CHECK(accesses.load(core, 128) == 1);
  CHECK(accesses.add(12, 128) == 1);
  CHECK(counted(accesses.machine(), "probes sent") == 3 + 4);  // dies 0, 1, 3 and 5
}

TEST_CASE("an_ordinary_copy_is_not_probed_and_coherent_loads_pass_it_by") {
  SingleAccesses accesses(coherent_chiplets());
  CHECK(accesses.load(2, 64, CacheOperator::ca) == 0);
  CHECK(accesses.add(0, 64) == 0);
  CHECK(counted(accesses.machine(), "probes sent") == 0);
  CHECK(accesses.load(3, 64, CacheOperator::cg) == 0);  // past the L1 alone: the copy in the L2 is stale
  CHECK(accesses.load(3, 64) == 1);
  CHECK(accesses.load(3, 64, CacheOperator::cg) == 1);
}

TEST_CASE("dirty_data_come_with_the_answer_to_a_probe") {
  SingleAccesses accesses(coherent_chiplets());
  CHECK(accesses.load(0, 64) == 0);
  accesses.store(0, 64, 9);  // an ordinary store: peers do not see it
  CHECK(accesses.load(14, 64) == 0);
  CHECK(counted(accesses.machine(), "probes sent") == 0);
  CHECK(accesses.add(14, 64) == 9);
  CHECK(counted(accesses.machine(), "probes sent") == 1);
  CHECK(counted(accesses.machine(), "sectors probed") == 1);
  CHECK(accesses.load(0, 64) == 10);
}

TEST_CASE("an_entry_that_is_evicted_takes_its_copies_along") {
  SingleAccesses accesses(coherent_chiplets(4));  // 32 lines in all
  for (std::uint64_t line = 0; line < 64; ++line) accesses.load(0, line * 128);
  const std::uint64_t evictions = counted(accesses.machine(), "filter evictions");
  CHECK(evictions == 32);
  CHECK(counted(accesses.machine(), "probes sent") == evictions);
  accesses.store(0, 63 * 128, 4);
  for (std::uint64_t line = 64; line < 128; ++line) accesses.load(2, line * 128);
  CHECK(accesses.load(4, 63 * 128) == 4);  // dirty, so it went home with its entry
}

TEST_CASE("two_dies_hand_over_half_a_probe_slower_than_the_cores_of_one") {
  const machine::Machine machine(coherent_chiplets());
  study::HandoffQuestion question;
  question.address = address_at_home(machine, 0);
  question.loop_cycles = 40;
  const auto ask = [&](const MachineSpec& spec, study::CorePair cores) {
    return study::measure_handoffs(spec, question, std::array{cores}).front().ns;
  };
  const auto ns = [&](Duration span) { return machine.timebase().to_nanoseconds(span); };
  CHECK(ask(coherent_chiplets(), {0, 1}) == Approx(ask(without_filter(), {0, 1})).margin(0.1));
  // Dies 0 and 1 are at the word's home alike.
  CHECK(ask(coherent_chiplets(), {0, 2}) - ask(without_filter(), {0, 2}) ==
        Approx(ns(probe_of(machine, 0, 0)) / 2).margin(1));
  // Dies 6 and 7 lie a diagonal away from it.
  CHECK(ask(coherent_chiplets(), {12, 14}) - ask(without_filter(), {12, 14}) ==
        Approx(ns(probe_of(machine, 6, 0)) / 2).margin(1));
}

TEST_CASE("machines_without_use_for_a_filter_are_built_without_it") {
  CHECK(machine::has_probe_filter(coherent_chiplets()));
  CHECK(!machine::has_probe_filter(without_filter()));
  MachineSpec atomics = coherent_chiplets();
  atomics.l2.cache.performs_atomics = true;
  MachineSpec masked = coherent_chiplets();
  masked.core.load_store.masked_stores = true;
  MachineSpec behind = coherent_chiplets();
  behind.levels.emplace_back();  // shared by the cores of a die
  for (const MachineSpec& spec : {atomics, masked, behind}) CHECK(!machine::has_probe_filter(spec));
  SingleAccesses accesses(atomics);
  CHECK(accesses.add(0, 64) == 0);
}

TEST_CASE("a_capacity_that_its_sets_do_not_divide_is_refused") {
  MachineSpec odd = coherent_chiplets();
  odd.memory_side_cache->probe_filter->capacity = Bytes{5000};
  const auto faults = machine::contradictions(odd);
  REQUIRE(faults.size() == 1);
  CHECK(faults.front().message ==
        "memory_side_cache.probe_filter.capacity = 5000 B is no multiple of 4096 B: "
        "memory_side_cache.probe_filter.ways = 4 lines in each of 8 slices");
  CHECK(faults.front().remedy == "set memory_side_cache.probe_filter.capacity=4096B");
}

}  // namespace strata::test
