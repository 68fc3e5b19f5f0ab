// SPDX-License-Identifier: Apache-2.0
// Stores, write-backs, atomics and the point of coherence.
#include "cache_bench.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

TEST_CASE("write_through_no_allocate") {
  GIVEN("a write-through cache with one line present in part") {
    Bench bench(small_spec());
    bench.alone(1, 0b0001);
    WHEN("one store goes to it and one to an absent line") {
      bench.alone(1, 0b0010, Operation::store);
      bench.alone(2, 0b0010, Operation::store);
      THEN("both go down; the present line takes the sectors, the absent one stays out") {
        CHECK(bench.below.count(Operation::store) == 2);
        CHECK(bench.below.requests.back().sectors == 0b0010);
        CHECK(bench.cache.contains(1, 0b0011));
        CHECK_FALSE(bench.cache.contains(1, 0b0100));
        CHECK_FALSE(bench.cache.contains(2, 0b0010));
      }
    }
  }
}

TEST_CASE("write_through_with_sector_allocation_keeps_the_stored_sectors") {
  CacheSpec spec = small_spec();
  spec.write_allocate = WriteAllocate::sector;
  Bench bench(spec);
  bench.alone(2, 0b0010, Operation::store);
  CHECK(bench.below.count(Operation::store) == 1);
  CHECK(bench.below.count(Operation::load) == 0);
  CHECK(bench.cache.contains(2, 0b0010));
  CHECK_FALSE(bench.cache.contains(2, 0b0001));
}

TEST_CASE("a_write_through_store_of_half_a_sector_does_not_make_it_valid") {
  CacheSpec spec = small_spec();
  spec.sector = 64_B;
  spec.fill_granularity = 64_B;
  Bench bench(spec);
  bench.alone(1, 0b1100);
  bench.alone(1, 0b0001, Operation::store);
  CHECK_FALSE(bench.cache.contains(1, 0b0001));
  bench.alone(1, 0b0011, Operation::store);
  CHECK(bench.cache.contains(1, 0b0011));
}

TEST_CASE("a_stored_sector_serves_a_load_while_the_rest_is_fetched") {
  for (const CacheSpec& spec : {small_spec(), write_back_spec()}) {
    CAPTURE(spec.name);
    Bench bench(spec);
    bench.send(1, Time{0}, 0b0001);
    bench.send(1, Time{0}, 0b1000, Operation::store);
    bench.send(1, Time{0}, 0b1000);
    bench.send(1, Time{0}, 0b1001);
    bench.run();
    CHECK(bench.below.count(Operation::load) == 1);
    CHECK(bench.cache.statistics().hits == 1);
    CHECK(bench.cache.statistics().merges == 1);
    CHECK(bench.answers.size() == 4);
  }
}

TEST_CASE("write_back_evicts_dirty_sectors_only") {
  GIVEN("a set full of lines, one of them with a dirty sector") {
    const CacheSpec spec = write_back_spec();
    Bench bench(spec);
    bench.alone(0);
    bench.alone(0, 0b0100, Operation::store);
    for (std::uint64_t i = 1; i < spec.ways; ++i) bench.alone(i * spec.sets());
    CHECK(bench.below.count(Operation::writeback) == 0);
    WHEN("further lines push all of them out") {
      for (std::uint64_t i = 0; i < spec.ways; ++i) bench.alone((spec.ways + i) * spec.sets());
      THEN("one write-back goes down with that sector alone") {
        REQUIRE(bench.below.count(Operation::writeback) == 1);
        for (const auto& r : bench.below.requests) {
          if (r.operation == Operation::writeback) {
            CHECK(r.block == 0);
            CHECK(r.sectors == 0b0100);
          }
        }
        CHECK(bench.cache.statistics().bytes_written_back == 32);
        CHECK(bench.cache.statistics().evictions == spec.ways);
      }
    }
  }
}

