// SPDX-License-Identifier: Apache-2.0
// Tags that share a pool of data lines: its contents, the sets of lines, and which lines lose their data.
#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "cache/tags/pooled_tag_array.hpp"
#include "cache_bench.hpp"
#include "catch.hpp"
#include "sets_of_lines.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

constexpr std::uint32_t ways = 4;

/// 32 sets of 4 ways, so 128 tags, with fewer data lines.
DataPoolSpec small_pool() { return {32}; }

CacheSpec pooled_spec(std::uint64_t data_lines) {
  CacheSpec spec = small_spec();
  spec.data_pool = small_pool();
  spec.size = Bytes{data_lines * 128};
  return spec;
}

struct Pool {
  explicit Pool(std::uint64_t data_lines) : index(pooled_spec(data_lines)), tags(small_pool(), ways, data_lines) {}
  Access touch(LineNumber line) { return tags.access(index(line), line, 0b0001, Kind::read); }
  std::uint64_t lines_present() const {
    std::uint64_t lines = 0;
    for (std::uint64_t set = 0; set < tags.sets(); ++set) {
      for (std::uint32_t way = 0; way < ways; ++way) {
        const std::uint64_t word = tags.word(set, way);
        lines += LineWord::empty(word) || LineWord::no_data(word) ? 0U : 1U;
      }
    }
    return lines;
  }
  bool present(LineNumber line) const { return tags.find(index(line), line) != no_way; }
  NaturalIndex index;
  PooledTagArray tags;
};

/// As many lines as there are tags: four fall into each set.
constexpr std::uint64_t all_tags = 32 * ways;

}  // namespace

TEST_CASE("a_pool_smaller_than_the_tags_holds_every_line_up_to_its_size") {
  for (const std::uint64_t data_lines : {60U, 101U, 127U, 128U}) {
    CAPTURE(data_lines);
    Pool pool(data_lines);
    for (LineNumber line = 0; line < data_lines; ++line) CHECK_FALSE(pool.touch(line).evicted);
    for (LineNumber line = 0; line < data_lines; ++line) CHECK(pool.touch(line).present);
    CHECK(pool.tags.used() == data_lines);
    CHECK(pool.touch(data_lines).evicted);
  }
}

// Of the lines from `first` on in a pool of 512 sets, without a hash.
std::uint64_t crowded(std::uint64_t first, std::uint64_t stride, std::uint64_t lines) {
  CacheSpec spec = pooled_spec(1728);
  spec.data_pool = DataPoolSpec{512};
  return crowded(NaturalIndex(spec), first, stride, lines);
}

TEST_CASE("as_many_lines_as_a_pool_has_tags_crowd_no_set_at_any_stride_of_a_power_of_two") {
  for (std::uint64_t stride = 1; stride <= 1U << 16U; stride *= 2) {
    CAPTURE(stride);
    CHECK(crowded(0, stride, 2048) == 0);
    CHECK(crowded(0, stride, 2049) == 5);
    CHECK(crowded(7 * 2048 * stride, stride, 2048) == 0);
  }
}

TEST_CASE("lines_of_one_footprint_crowd_no_set_of_a_pool_wherever_it_begins") {
  for (std::uint64_t first = 0; first < 8192; first += 64) {
    CAPTURE(first);
    CHECK(crowded(first, 1, 1728) == 0);
  }
}

TEST_CASE("a_hash_of_other_sets_than_the_tags_have_is_ignored") {
  CHECK(DataPoolSpec{4, {1, 2, 3}}.hashed());
  CHECK_FALSE(DataPoolSpec{4, {1, 3, 5}}.hashed());
  CHECK_FALSE(DataPoolSpec{8, {1, 2, 3}}.hashed());
  CHECK_FALSE(DataPoolSpec{4, {4, 8}}.hashed());  // sets that do not exist
  CacheSpec spec = pooled_spec(1);
  spec.data_pool = DataPoolSpec{4, {3, 2, 1}};
  const NaturalIndex index(spec);
  const std::uint64_t expected[] = {0, 3, 2, 1, 1, 2, 3, 0};
  for (LineNumber line = 0; line < 8; ++line) CHECK(index(line) == expected[line]);
  CHECK(index(8) == 0);               // bits beyond flip none
  CHECK(index(~LineNumber{0}) == 0);  // 3 ^ 2 ^ 1
}

TEST_CASE("lines_at_random_places_fall_into_the_sets_of_a_pool_by_chance") {
  CacheSpec spec = pooled_spec(1728);
  spec.data_pool = DataPoolSpec{512};
  const NaturalIndex index(spec);
  RandomSequence random(3);
  std::vector<std::uint64_t> in_set(512);
  for (int i = 0; i < 1024; ++i) ++in_set[index(random.below(std::uint64_t{1} << 30U))];
  double in_crowds = 0;
  for (const std::uint64_t n : in_set) in_crowds += n > 4 ? static_cast<double>(n) : 0;
  // Two lines per set on average. By a Poisson distribution 1 - e^-2 (1 + 2 + 2 + 4/3) = 14.3
  // % of the lines share a set with four others or more.
  CHECK(in_crowds / 1024 == Approx(0.143).margin(0.07));
}

