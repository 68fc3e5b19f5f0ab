// SPDX-License-Identifier: Apache-2.0
// Response times of a cache: latencies, widths, and the stage of each span.
#include <algorithm>
#include <string>

#include "cache_bench.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

TEST_CASE("unloaded_hit_latency_equals_spec") {
  GIVEN("a cache that holds a line") {
    const CacheSpec spec = small_spec();
    Bench bench(spec);
    bench.alone(3);
    WHEN("one request asks for it") {
      const Duration latency = bench.alone(3);
      THEN("it takes the hit latency and nothing else") {
        CHECK(latency == bench.clock.cycles(spec.hit_latency.value));
        CHECK(bench.cache.statistics().hits == 1);
      }
    }
  }
}

TEST_CASE("unloaded_miss_latency_is_tag_plus_memory_plus_fill") {
  const CacheSpec spec = small_spec();
  Bench bench(spec);
  CHECK(bench.alone(3) ==
        bench.clock.cycles(spec.tag_latency.value) + bench.below.latency + bench.clock.cycles(spec.fill_latency.value));
}

TEST_CASE("data_width_bounds_throughput") {
  GIVEN("a cache that answers 64 bytes a clock and looks up four requests a clock") {
    CacheSpec spec = small_spec();
    spec.data_width = 64_B_clk;
    spec.lookups_per_clock = 4;
    Bench bench(spec);
    for (std::uint64_t block = 0; block < 8; ++block) bench.alone(block);
    bench.answers.clear();
    WHEN("many whole lines that hit are asked for at once") {
      const std::uint64_t requests = 100;
      const Time start = bench.simulation.now();
      for (std::uint64_t i = 0; i < requests; ++i) bench.send(i % 8, start);
      bench.run();
      THEN("the last leaves when all bytes before it have left") {
        const double cycles_each = 128.0 / 64.0;
        const Duration last =
            bench.clock.cycles(spec.hit_latency.value) + bench.clock.cycles(cycles_each * (requests - 1));
        CHECK(bench.answers.size() == requests);
        CHECK(bench.answers.back().at - start == last);
        CHECK(bench.cache.data_use().busy - bench.clock.cycles(8 * cycles_each) ==
              bench.clock.cycles(cycles_each * requests));
      }
    }
  }
}

TEST_CASE("lookups_per_clock_bound_throughput_of_small_requests") {
  CacheSpec spec = small_spec();
  spec.lookups_per_clock = 0.5;
  Bench bench(spec);
  bench.alone(0);
  const Time start = bench.simulation.now();
  const std::uint64_t requests = 50;
  for (std::uint64_t i = 0; i < requests; ++i) bench.send(0, start, 0b0001);
  bench.run();
  CHECK(bench.answers.back().at - start ==
        bench.clock.cycles(spec.hit_latency.value + (requests - 1) / spec.lookups_per_clock));
}

TEST_CASE("a_request_holds_its_input_slot_while_the_data_array_is_behind") {
  GIVEN("two input slots and an array that needs four clocks a line") {
    CacheSpec spec = small_spec();
    spec.data_width = 32_B_clk;
    spec.fill_latency = 4_clk;  // the array is free again when the first answer is there
    Bench bench(spec, Duration{1000}, 2);
    bench.alone(0);
    WHEN("six requests that hit come at once") {
      const Time start = bench.simulation.now();
      const std::int64_t requests = 6;
      for (int i = 0; i < requests; ++i) bench.send(0, start);
      bench.run();
      THEN("the last reaches the cache when the array has taken the last but two") {
        const Duration each = bench.clock.cycles(128.0 / 32.0);
        const auto& way = bench.journeys.back()->milestones().front();
        CHECK(bench.stages[way.stage] == "to L1");
        CHECK(way.until - start == each * (requests - 1 - 2));
        CHECK(bench.port.credits() == 2);
        CHECK(bench.answers.size() == 1 + requests);
      }
    }
  }
}