TEST_CASE("a_store_into_a_write_back_cache_ends_there_without_a_fetch") {
  const CacheSpec spec = write_back_spec();
  Bench bench(spec);
  CHECK(bench.alone(1, 0b0001, Operation::store) == bench.clock.cycles(spec.hit_latency.value));
  CHECK(bench.below.requests.empty());
  CHECK(bench.cache.contains(1, 0b0001));
  CHECK_FALSE(bench.cache.contains(1, 0b0010));
  CHECK(bench.cache.invalidate(1) == 0b0001);  // dirty data that are lost
}

TEST_CASE("a_full_write_back_buffer_stalls_until_one_is_taken") {
  for (const Operation operation : {Operation::load, Operation::store}) {
    CacheSpec spec = write_back_spec();
    spec.writeback_buffer = 1;
    Bench bench(spec);
    for (std::uint64_t i = 0; i < spec.ways; ++i) bench.alone(i * spec.sets(), 0b1111, Operation::store);
    bench.below.silent = true;
    bench.send(10 * spec.sets(), bench.simulation.now(), 0b1111, operation);
    bench.send(11 * spec.sets(), bench.simulation.now(), 0b1111, operation);
    bench.run();
    CHECK(bench.cache.statistics().stalls_writeback_full == 1);
    CHECK(bench.cache.in_flight().waiting == 1);
    CHECK(bench.cache.in_flight().write_backs == 1);
    while (!bench.below.kept.empty()) {
      bench.below.let_go();
      bench.run();
    }
    CHECK(bench.answers.size() == spec.ways + 2);
    CHECK(bench.cache.in_flight().write_backs == 0);
  }
}

TEST_CASE("an_atomic_not_performed_here_drops_the_line_and_is_forwarded") {
  Bench bench(small_spec());
  bench.alone(1);
  bench.alone(1, 0b0001, Operation::atomic);
  CHECK(bench.below.requests.back().operation == Operation::atomic);
  CHECK_FALSE(bench.cache.contains(1, 0b0001));
  CHECK(bench.cache.statistics().atomics_forwarded == 1);
}

TEST_CASE("dirty_sectors_of_a_line_are_written_back_before_an_atomic_to_it") {
  CacheSpec spec = write_back_spec();
  Bench bench(spec);
  bench.alone(1, 0b0100, Operation::store);
  bench.alone(1, 0b0001, Operation::atomic);
  REQUIRE(bench.below.requests.size() == 2);
  CHECK(bench.below.requests[0].operation == Operation::writeback);
  CHECK(bench.below.requests[0].sectors == 0b0100);
  CHECK(bench.below.requests[1].operation == Operation::atomic);
  CHECK_FALSE(bench.cache.contains(1, 0b0100));
  CHECK(drained(bench.cache));
}

TEST_CASE("an_atomic_waits_for_a_place_to_write_its_dirty_line_back") {
  CacheSpec spec = write_back_spec();
  spec.writeback_buffer = 1;
  Bench bench(spec);
  bench.alone(1, 0b0001, Operation::store);
  bench.alone(2, 0b0001, Operation::store);
  bench.below.silent = true;
  bench.send(1, bench.simulation.now(), 0b0001, Operation::atomic);
  bench.send(2, bench.simulation.now(), 0b0001, Operation::atomic);
  bench.run();
  CHECK(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.count(Operation::atomic) == 1);
  bench.below.let_go();  // the first line is written
  bench.run();
  CHECK(bench.below.count(Operation::writeback) == 2);
  CHECK(bench.below.count(Operation::atomic) == 2);
  while (!bench.below.kept.empty()) {
    bench.below.let_go();
    bench.run();
  }
  CHECK(drained(bench.cache));
}

TEST_CASE("an_old_value_returns_through_a_write_back_cache") {
  // The request takes the latency of the tags, the response that of the fill; the response bypasses a
  // write-through cache.
  const Duration memory_latency{1000};
  const auto latency = [&](const CacheSpec& spec) {
    return Bench(spec, memory_latency).alone(1, 0b0001, Operation::atomic);
  };
  CHECK(latency(write_back_spec()) == memory_latency + Bench::cycle * (4 + 3));
  CHECK(latency(small_spec()) == memory_latency + Bench::cycle * 4);
}