TEST_CASE("a_pool_of_few_tags_has_a_set_for_every_line") {
  for (const std::uint64_t sets : {1U, 2U, 4U, 8U})
    for (const std::uint32_t of_set : {1U, 2U, 3U}) {
      CacheSpec spec = pooled_spec(1);
      spec.ways = of_set;
      spec.data_pool = DataPoolSpec{sets};
      const NaturalIndex index(spec);
      for (LineNumber line = 1; line < std::uint64_t{1} << 40U; line = 3 * line + 1) CHECK(index(line) < sets);
      std::vector<bool> seen(sets);
      for (LineNumber line = 0; line < sets * of_set; ++line) seen[index(line)] = true;
      CHECK(std::find(seen.begin(), seen.end(), false) == seen.end());
    }
}

TEST_CASE("without_a_pool_the_natural_set_is_the_line_modulo_the_sets") {
  for (const std::uint64_t sets : {1U, 4U, 12U, 64U}) {
    CacheSpec spec = small_spec();
    spec.size = Bytes{sets * 4 * 128};
    const NaturalIndex index(spec);
    for (LineNumber line = 0; line < 1000; line += 7) CHECK(index(line) == line % sets);
  }
}

TEST_CASE("sets_in_turn_give_up_the_data_of_a_line") {
  const std::uint64_t data_lines = 96;
  Pool pool(data_lines);
  for (LineNumber line = 0; line < data_lines; ++line) REQUIRE_FALSE(pool.touch(line).evicted);
  for (std::uint64_t n = 0; n < 2 * 32; ++n) {
    CAPTURE(n);
    CHECK(pool.tags.next_set() == n % 32);
    const LineNumber next = n < 32 ? data_lines + n : n - 32;  // then those whose data went
    const std::uint64_t giver = n % 32;
    const Access done = pool.touch(next);
    if (done.present) continue;
    REQUIRE(done.evicted);
    CHECK(pool.index(done.victim.line) == giver);
  }
  CHECK(pool.lines_present() == data_lines);
}

TEST_CASE("a_line_without_data_keeps_its_tag") {
  const std::uint64_t data_lines = 127;
  Pool pool(data_lines);
  // All tags but one in use, then the last: set 0 gives up its least recently used line.
  for (LineNumber line = 0; line < all_tags; ++line) pool.touch(line);
  const LineNumber lost = line_of_set(pool.index, 0, 0);
  CHECK_FALSE(pool.present(lost));
  // It comes back to its own tag: set 1 gives up a line, and none of set 0 is evicted.
  const Access back = pool.touch(lost);
  REQUIRE(back.evicted);
  CHECK(pool.index(back.victim.line) == 1);
  for (std::uint64_t n = 0; n < ways; ++n) CHECK(pool.present(line_of_set(pool.index, 0, n)));
  // A further line of set 1 takes the tag of its least recently used line, which has no data: another set gives some.
  const Access further = pool.touch(line_of_set(pool.index, 1, ways));
  REQUIRE(further.evicted);
  CHECK(pool.index(further.victim.line) == 2);
  CHECK(pool.lines_present() == data_lines);
}

TEST_CASE("a_line_takes_place_and_data_of_the_least_recently_used_of_a_full_set") {
  Pool pool(100);
  for (std::uint64_t n = 0; n < ways; ++n) pool.touch(line_of_set(pool.index, 5, n));
  for (LineNumber line = 1000; pool.tags.used() < 100; ++line)
    if (pool.index(line) != 5) pool.touch(line);
  const std::uint64_t turn = pool.tags.next_set();
  const Access done = pool.touch(line_of_set(pool.index, 5, ways));
  REQUIRE(done.evicted);
  CHECK(done.victim.line == line_of_set(pool.index, 5, 0));
  CHECK(pool.tags.next_set() == turn);  // no other set was asked
}

TEST_CASE("lines_not_used_since_their_data_came_lose_them_first") {
  // Set 0 has four lines. Of three used again, the one that was not is the most recent.
  Pool pool(ways);
  for (std::uint64_t n = 0; n < 3; ++n) pool.touch(line_of_set(pool.index, 0, n));
  for (std::uint64_t n = 0; n < 3; ++n) pool.touch(line_of_set(pool.index, 0, n));
  const LineNumber once = line_of_set(pool.index, 0, 3);
  pool.touch(once);
  const Access first = pool.touch(line_of_set(pool.index, 1, 0));
  REQUIRE(first.evicted);
  CHECK(first.victim.line == once);
  // Then the least recently used.
  const Access second = pool.touch(line_of_set(pool.index, 2, 0));  // set 1 is next and has a line
  CHECK(second.victim.line == line_of_set(pool.index, 1, 0));
  for (std::uint64_t set = 3; set < 32; ++set) pool.touch(line_of_set(pool.index, set, 0));  // one takes from the next
  pool.touch(line_of_set(pool.index, 3, 0));
  CHECK(pool.tags.next_set() == 0);
  const Access last = pool.touch(line_of_set(pool.index, 4, 1));
  CHECK(last.victim.line == line_of_set(pool.index, 0, 0));
}

