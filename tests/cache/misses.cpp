// SPDX-License-Identifier: Apache-2.0
// Misses: the requests to the next level, and which requests wait.
#include "cache_bench.hpp"
#include "catch.hpp"
#include "replacement/table.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

TEST_CASE("hit_under_miss") {
  GIVEN("a line that is present and one that is not") {
    Bench bench(small_spec());
    bench.alone(1);
    bench.answers.clear();
    WHEN("the absent one is asked for first") {
      const Time start = bench.simulation.now();
      bench.send(2, start);
      bench.send(1, start);
      bench.run();
      THEN("the hit is answered first, one lookup after the miss") {
        CHECK(bench.order() == std::vector<std::uint64_t>{1, 2});
        CHECK(bench.answers[0].at - start == bench.clock.cycles(bench.cache.spec().hit_latency.value + 1));
      }
    }
  }
}

TEST_CASE("secondary_miss_merges") {
  GIVEN("three requests for one absent line") {
    Bench bench(small_spec());
    for (int i = 0; i < 3; ++i) bench.send(5, Time{0});
    bench.run();
    THEN("one goes down and all are answered when it comes back, a line's width apart") {
      CHECK(bench.below.requests.size() == 1);
      CHECK(bench.cache.statistics().misses == 1);
      CHECK(bench.cache.statistics().merges == 2);
      REQUIRE(bench.answers.size() == 3);
      CHECK(bench.answers[2].at - bench.answers[0].at == 2 * Bench::cycle);
      CHECK(bench.cache.in_flight().mshrs == 0);
    }
  }
}

TEST_CASE("a_merged_request_frees_its_input_slot") {
  Bench bench(small_spec(), Duration{1000}, 1);
  bench.below.silent = true;
  for (int i = 0; i < 3; ++i) bench.send(5, Time{0});
  bench.run();
  CHECK(bench.cache.statistics().merges == 2);
  CHECK(bench.port.credits() == 1);
}

TEST_CASE("a_secondary_miss_on_other_sectors_requests_only_these") {
  Bench bench(small_spec());
  bench.send(5, Time{0}, 0b0001);
  bench.send(5, Time{0}, 0b0110);
  bench.send(5, Time{0}, 0b0111);
  bench.run();
  REQUIRE(bench.below.requests.size() == 2);
  CHECK(bench.below.requests[0].sectors == 0b0001);
  CHECK(bench.below.requests[1].sectors == 0b0110);
  CHECK(bench.cache.statistics().merges == 1);
  CHECK(bench.answers.size() == 3);
  CHECK(bench.cache.contains(5, 0b0111));
  CHECK_FALSE(bench.cache.contains(5, 0b1000));
}

TEST_CASE("a_request_needing_two_fetches_waits_for_the_later_whichever_that_is") {
  Bench bench(small_spec());
  bench.below.silent = true;
  bench.send(5, Time{0}, 0b0001);
  bench.send(5, Time{0}, 0b0011);
  bench.run();
  REQUIRE(bench.below.kept.size() == 2);
  std::swap(bench.below.kept[0], bench.below.kept[1]);  // the second fetch comes back first
  bench.below.let_go();
  bench.run();
  CHECK(bench.answers.empty());
  CHECK(bench.cache.contains(5, 0b0010));
  bench.below.let_go();
  bench.run();
  CHECK(bench.answers.size() == 2);
  CHECK(bench.cache.in_flight().mshrs == 0);
}