TEST_CASE("requests_keep_their_order_though_one_comes_at_the_instant_the_tags_are_free") {
  Bench bench(small_spec());
  for (std::uint64_t block = 0; block < 3; ++block) bench.alone(block);
  bench.answers.clear();
  const Time start = bench.simulation.now();
  bench.cache.take(bench.request(2), start + Bench::cycle);
  bench.cache.take(bench.request(0), start);
  bench.cache.take(bench.request(1), start);
  bench.run();
  CHECK(bench.order() == std::vector<std::uint64_t>{0, 1, 2});
}

TEST_CASE("misses_per_clock_spaces_requests_to_the_next_level") {
  CacheSpec spec = small_spec();
  spec.lookups_per_clock = 4;
  spec.misses_per_clock = 1;
  Bench bench(spec);
  for (std::uint64_t block = 0; block < 4; ++block) bench.send(block, Time{0});
  bench.run();
  const Time first{bench.clock.cycles(spec.tag_latency.value).ticks};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(bench.below.requests[i].ready == first + bench.clock.cycles(static_cast<double>(i)));
  }
}

TEST_CASE("fill_width_bounds_the_rate_of_fills") {
  CacheSpec spec = small_spec();
  spec.fill_width = 32_B_clk;  // four clocks a line
  Bench bench(spec);
  bench.send(0, Time{0});
  bench.send(1, Time{0});
  bench.run();
  // The lookups are one clock apart, the fills four.
  CHECK(bench.answers[1].at - bench.answers[0].at == bench.clock.cycles(128.0 / 32.0));
}

TEST_CASE("atomics_pass_their_unit_one_after_the_other") {
  CacheSpec spec = write_back_spec();
  spec.performs_atomics = true;
  spec.lookups_per_clock = 4;
  spec.atomic_passes_per_clock = 0.25;
  spec.atomic_latency = 5_clk;
  Bench bench(spec);
  CHECK(bench.alone(0, 0b0001, Operation::atomic) >
        bench.clock.cycles(spec.hit_latency.value + spec.atomic_latency.value));
  CHECK(bench.below.requests.back().operation == Operation::load);
  const Duration alone = bench.alone(0, 0b0001, Operation::atomic);
  CHECK(alone == bench.clock.cycles(spec.hit_latency.value + spec.atomic_latency.value));
  const Time start = bench.simulation.now();
  const int atomics = 10;
  for (int i = 0; i < atomics; ++i) bench.send(0, start, 0b0001, Operation::atomic);
  bench.run();
  CHECK(bench.answers.back().at - start == alone + bench.clock.cycles((atomics - 1) / 0.25));
  CHECK(bench.transactions.back()->operation == Operation::atomic);
}

TEST_CASE("CU-10: an_atomic_keeps_its_unit_for_all_its_turns") {
  CacheSpec spec = write_back_spec();
  spec.performs_atomics = true;
  spec.lookups_per_clock = 4;
  spec.atomic_passes_per_clock = 0.5;
  Bench bench(spec);
  bench.alone(0);
  const auto ask = [&](unsigned passes) {
    bench.send(0, bench.simulation.now(), 0b0001, Operation::atomic).atomic_passes = passes & 0x7FU;
  };
  const auto clocks = [&] {
    const Time start = bench.simulation.now();
    bench.run();
    return bench.clock.count(bench.answers.back().at - start);
  };
  ask(1);
  CHECK(clocks() == spec.hit_latency.value);
  // The last of 32 lanes on a word is done 31 passes of two clocks after the first.
  ask(32);
  CHECK(clocks() == spec.hit_latency.value + 31 / 0.5);
  // The next one waits for all of them.
  ask(32);
  ask(4);
  CHECK(clocks() == spec.hit_latency.value + (32 + 3) / 0.5);
  CHECK(bench.cache.statistics().atomic_passes == 1 + 32 + 32 + 4);
}

