// SPDX-License-Identifier: Apache-2.0
// A load without contention takes the sum of the stages on its path, to the tick.
#include <utility>

#include "catch.hpp"
#include "machine/levels.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

// A path to DRAM and back: the request path, the DRAM from that instant, the response path.
Duration through_dram(Machine& machine, Duration there, Duration back) {
  const Time leaves = machine.simulation().now() + there;
  return there + Way(machine).dram(leaves) + back;
}

}  // namespace

TEST_CASE("dram_then_l1_on_one_die") {
  Prober prober(monolithic());
  Machine& machine = prober.machine();
  const Way way(machine);
  WHEN("a cold machine is asked") {
    const Duration expected = through_dram(machine, way.to_l2() + way.l2_tag(), way.l2_fill() + way.from_l2());
    const Served served = prober.load(0, 0);
    THEN("DRAM answers after all stages") {
      CHECK(served.latency == expected);
      CHECK(prober.level(served.level) == "DRAM");
    }
    AND_WHEN("the same core asks again") {
      const Served again = prober.load(0, 0);
      THEN("its L1 answers") {
        CHECK(again.latency == way.l1_hit());
        CHECK(prober.level(again.level) == "L1");
      }
    }
    AND_WHEN("another core asks") {
      const Served other = prober.load(3, 0);
      THEN("the L2 answers, then that core's L1") {
        CHECK(other.latency == way.l2_hit());
        CHECK(prober.level(other.level) == "L2");
        CHECK(prober.load(3, 0).latency == way.l1_hit());
      }
    }
    AND_WHEN("another sector of the line is asked for") {
      const Served sector = prober.load(0, 32);
      THEN("it was not fetched along") { CHECK(prober.level(sector.level) == "DRAM"); }
    }
  }
  WHEN("an L1 passes loads marked cg by") {
    prober.load(0, 0);
    THEN("the L2 answers each time") {
      CHECK(prober.load(0, 0, memory::CacheOperator::cg).latency == way.l2_hit());
      CHECK(prober.load(0, 0, memory::CacheOperator::cg).latency == way.l2_hit());
    }
  }
}

TEST_CASE("several_lanes_only_add_the_longer_address_path") {
  Prober prober(monolithic());
  trace::Instruction wide;
  wide.lanes = 32;
  wide.bytes_per_lane = 4;
  prober.load(0, 0);
  const auto& spec = prober.machine().spec().core.load_store;
  const Duration longer = prober.machine().core_clock().cycles(spec.vector_address.value - spec.scalar_address.value);
  CHECK(prober.run(0, wide, 0).latency == Way(prober.machine()).l1_hit() + longer);
}

TEST_CASE("far_partition_hit_costs_one_crossing") {
  Prober prober(two_sides());
  Machine& machine = prober.machine();
  const Way way(machine);
  const std::uint32_t core_of_die_1 = 4;
  const std::uint64_t address = address_at_home(machine, 1);
  GIVEN("a line in the L2 of its home") {
    prober.load(core_of_die_1, address);
    CHECK(prober.load(core_of_die_1 + 1, address).latency == way.l2_hit());
    WHEN("a core of the other side asks") {
      const Served far = prober.load(0, address);
      THEN("it is a far hit: one crossing there and back, and the home's slice") {
        CHECK(far.latency == way.far_hit());
        CHECK(prober.level(far.level) == "far L2");
        const Duration beyond_near = way.crossing() * 2 + way.l2_tag() + way.l2_fill();
        CHECK(far.latency - way.l2_hit() == beyond_near);
      }
      THEN("the copy makes it near for the whole side, and the home keeps its own") {
        const Served near = prober.load(1, address);
        CHECK(near.latency == way.l2_hit());
        CHECK(prober.level(near.level) == "L2");
        CHECK(prober.load(core_of_die_1 + 2, address).latency == way.l2_hit());
      }
    }
  }
  GIVEN("a cold machine") {
    WHEN("a core of the other side asks") {
      const Duration there = way.to_l2() + way.l2_tag() + way.crossing() + way.l2_tag();
      const Duration back = way.l2_fill() + way.crossing() + way.l2_fill() + way.from_l2();
      const Duration expected = through_dram(machine, there, back);
      const Served served = prober.load(0, address);
      THEN("the home's channel answers over both slices and leaves the line in both") {
        CHECK(served.latency == expected);
        CHECK(prober.level(served.level) == "DRAM");
        CHECK(prober.load(1, address).latency == way.l2_hit());
        CHECK(prober.load(core_of_die_1, address).latency == way.l2_hit());
      }
    }
    WHEN("a core of the home asks") {
      const Duration expected = through_dram(machine, way.to_l2() + way.l2_tag(), way.l2_fill() + way.from_l2());
      THEN("nothing crosses") { CHECK(prober.load(core_of_die_1, address).latency == expected); }
    }
  }
}

