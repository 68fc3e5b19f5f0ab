// SPDX-License-Identifier: Apache-2.0
// Tags that share a pool of data lines: its contents, and which groups lose and gain lines.
#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "cache/tags/natural_index.hpp"
#include "cache/tags/pooled_tag_array.hpp"
#include "cache_bench.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

constexpr std::uint32_t ways = 4;

/// 4 groups of 8 sets of 4 ways, so 128 tags, with fewer data lines.
DataPoolSpec small_pool() { return {32, 4, 1000}; }

CacheSpec pooled_spec(std::uint64_t data_lines) {
  CacheSpec spec = small_spec();
  spec.data_pool = small_pool();
  spec.size = Bytes{data_lines * 128};
  return spec;
}

struct Pool {
  explicit Pool(std::uint64_t data_lines) : index(pooled_spec(data_lines)), tags(small_pool(), ways, data_lines) {}
  Access touch(LineNumber line) { return tags.access(index(line), line, 0b0001, Kind::read); }
  std::uint64_t lines_of(std::uint64_t group) const { return tags.groups()[group].lines; }
  std::uint64_t lines_present() const {
    std::uint64_t lines = 0;
    for (std::uint64_t set = 0; set < tags.sets(); ++set) {
      for (std::uint32_t way = 0; way < ways; ++way) {
        lines += LineWord::empty(tags.word(set, way)) ? 0U : 1U;
      }
    }
    return lines;
  }
  NaturalIndex index;
  PooledTagArray tags;
};

/// Lines that a group has tags for; a chunk of as many lines falls into one group.
constexpr std::uint64_t chunk = 32 / 4 * ways;

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

TEST_CASE("the_chunks_of_one_footprint_fall_into_all_groups") {
  const NaturalIndex index(pooled_spec(100));
  for (std::uint64_t round = 0; round < 4; ++round) {
    std::uint64_t seen = 0;
    for (std::uint64_t part = 0; part < 4; ++part) {
      const std::uint64_t first = (round * 4 + part) * chunk;
      const std::uint64_t group = index(first) / 8;
      std::vector<std::uint64_t> lines(32);
      for (std::uint64_t i = 0; i < chunk; ++i) ++lines[index(first + i)];
      for (std::uint64_t set = 0; set < 32; ++set) CHECK(lines[set] == (set / 8 == group ? ways : 0));
      seen |= std::uint64_t{1} << group;
    }
    CHECK(seen == 0b1111);
  }
}

// Of 512 sets of 4 ways, so many lines from `first` on, `stride` lines apart, as are more than 4 in a set.
double crowded(std::uint64_t first, std::uint64_t stride, std::uint64_t lines) {
  CacheSpec spec = pooled_spec(1728);
  spec.data_pool = DataPoolSpec{512, 4, 300};
  const NaturalIndex index(spec);
  std::vector<std::uint64_t> in_set(512);
  for (std::uint64_t i = 0; i < lines; ++i) ++in_set[index(first + i * stride)];
  double crowded = 0;
  for (const std::uint64_t n : in_set) crowded += n > 4 ? static_cast<double>(n) : 0;
  return crowded;
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

TEST_CASE("lines_a_power_of_two_and_one_apart_crowd_next_to_no_set_of_a_pool") {
  for (const std::uint64_t stride : {33U, 513U, 4097U, 2049U}) {
    CAPTURE(stride);
    CHECK(crowded(0, stride, 1024) <= 5);
  }
}

TEST_CASE("lines_at_random_places_fall_into_the_sets_of_a_pool_by_chance") {
  CacheSpec spec = pooled_spec(1728);
  spec.data_pool = DataPoolSpec{512, 4, 300};
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
  for (const std::uint64_t groups : {1U, 2U, 4U})
    for (const std::uint64_t sets : {groups, 2 * groups})
      for (const std::uint32_t of_set : {1U, 2U, 3U}) {
        CacheSpec spec = pooled_spec(1);
        spec.ways = of_set;
        spec.data_pool = DataPoolSpec{sets, groups, 1};
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

TEST_CASE("a_group_below_its_guarantee_takes_from_the_largest") {
  GIVEN("a pool that three groups have filled") {
    const std::uint64_t data_lines = 3 * chunk;
    Pool pool(data_lines);
    for (LineNumber line = 0; line < data_lines; ++line) pool.touch(line);
    const std::uint64_t newcomer = pool.index(3 * chunk) / 8;
    REQUIRE(pool.lines_of(newcomer) == 0);
    WHEN("lines of the fourth come") {
      for (LineNumber line = 3 * chunk; line < 4 * chunk; ++line) pool.touch(line);
      THEN("it has an even share, taken evenly from the others") {
        for (std::uint64_t group = 0; group < 4; ++group) {
          CHECK(pool.lines_of(group) == data_lines / 4);
        }
        CHECK(pool.tags.used() == data_lines);
      }
    }
    WHEN("only few come") {
      const std::uint64_t few = 5;
      for (LineNumber line = 3 * chunk; line < 3 * chunk + few; ++line) pool.touch(line);
      THEN("they are all there and the others have lost as many") {
        CHECK(pool.lines_of(newcomer) == few);
        CHECK(pool.lines_present() == data_lines);
      }
    }
  }
}

TEST_CASE("a_group_with_its_full_share_evicts_lines_of_its_own_set") {
  const std::uint64_t data_lines = 3 * chunk + chunk / 2;
  Pool pool(data_lines);
  for (LineNumber line = 0; line < data_lines; ++line) pool.touch(line);
  // The first group has all its tags in use: a further line of a set replaces one of that set.
  const LineNumber other = [&] {
    LineNumber line = 4 * chunk;
    while (pool.index(line) != pool.index(0)) line += 8;
    return line;
  }();
  const Access done = pool.touch(other);
  REQUIRE(done.evicted);
  CHECK(done.victim.line == 0);  // the least recently used of its set
  CHECK(pool.lines_of(pool.index(0) / 8) == chunk);
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
      std::uint64_t counted = 0;
      for (const auto& group : pool.tags.groups()) counted += group.lines;
      REQUIRE(pool.tags.used() <= data_lines);
      REQUIRE(counted == pool.tags.used());
      if (i % 50 == 0) REQUIRE(pool.lines_present() == counted);
    }
  }
}

TEST_CASE("a_pool_never_gives_up_a_line_that_a_fetch_holds") {
  const std::uint64_t data_lines = 20;
  Pool pool(data_lines);
  for (LineNumber line = 0; line < data_lines; ++line) {
    pool.tags.hold(pool.index(line), pool.touch(line).way);
  }
  const LineNumber fresh = 2 * chunk;
  CHECK(pool.tags.room(pool.index(fresh)).way == no_way);
  CHECK(pool.touch(fresh).way == no_way);
  CHECK(pool.tags.find(pool.index(fresh), fresh) == no_way);
  const LineNumber done = 7;
  pool.tags.release(pool.index(done), pool.tags.find(pool.index(done), done));
  const Access access = pool.touch(fresh);
  CHECK(access.victim.line == done);  // the only one that may go, in another group
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
    bench.alone(block, 0b0011, Operation::store);  // one group, one line a set
  }
  bench.alone(chunk, 0b0001);  // another group
  CHECK(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.requests.back().sectors == 0b0011);
  CHECK_FALSE(bench.cache.contains(bench.below.requests.back().block, 0b0001));
}