TEST_CASE("never_more_lines_than_the_pool_and_the_counts_are_those_of_the_tags") {
  for (const std::uint64_t data_lines : {3U, 40U, 100U, 127U}) {
    Pool pool(data_lines);
    RandomSequence random(data_lines);
    for (int i = 0; i < 5000; ++i) {
      const LineNumber line = random.below(200);
      const std::uint64_t set = pool.index(line);
      if (random.below(20) == 0) {
        if (const std::uint32_t way = pool.tags.find(set, line); way != no_way) {
          CHECK(pool.tags.remove(set, way).line == line);
        }
      } else {
        pool.touch(line);
        CHECK(pool.tags.find(set, line) == 0);  // the most recently used is first
      }
      REQUIRE(pool.tags.used() <= data_lines);
      if (i % 50 == 0) REQUIRE(pool.lines_present() == pool.tags.used());
    }
  }
}

TEST_CASE("a_pool_never_gives_up_a_line_that_a_fetch_holds") {
  const std::uint64_t data_lines = 20;
  Pool pool(data_lines);
  for (LineNumber line = 0; line < data_lines; ++line) {
    pool.tags.hold(pool.index(line), pool.touch(line).way);
  }
  const LineNumber fresh = 64;
  CHECK(pool.tags.room(pool.index(fresh), fresh).way == no_way);
  CHECK(pool.touch(fresh).way == no_way);
  CHECK(pool.tags.find(pool.index(fresh), fresh) == no_way);
  const LineNumber done = 7;
  pool.tags.release(pool.index(done), pool.tags.find(pool.index(done), done));
  const Access access = pool.touch(fresh);
  CHECK(access.victim.line == done);  // the only one that may be evicted, in another set
  CHECK(pool.tags.used() == data_lines);
}

TEST_CASE("a_carve_out_changes_the_pool_and_not_the_sets") {
  CacheSpec small = pooled_spec(40);
  CacheSpec large = pooled_spec(120);
  CHECK(small.sets() == large.sets());
  CHECK(small.lines() == 40);
  CHECK(large.lines() == 120);
  const NaturalIndex one(small), other(large);
  for (LineNumber line = 0; line < 500; ++line) CHECK(one(line) == other(line));
}

TEST_CASE("a_timed_cache_with_a_pool_keeps_all_fetches_in_flight_within_it") {
  GIVEN("a pool of 10 lines and a memory that does not answer") {
    const std::uint64_t data_lines = 10;
    CacheSpec spec = pooled_spec(data_lines);
    spec.mshrs = 64;  // so that the pool is the bound
    Bench bench(spec, Duration{1000}, 64);
    bench.below.silent = true;
    for (std::uint64_t block = 0; block < 2 * data_lines; ++block) bench.send(block, Time{0});
    bench.run();
    THEN("as many go down as it has lines, and the next waits until one comes back") {
      CHECK(bench.below.requests.size() == data_lines);
      CHECK(bench.cache.statistics().stalls_ways_pending == 1);
      bench.below.let_go();
      bench.run();
      CHECK(bench.below.requests.size() == data_lines + 1);
      while (!bench.below.kept.empty()) {
        bench.below.let_go();
        bench.run();
      }
      CHECK(bench.answers.size() == 2 * data_lines);
    }
  }
}

TEST_CASE("a_dirty_line_taken_from_another_set_is_written_back") {
  const std::uint64_t data_lines = 8;
  CacheSpec spec = write_back_spec();
  spec.data_pool = small_pool();
  spec.size = Bytes{data_lines * 128};
  Bench bench(spec);
  for (std::uint64_t block = 0; block < data_lines; ++block) {
    bench.alone(block, 0b0011, Operation::store);  // one line a set
  }
  bench.alone(data_lines, 0b0001);  // another set
  CHECK(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.requests.back().sectors == 0b0011);
  CHECK_FALSE(bench.cache.contains(bench.below.requests.back().block, 0b0001));
}

TEST_CASE("a_store_that_takes_the_data_of_its_own_set_cleans_another_line_than_the_evicted_one") {
  CacheSpec spec = write_back_spec();
  spec.data_pool = DataPoolSpec{1};
  spec.ways = 4;
  spec.size = Bytes{2 * 128};
  spec.dirty_ways = 2;
  Bench bench(spec);
  for (std::uint64_t block = 0; block < 3; ++block) bench.alone(block, 0b1111, Operation::store);
  // The first store's line is written back once, as it is evicted; the others are still dirty.
  REQUIRE(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.requests.back().block == 0);
  CHECK_FALSE(bench.cache.contains(0, 0b1111));
  CHECK(bench.cache.contains(1, 0b1111));
  CHECK(bench.cache.contains(2, 0b1111));
}