TEST_CASE("passes_that_change_every_word_of_a_sector_have_a_rate_of_their_own") {
  CacheSpec spec = write_back_spec();
  spec.performs_atomics = true;
  spec.lookups_per_clock = 4;
  spec.atomic_passes_per_clock = 1;
  spec.partial_passes_per_clock = 0.25;
  Bench bench(spec);
  bench.alone(0, 0b1111);
  // How long it keeps the unit: a request of one pass behind it is answered so much later than one before it.
  const auto keeps_unit = [&](unsigned passes, unsigned whole) {
    const auto ask = [&](unsigned its_passes, unsigned its_whole) {
      memory::Transaction& atomic = bench.send(0, bench.simulation.now(), 0b1111, Operation::atomic);
      atomic.atomic_passes = its_passes & 0x7FU;
      atomic.whole_passes = its_whole & 7U;
    };
    const std::size_t before = bench.answers.size();
    ask(1, 1);
    ask(passes, whole);
    ask(1, 1);
    bench.run();
    REQUIRE(bench.answers.size() == before + 3);
    return bench.clock.count(bench.answers.back().at - bench.answers[before].at) - 1;
  };
  CHECK(keeps_unit(4, 4) == 4);
  CHECK(keeps_unit(4, 0) == 4 / 0.25);
  CHECK(keeps_unit(5, 4) == 4 + 1 / 0.25);
  // More than there are passes count as all of them.
  CHECK(keeps_unit(2, 7) == 2);
  // Its own answer comes with its last pass, so much later than that of its first.
  const auto answered_after = [&](unsigned passes, unsigned whole) {
    const Time start = bench.simulation.now();
    memory::Transaction& atomic = bench.send(0, start, 0b1111, Operation::atomic);
    atomic.atomic_passes = passes & 0x7FU;
    atomic.whole_passes = whole & 7U;
    bench.run();
    return bench.clock.count(bench.answers.back().at - start);
  };
  CHECK(answered_after(1, 0) == spec.hit_latency.value);
  CHECK(answered_after(5, 4) == spec.hit_latency.value + 3 + 1 / 0.25);
}

TEST_CASE("a_fill_waits_for_the_passes_of_an_atomic_only_at_a_port_that_both_take") {
  CacheSpec spec = write_back_spec();
  spec.performs_atomics = true;
  spec.lookups_per_clock = 4;
  spec.fill_latency = 7_clk;
  spec.fill_width = 32_B_clk;
  spec.atomic_passes_per_clock = 0.01;
  const Duration memory_latency{1000};
  // When an atomic of 50 passes, 5000 clk, and a load that misses meanwhile are answered.
  const auto answered = [&](bool one_port) {
    spec.atomics_take_fill_port = one_port;
    Bench bench(spec, memory_latency);
    bench.alone(0);
    const Time start = bench.simulation.now();
    bench.send(0, start, 0b0001, Operation::atomic).atomic_passes = 50;
    bench.send(64, start);
    bench.run();
    std::pair<Duration, Duration> at;
    for (const Bench::Answer& answer : bench.answers) (answer.block == 0 ? at.first : at.second) = answer.at - start;
    return std::pair{bench.clock.count(at.first), bench.clock.count(at.second)};
  };
  const auto [atomic, apart] = answered(false);
  const auto [same_atomic, behind] = answered(true);
  CHECK(atomic == spec.hit_latency.value + 49 / 0.01);
  CHECK(same_atomic == atomic);
  CHECK(apart < 49 / 0.01);
  // The unit is free a pass after its last one began, then the line enters the array.
  CHECK(behind == 50 / 0.01 + spec.fill_latency.value);
}