TEST_CASE("mshr_exhaustion_stalls_in_order_and_keeps_credits") {
  GIVEN("two MSHRs, three input slots and a memory that is slow to answer") {
    CacheSpec spec = small_spec();
    spec.mshrs = 2;
    Bench bench(spec, Duration{1000}, 3);
    bench.alone(0);
    bench.answers.clear();
    bench.below.silent = true;
    WHEN("three lines are missed, then a line that is present is asked for") {
      const Time start = bench.simulation.now();
      for (const std::uint64_t block : {1U, 2U, 3U, 0U, 0U, 0U}) bench.send(block, start);
      bench.run();
      THEN("the third miss and all behind it wait, the present line too") {
        CHECK(bench.below.kept.size() == 2);
        CHECK(bench.answers.empty());
        CHECK(bench.cache.in_flight().waiting == 3);
        CHECK(bench.cache.statistics().stalls_mshr_full == 1);
        // The memory freed the slots of the two it took; the three that wait hold theirs.
        CHECK(bench.port.credits() == 0);
        CHECK(bench.port.waiting().size() == 1);
      }
      AND_WHEN("one fetch comes back") {
        bench.below.let_go();
        bench.run();
        THEN("the input moves on in order") {
          CHECK(bench.below.kept.size() == 2);
          CHECK(bench.below.requests.back().block == 3);
          CHECK(bench.order() == std::vector<std::uint64_t>{1, 0, 0, 0});
          CHECK(bench.cache.in_flight().waiting == 0);
        }
      }
    }
  }
}

TEST_CASE("ways_held_by_fetches_stall_a_further_miss_of_the_set") {
  CacheSpec spec = small_spec();
  Bench bench(spec);
  bench.below.silent = true;
  for (std::uint64_t i = 0; i <= spec.ways; ++i) bench.send(i * spec.sets(), Time{0});
  bench.run();
  CHECK(bench.below.kept.size() == spec.ways);
  CHECK(bench.cache.statistics().stalls_ways_pending == 1);
  while (!bench.below.kept.empty()) {
    bench.below.let_go();
    bench.run();
  }
  CHECK(bench.answers.size() == spec.ways + 1);
}

TEST_CASE("misses_in_flight_live_in_the_lines_of_the_cache") {
  GIVEN("a cache without a table of its own for misses, in two sizes") {
    for (const std::uint64_t sets : {2U, 8U}) {
      CacheSpec spec = small_spec();
      spec.size = Bytes{sets * spec.ways * 128};
      spec.mshrs.reset();
      Bench bench(spec, Duration{1000}, 200);
      bench.below.silent = true;
      for (std::uint64_t block = 0; block < 100; ++block) bench.send(block, Time{0});
      bench.run();
      THEN("as many misses are in flight as there are lines") { CHECK(bench.below.kept.size() == spec.lines()); }
    }
  }
}

TEST_CASE("a_full_merge_list_stalls") {
  CacheSpec spec = small_spec();
  spec.merges_per_mshr = 1;
  Bench bench(spec);
  for (int i = 0; i < 3; ++i) bench.send(5, Time{0});
  bench.run();
  CHECK(bench.cache.statistics().stalls_merges_full == 1);
  CHECK(bench.cache.statistics().merges == 1);
  CHECK(bench.cache.statistics().hits == 1);  // the third hits the line when it may continue
  CHECK(bench.answers.size() == 3);
}

TEST_CASE("sector_miss_fetches_only_missing_sectors_at_fill_granularity") {
  GIVEN("a fill granularity of two sectors") {
    CacheSpec spec = small_spec();
    spec.fill_granularity = 64_B;
    Bench bench(spec);
    WHEN("one sector is asked for, then the whole line") {
      bench.alone(7, 0b0001);
      bench.alone(7);
      THEN("the first fetch is its pair, the second the other pair") {
        REQUIRE(bench.below.requests.size() == 2);
        CHECK(bench.below.requests[0].sectors == 0b0011);
        CHECK(bench.below.requests[1].sectors == 0b1100);
        CHECK(bench.cache.statistics().sector_hits == 2);
        CHECK(bench.cache.statistics().sector_misses() == 1 + 2);
      }
      THEN("the requests come back as they were sent") {
        CHECK(bench.transactions[0]->fetched == 0b0001);
        CHECK(bench.transactions[1]->fetched == 0b1111);
      }
    }
  }
}