TEST_CASE("a_private_l2_never_serves_another_die_but_the_memory_side_cache_serves_all") {
  Prober prober(chiplets());
  Machine& machine = prober.machine();
  const Way way(machine);
  for (std::uint32_t home = 0; home < 4; ++home) {
    const std::uint64_t address = address_at_home(machine, home, 4096);
    CAPTURE(home);
    const Duration flown = way.flight(0, home);
    const Duration expected = through_dram(machine, way.to_memory_side(flown) + way.memory_side_tag(),
                                           way.memory_side_fill() + way.from_memory_side(flown));
    const Served cold = prober.load(0, address);
    CHECK(cold.latency == expected);
    CHECK(prober.level(cold.level) == "DRAM");
    CHECK(prober.load(1, address).latency == way.l2_hit());  // the other core of die 0
    for (std::uint32_t die = 1; die < 8; ++die) {
      CAPTURE(die);
      const Served other = prober.load(2 * die, address);
      CHECK(prober.level(other.level) == "MALL");
      CHECK(other.latency == way.memory_side_hit(way.flight(die, home)));
      const Served again = prober.load(2 * die + 1, address);
      CHECK(prober.level(again.level) == "L2");
      CHECK(again.latency == way.l2_hit());
    }
  }
}

TEST_CASE("a_memory_side_cache_of_a_single_die_is_distinguished_from_the_l2") {
  MachineSpec spec = chiplets();
  spec.dies = monolithic().dies;
  spec.memory_side_cache->index.home_bits.clear();
  spec.network.links.clear();
  spec.l2.cache.size = 1_KiB;  // two sets: a few lines push the first one out
  Prober prober(spec);
  prober.load(0, 0);
  for (std::uint64_t line = 1; line <= 64; ++line) prober.load(1, line * 128);
  const Served served = prober.load(2, 0);
  CHECK(prober.level(served.level) == "MALL");
  CHECK(served.latency == Way(prober.machine()).memory_side_hit(Duration{}));
}

TEST_CASE("translation_adds_its_misses_in_front_of_the_crossbar") {
  MachineSpec spec = monolithic();
  translation::TlbLevelSpec tlb;
  tlb.name = "TLB";
  tlb.entries = 4;
  tlb.entry_reach = 4_KiB;
  tlb.miss_latency = 40_clk;
  spec.translation.levels = {tlb};
  spec.translation.walker.latency = 70_ns;
  const auto miss = [](Machine& machine) {
    return machine.core_clock().cycles(40) + machine.timebase().nanoseconds(70);
  };
  GIVEN("translation of what misses the L1") {
    Prober prober(spec);
    Machine& machine = prober.machine();
    const Way way(machine);
    const Duration expected =
        through_dram(machine, way.to_l2() + miss(machine) + way.l2_tag(), way.l2_fill() + way.from_l2());
    THEN("a miss of both adds up, and an L1 hit asks no TLB") {
      CHECK(prober.load(0, 0).latency == expected);
      CHECK(prober.load(1, 0).latency == way.l2_hit() + miss(machine));  // its own TLB is cold
      for (std::uint64_t page = 1; page <= 4; ++page) prober.load(0, page * 4096 + page * 128);
      CHECK(prober.load(0, 0).latency == way.l1_hit());
    }
  }
  GIVEN("translation of every access") {
    spec.translate_before_l1 = true;
    Prober prober(spec);
    const Way way(prober.machine());
    prober.load(0, 0);
    CHECK(prober.load(0, 0).latency == way.l1_hit());
    for (std::uint64_t page = 1; page <= 4; ++page) prober.load(0, page * 4096 + page * 128);
    THEN("an L1 hit waits for its translation") {
      CHECK(prober.load(0, 0).latency == way.l1_hit() + miss(prober.machine()));
    }
  }
}

