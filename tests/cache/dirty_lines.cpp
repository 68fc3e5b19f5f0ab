// SPDX-License-Identifier: Apache-2.0
// Bounds of the dirty lines of a set, and of dirty lines with sectors that are not valid: beyond them lines are cleaned.
#include "cache_bench.hpp"
#include "catch.hpp"
#include "masked_stores.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

TEST_CASE("for_one_dirty_line_of_a_set_too_many_the_least_recently_used_is_cleaned") {
  CacheSpec spec = write_back_spec();  // four sets of four ways
  spec.dirty_ways = 2;
  Bench bench(spec);
  const auto store = [&](std::uint64_t block) {
    bench.send(block, bench.simulation.now(), memory::all_sectors, Operation::store);
    bench.run();
  };
  store(1);
  store(5);
  store(1);  // dirty already, and used last
  CHECK(bench.below.requests.empty());
  store(9);  // a third: 5 is written back and stays
  REQUIRE(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.requests.back().block == 5);
  CHECK(bench.cache.contains(5, memory::all_sectors));
  CHECK(bench.cache.statistics().lines_cleaned == 1);
  store(2);  // another set
  CHECK(bench.below.count(Operation::writeback) == 1);
  // The clean line is evicted silently; the two dirty ones are written back later.
  for (std::uint64_t block = 13; block <= 25; block += 4) bench.alone(block);
  CHECK(bench.below.count(Operation::writeback) == 3);
}

TEST_CASE("warming_up_without_time_keeps_to_the_dirty_lines_of_a_set") {
  CacheSpec spec = write_back_spec();
  spec.dirty_ways = 2;
  Bench bench(spec);
  for (const std::uint64_t block : {1U, 5U, 9U, 13U}) {
    TouchRequest request;
    request.block = block;
    request.sectors = memory::all_sectors;
    request.operation = Operation::store;
    bench.cache.touch(request);
  }
  // 9 and 13 are dirty: a timed store cleans one of them, no more.
  bench.send(1, bench.simulation.now(), memory::all_sectors, Operation::store);
  bench.run();
  REQUIRE(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.requests.back().block == 9);
}

TEST_CASE("a_dirty_line_with_sectors_not_valid_is_cleaned_when_there_are_too_many") {
  CacheSpec spec = masking(1);
  spec.incomplete_lines = 2;
  MaskBench bench(spec);
  bench.store(1, memory::words_of(0b0001));
  bench.store(2, memory::words_of(0b0011));
  bench.store(1, memory::words_of(0b0100));  // the second is the older now
  CHECK(bench.below.requests.empty());
  bench.store(3, memory::words_of(0b1000));
  REQUIRE(bench.below.requests.size() == 1);
  CHECK(bench.below.requests[0].operation == Operation::writeback);
  CHECK(bench.below.requests[0].block == 2);
  CHECK(bench.below.requests[0].sectors == 0b0011);
  CHECK(bench.cache.contains(2, 0b0011));
  // Clean now, and dirty and incomplete again with the next store, whatever it writes.
  bench.store(2, word(0, 5));
  REQUIRE(bench.below.requests.size() == 2);
  CHECK(bench.below.requests[1].block == 1);
  CHECK(bench.below.requests[1].sectors == 0b0101);
  // Complete lines are not among them.
  for (std::uint64_t block = 4; block < 8; ++block) bench.store(block, memory::all_words);
  bench.store(3, memory::words_of(0b0111));
  CHECK(bench.below.requests.size() == 2);
  CHECK(bench.cache.statistics().lines_cleaned == 2);
  CHECK(drained(bench.cache));
}

TEST_CASE("a_line_that_a_load_completes_frees_a_place_for_another") {
  CacheSpec spec = masking(1);
  spec.incomplete_lines = 1;
  MaskBench bench(spec);
  bench.store(1, memory::words_of(0b0001));
  bench.alone(1);
  bench.store(2, memory::words_of(0b0001));
  CHECK(bench.below.count(Operation::writeback) == 0);
  bench.store(3, memory::words_of(0b0001));
  CHECK(bench.below.count(Operation::writeback) == 1);
}

TEST_CASE("the_bounds_are_those_of_the_cache_where_they_are_wider") {
  CacheSpec spec = masking(0);
  spec.incomplete_lines = 1U << 20U;
  CHECK(spec.most_incomplete_lines() == spec.lines());
  CHECK(spec.most_masked_lines() == spec.lines());
  spec.masked_lines = 100;  // of 16
  CHECK(spec.most_masked_lines() == spec.lines());
  spec.incomplete_lines = 5;
  CHECK(spec.most_masked_lines() == 5);
}