TEST_CASE("a_bypassing_load_drops_the_line_and_allocates_none") {
  CacheSpec spec = small_spec();
  spec.bypass_cg = true;
  Bench bench(spec);
  bench.alone(7);
  bench.send(7, bench.simulation.now()).cache_operator = memory::CacheOperator::cg;
  bench.run();
  CHECK(bench.below.requests.size() == 2);
  CHECK(bench.answers.size() == 2);
  CHECK_FALSE(bench.cache.contains(7, 0b0001));
  CHECK(bench.cache.in_flight().mshrs == 0);
}

TEST_CASE("a_line_dropped_during_its_fetch_answers_but_stays_out") {
  Bench bench(small_spec());
  bench.below.silent = true;
  bench.send(7, Time{0});
  bench.run();
  bench.cache.invalidate(7);
  bench.send(7, bench.simulation.now());  // must not join the stale fetch
  bench.run();
  REQUIRE(bench.below.kept.size() == 2);
  bench.below.let_go();
  bench.run();
  CHECK(bench.answers.size() == 1);
  CHECK_FALSE(bench.cache.contains(7, 0b0001));
  bench.below.let_go();
  bench.run();
  CHECK(bench.answers.size() == 2);
  CHECK(bench.cache.contains(7, 0b1111));
}

TEST_CASE("drop_all_empties_the_cache") {
  Bench bench(small_spec());
  for (std::uint64_t block = 0; block < 16; ++block) bench.alone(block);
  bench.below.silent = true;
  bench.send(99, bench.simulation.now());
  bench.run();
  bench.cache.drop_all();
  bench.below.let_go();
  bench.run();
  CHECK(bench.answers.size() == 17);
  for (std::uint64_t block = 0; block < 100; ++block) CHECK_FALSE(bench.cache.contains(block, 0b0001));
  CHECK(bench.cache.in_flight().mshrs == 0);
}

TEST_CASE("lines_of_64_bytes_are_two_lines_of_a_block") {
  CacheSpec spec = small_spec();
  spec.line = 64_B;
  Bench bench(spec);
  bench.alone(3, 0b0011);
  CHECK(bench.cache.contains(3, 0b0011));
  CHECK_FALSE(bench.cache.contains(3, 0b1100));
  bench.alone(3, 0b1000);
  CHECK(bench.cache.contains(3, 0b1000));
  CHECK(bench.cache.statistics().misses == 2);
  bench.cache.invalidate(3);
  CHECK_FALSE(bench.cache.contains(3, 0b0011));
  CHECK_FALSE(bench.cache.contains(3, 0b1000));
}

TEST_CASE("conservation: every request is answered once and counted once") {
  for (const auto& policy : replacement::ReplacementTable::rows()) {
    CacheSpec spec = write_back_spec();
    spec.replacement = policy.name;
    spec.performs_atomics = true;
    spec.mshrs = 3;
    spec.merges_per_mshr = 2;
    spec.writeback_buffer = 1;
    Bench bench(spec, Duration{170}, 3);
    RandomSequence random(11);
    const Operation operations[] = {Operation::load, Operation::store, Operation::atomic, Operation::load};
    const std::uint64_t requests = 3000;
    for (std::uint64_t i = 0; i < requests; ++i) {
      const std::uint64_t block = random.below(64);
      const Time at{static_cast<std::int64_t>(random.below(50000))};
      const auto sectors = static_cast<SectorMask>(1 + random.below(15));
      bench.send(block, at, sectors, operations[random.below(4)]);
    }
    bench.run();
    const CacheStatistics s = bench.cache.statistics();
    CAPTURE(policy.name);
    CHECK(bench.answers.size() == requests);
    CHECK(s.requests == requests);
    CHECK(s.hits + s.misses + s.merges + s.bypasses + s.stores + s.atomics_forwarded == requests);
    CHECK(s.misses == bench.below.count(Operation::load));
    CHECK(s.writebacks == bench.below.count(Operation::writeback));
    CHECK(s.stalls_mshr_full > 0);
    CHECK(bench.port.credits() == 3);
    CHECK(bench.cache.in_flight().waiting + bench.cache.in_flight().mshrs + bench.cache.in_flight().write_backs == 0);
  }
}