TEST_CASE("a_scalar_cache_is_parallel_to_the_l1") {
  MachineSpec spec = monolithic();
  spec.scalar_cache = tiny_cache("scalar cache", 1_KiB, 4, 5_clk, 17_clk, 3_clk);
  Prober prober(spec);
  Machine& machine = prober.machine();
  trace::Instruction pattern;
  pattern.space = Space::scalar;
  pattern.bytes_per_lane = 4;
  CHECK(level_names(machine.spec(), Space::scalar).front() == "scalar cache");
  prober.load(0, 0);
  const Served first = prober.run(0, pattern, 0);
  CHECK(prober.level(first.level) == "L2");  // the L1 has the line, the scalar cache has not
  const Served second = prober.run(0, pattern, 0);
  CHECK(second.level == 0);
  CHECK(second.latency == machine.core_clock().cycles(spec.core.load_store.scalar_address.value + 17));
}

// Two lines before, eight behind: of three lines each is found in the second cache, of nine none.
TEST_CASE("misses_of_the_scalar_cache_alone_pass_the_second_one") {
  MachineSpec spec = monolithic();
  spec.scalar_cache = tiny_cache("constant L1", 256_B, 2, 5_clk, 17_clk, 3_clk);
  spec.second_scalar_cache = tiny_cache("constant L1.5", 1_KiB, 8, 9_clk, 40_clk, 2_clk);
  Prober prober(spec);
  Machine& machine = prober.machine();
  const double address = spec.core.load_store.scalar_address.value;
  trace::Instruction pattern;
  pattern.space = Space::scalar;
  pattern.bytes_per_lane = 4;
  const std::vector<std::string> names = level_names(machine.spec(), Space::scalar);
  CHECK(names == std::vector<std::string>{"constant L1", "L2", "DRAM", "constant L1.5"});
  const auto round = [&](std::uint64_t lines) {
    Served last{};
    for (std::uint64_t line = 0; line < lines; ++line) last = prober.run(0, pattern, line * 128);
    return last;
  };
  round(2);
  CHECK(round(2).latency == machine.core_clock().cycles(address + 17));
  round(3);
  const Served second = round(3);
  CHECK(names.at(second.level) == "constant L1.5");
  CHECK(second.latency == machine.core_clock().cycles(address + 5 + 40 + 3));
  round(9);
  CHECK(prober.level(round(9).level) == "L2");
  // Of several lines the deepest level counts: the last eight of nine are in the second cache.
  struct Once final : trace::WarpStream {
    bool next(trace::Instruction& out) override {
      out = instruction;
      return !std::exchange(done, true);
    }
    trace::Instruction instruction;
    bool done = false;
  };
  for (const std::uint64_t other : {4U, 100U}) {
    Once two;
    two.instruction = pattern;
    two.instruction.lanes = 2;
    two.instruction.addresses[0] = 3 * 128;
    two.instruction.addresses[1] = other * 128;
    unsigned level = 0;
    machine.start(
        0, two, {[](void* self, std::uint32_t, Duration, unsigned by) { *static_cast<unsigned*>(self) = by; }, &level});
    machine.run();
    CHECK(names.at(level) == (other == 4 ? "constant L1.5" : "DRAM"));
  }
  round(9);
  CHECK(prober.level(prober.load(0, 0).level) == "L2");  // a load of the global space passes neither
  // What comes from the L2 pays both ways in.
  MachineSpec without = spec;
  without.second_scalar_cache.reset();
  Prober single(without);
  const auto beyond = [&](Prober& of) {
    for (std::uint64_t line = 0; line < 18; ++line) of.run(0, pattern, line % 9 * 128);
    return of.run(0, pattern, 0).latency;
  };
  CHECK(beyond(prober) - beyond(single) == machine.core_clock().cycles(9 + 2));
}