TEST_CASE("each_further_lane_on_a_word_is_looked_up_as_well") {
  CacheSpec spec = write_back_spec();
  spec.performs_atomics = true;
  spec.lookups_per_clock = 1;
  spec.atomic_passes_per_clock = 0.25;
  Bench bench(spec);
  bench.alone(0, 0b0011);
  const auto ask = [&](SectorMask sectors, unsigned passes, memory::AtomicPackets packets) {
    memory::Transaction& atomic = bench.send(0, bench.simulation.now(), sectors, Operation::atomic);
    atomic.atomic_passes = passes & 0x7FU;
    atomic.packets = packets;
  };
  const auto clocks = [&] {
    const Time start = bench.simulation.now();
    bench.run();
    return bench.clock.count(bench.answers.back().at - start);
  };
  ask(0b0011, 2, memory::AtomicPackets::some_words);
  const double once = clocks();
  CHECK(once >= spec.hit_latency.value);
  // Three lanes on each of two words: four passes of four clocks more.
  ask(0b0011, 6, memory::AtomicPackets::some_words);
  CHECK(clocks() == once + 4 / 0.25);
  // The tags are held for the repeats: a load behind it waits.
  ask(0b0001, 9, memory::AtomicPackets::one_word);
  bench.send(64, bench.simulation.now(), 0b0001);
  const double behind = clocks();
  ask(0b0001, 9, memory::AtomicPackets::as_store);
  bench.send(96, bench.simulation.now(), 0b0001);
  CHECK(behind > clocks());
}

TEST_CASE("atomics_that_wait_for_their_unit_keep_their_place_in_the_input") {
  CacheSpec spec = write_back_spec();
  spec.performs_atomics = true;
  spec.atomic_passes_per_clock = 0.5;
  spec.input_depth = 2;
  Bench bench(spec);
  bench.alone(0);
  const Time start = bench.simulation.now();
  for (int i = 0; i < 3; ++i) bench.send(0, start, 0b0001, Operation::atomic).atomic_passes = 10;
  bench.send(0, start);
  bench.run();
  // The load gets an entry when the unit has taken the second; without the bound it
  // would pass all three, as the tags and the data array are free.
  const Duration load = bench.answers.back().at - start;
  CHECK(bench.transactions.back()->operation == Operation::load);
  CHECK(load >= bench.clock.cycles(10 / 0.5 + spec.hit_latency.value));
}

TEST_CASE("milestones_tile_latency") {
  GIVEN("a narrow cache with few MSHRs under a mixed load") {
    CacheSpec spec = write_back_spec();
    spec.performs_atomics = true;
    spec.mshrs = 2;
    spec.merges_per_mshr = 1;
    spec.data_width = 32_B_clk;
    spec.fill_width = 64_B_clk;
    spec.misses_per_clock = 0.5;
    spec.atomic_passes_per_clock = 0.1;
    Bench bench(spec, Duration{333}, 4);
    RandomSequence random(5);
    const Operation operations[] = {Operation::load, Operation::load, Operation::store, Operation::atomic};
    for (int i = 0; i < 2000; ++i) {
      const auto sectors = static_cast<SectorMask>(1 + random.below(15));
      const std::uint64_t block = random.below(40);
      const Time at{static_cast<std::int64_t>(random.below(60000))};
      bench.send(block, at, sectors, operations[random.below(4)]);
    }
    bench.run();
    THEN("the milestones of every request join without gap and sum to its latency") {
      REQUIRE(bench.answers.size() == bench.transactions.size());
      for (const auto& answer : bench.answers) {
        Time last = answer.issued;
        for (const auto& m : answer.journey->milestones()) {
          CHECK(m.from == last);
          last = m.until;
        }
        CHECK(last == answer.at);
      }
    }
    THEN("the causes of waiting are all met") {
      std::vector<std::string> met;
      for (const auto& journey : bench.journeys) {
        for (const auto& m : journey->milestones()) met.push_back(bench.stages[m.stage]);
      }
      for (const char* stage : {"L2 queue", "L2 tag", "L2 data", "L2 wait (data width)", "L2 fill",
                                "L2 wait (miss port)", "L2 wait (merged)", "L2 atomic unit", "L2 wait (MSHR full)"}) {
        CAPTURE(stage);
        CHECK(std::count(met.begin(), met.end(), stage) > 0);
      }
    }
  }
}