TEST_CASE("an_atomic_performed_here_leaves_its_sector_dirty") {
  CacheSpec spec = write_back_spec();
  spec.performs_atomics = true;
  Bench bench(spec);
  bench.alone(1, 0b0010, Operation::atomic);  // fetched first
  CHECK(bench.cache.invalidate(1) == 0b0010);
  bench.alone(1);
  bench.alone(1, 0b0100, Operation::atomic);  // present
  CHECK(bench.cache.invalidate(1) == 0b0100);
  CHECK(bench.cache.statistics().atomics_performed == 2);
}

TEST_CASE("far_homed_stores_and_atomics_are_forwarded_and_never_dirty_here") {
  GIVEN("a write-back cache that is the point of coherence for die 0") {
    CacheSpec spec = write_back_spec();
    spec.performs_atomics = true;
    Bench bench(spec);
    Cache near(bench.simulation, bench.stages, spec, bench.clock, {&natural, &bench.cache}, 0, std::uint8_t{0});
    near.connect(memory::sink<&Memory::take>(bench.below));
    const auto ask = [&](Operation operation, std::uint8_t home) {
      Transaction& t = bench.request(1, 0b0001, operation);
      t.home_die = home;
      near.take(t, bench.simulation.now());
      bench.run();
    };
    ask(Operation::load, 1);
    CHECK(near.contains(1, 0b0001));  // a near copy of a far line
    ask(Operation::store, 1);
    CHECK(bench.below.count(Operation::store) == 1);
    CHECK(near.contains(1, 0b0001));
    ask(Operation::atomic, 1);
    CHECK(bench.below.count(Operation::atomic) == 1);
    CHECK_FALSE(near.contains(1, 0b0001));
    ask(Operation::store, 1);  // leaves a copy, as on an H200
    CHECK(bench.below.count(Operation::store) == 2);
    CHECK(near.contains(1, 0b0001));
    CHECK(near.invalidate(1) == 0);
    ask(Operation::store, 0);
    CHECK(bench.below.count(Operation::store) == 2);
    CHECK(near.invalidate(1) == 0b0001);
  }
}

TEST_CASE("dirty_lines_are_written_back_on_demand_and_stay_clean") {
  CacheSpec spec = write_back_spec();
  spec.writeback_buffer = 4;
  GIVEN("half of all lines with a dirty sector, the others read") {
    const Duration memory_latency{1000};
    Bench bench(spec, memory_latency);
    const std::uint64_t lines = spec.lines();
    for (std::uint64_t block = 0; block < lines; ++block)
      bench.alone(block, 0b0010, block % 2 == 0 ? Operation::store : Operation::load);
    REQUIRE(bench.below.count(Operation::writeback) == 0);
    WHEN("all is to be written back") {
      const Time begun = bench.simulation.now();
      bench.cache.write_back_all();
      bench.run();
      THEN("each dirty line is written back once, a buffer full at a time, and can be read as before") {
        CHECK(bench.below.count(Operation::writeback) == lines / 2);
        CHECK(bench.cache.statistics().flushed - begun >=
              Duration{static_cast<std::int64_t>(lines / 2 / spec.writeback_buffer) * memory_latency.ticks});
        CHECK(bench.cache.statistics().flushed == bench.simulation.now());
        for (std::uint64_t block = 0; block < lines; ++block) CHECK(bench.cache.contains(block, 0b0010));
        CHECK(drained(bench.cache));
      }
      AND_WHEN("it is asked again") {
        bench.cache.write_back_all();
        bench.run();
        THEN("nothing is left to write") { CHECK(bench.below.count(Operation::writeback) == lines / 2); }
      }
    }
  }
}