TEST_CASE("without_an_l2_a_miss_is_forwarded_to_memory") {
  MachineSpec spec = monolithic();
  spec.l2.bypass = true;
  Prober prober(spec);
  const Way way(prober.machine());
  CHECK(level_names(prober.machine().spec(), Space::global) == std::vector<std::string>{"L1", "DRAM"});
  for (const std::uint32_t core : {0U, 3U}) {  // no state remains for the second
    const Duration expected = through_dram(prober.machine(), way.to_l2(), way.from_l2());
    const Served served = prober.load(core, 0);
    CHECK(prober.level(served.level) == "DRAM");
    CHECK(served.latency == expected);
    CHECK(prober.load(core, 0).latency == way.l1_hit());
  }
}

TEST_CASE("without_an_l2_a_memory_side_cache_answers_all_dies") {
  MachineSpec spec = chiplets();
  spec.l2.bypass = true;
  Prober prober(spec);
  Machine& machine = prober.machine();
  const Way way(machine);
  const std::uint64_t address = address_at_home(machine, 3);
  CHECK(prober.level(prober.load(0, address).level) == "DRAM");
  const Served served = prober.load(4, address);  // of compute die 2, on memory die 1
  CHECK(prober.level(served.level) == "MALL");
  CHECK(served.latency == way.memory_side_hit(way.flight(2, 3)) - way.l2_tag() - way.l2_fill());
}

TEST_CASE("a_memory_side_cache_is_behind_the_home_of_a_partitioned_l2") {
  MachineSpec spec = two_sides();
  spec.memory_side_cache = chiplets().memory_side_cache;
  spec.memory_side_cache->index.home_bits.clear();  // those of the L2 hold
  Prober prober(spec);
  Machine& machine = prober.machine();
  const Way way(machine);
  CHECK(level_names(machine.spec(), Space::global) == std::vector<std::string>{"L1", "L2", "far L2", "MALL", "DRAM"});
  const std::uint64_t near = address_at_home(machine, 0);
  const std::uint64_t far = address_at_home(machine, 1);
  for (const std::uint64_t address : {near, far}) CHECK(prober.level(prober.load(0, address).level) == "DRAM");
  machine.forget(DieLevels::l2);
  machine.forget_first_levels();
  const Served own = prober.load(0, near);
  CHECK(prober.level(own.level) == "MALL");
  CHECK(own.latency == way.memory_side_hit({}));
  const Served other = prober.load(0, far);  // the near slice's tags, the link, the home slice's tags, and back
  CHECK(prober.level(other.level) == "MALL");
  CHECK(other.latency == way.memory_side_hit({}) + way.crossing() * 2 + way.l2_tag() + way.l2_fill());
}

TEST_CASE("each_hop_between_stops_counts_both_ways") {
  MachineSpec spec = monolithic();
  spec.crossbar.span = 5_clk;  // does not count with stops
  spec.crossbar.stops.emplace();
  spec.crossbar.stops->shape = fabric::StopShape::mesh;
  spec.crossbar.stops->columns = spec.crossbar.stops->rows = 2;  // a core at each; slices at stops 0 and 2
  spec.crossbar.stops->hop_latency = 7_clk;
  Prober prober(spec);
  Machine& machine = prober.machine();
  const Duration hop = machine.timebase().clock(spec.clocks.l2.value).cycles(7);
  const int hops[2][4] = {{0, 1, 1, 2}, {1, 2, 0, 1}};
  for (std::uint64_t address = 0; address < 4 * memory::block_bytes; address += memory::block_bytes) {
    const std::uint32_t slice = machine.atlas().whereabouts(0, address).slice;
    for (std::uint32_t core = 0; core < 4; ++core) {
      CAPTURE(slice, core);
      prober.load(core, address, memory::CacheOperator::cg);
      CHECK(prober.load(core, address, memory::CacheOperator::cg).latency ==
            Way(machine).l2_hit() + hop * (2 * hops[slice][core]));
    }
  }
}

}  // namespace strata::machine::test
