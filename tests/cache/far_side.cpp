// SPDX-License-Identifier: Apache-2.0
// A cache that is the point of coherence for die 0 and keeps copies of die 1's
// lines: requests that wait for the other die must not block those on which the other die
// waits.
#include <algorithm>

#include "cache_bench.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

constexpr std::uint8_t home = 0;
constexpr std::uint8_t far = 1;

/// Block numbers distinguish the homes: odd ones are far.
struct HomeBench : Bench {
  explicit HomeBench(const CacheSpec& spec)
      : Bench(spec), slice(simulation, stages, spec, clock, {&natural, &cache}, 0, home) {
    slice.connect(memory::sink<&Memory::take>(below));
    below.silent = true;
  }
  void ask(std::uint64_t block, Operation operation = Operation::load) {
    Transaction& t = request(block, memory::all_sectors, operation);
    t.home_die = block % 2 == 0 ? home : far;
    slice.take(t, simulation.now());
  }
  /// The memory answers one block of those that it keeps.
  void let_go(std::uint64_t block) {
    const auto is_it = [block](const Transaction* t) { return t->block == block; };
    const auto at = std::find_if(below.kept.begin(), below.kept.end(), is_it);
    REQUIRE(at != below.kept.end());
    std::swap(*at, below.kept.front());
    below.let_go();
    run();
  }
  std::vector<std::uint64_t> fetched() const {
    std::vector<std::uint64_t> blocks;
    for (const Memory::Request& r : below.requests) blocks.push_back(r.block);
    return blocks;
  }
  Cache slice;
};

using Blocks = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("far_misses_leave_the_last_mshr_to_requests_that_the_other_die_waits_for") {
  GIVEN("three MSHRs and more far misses than that") {
    CacheSpec spec = write_back_spec();
    spec.mshrs = 3;
    HomeBench bench(spec);
    for (const std::uint64_t block : {1U, 3U, 5U, 7U}) bench.ask(block);
    bench.run();
    CHECK(bench.fetched() == Blocks{1, 3});
    CHECK(bench.slice.statistics().stalls_mshr_full == 1);
    WHEN("the other die answers") {
      bench.let_go(1);
      bench.let_go(3);
      THEN("as many far misses are forwarded") {
        CHECK(bench.fetched() == Blocks{1, 3, 5, 7});
        CHECK(bench.slice.in_flight().waiting == 0);
      }
    }
    WHEN("blocks of this home are asked for behind them") {
      for (const std::uint64_t block : {2U, 4U}) bench.ask(block);
      bench.run();
      THEN("the first takes the last MSHR, and no far miss is forwarded") {
        CHECK(bench.fetched() == Blocks{1, 3, 2});
        CHECK(bench.slice.in_flight().waiting == 3);
      }
      AND_WHEN("its memory answers, and the other die never does") {
        bench.let_go(2);
        bench.let_go(4);
        THEN("both are served, and the far ones still wait") {
          CHECK(bench.order() == Blocks{2, 4});
          CHECK(bench.slice.in_flight().waiting == 2);
          CHECK(bench.fetched() == Blocks{1, 3, 2, 4});
        }
      }
    }
  }
}

TEST_CASE("far_misses_take_half_of_the_mshrs_at_most") {
  CacheSpec spec = write_back_spec();
  spec.mshrs = 8;
  HomeBench bench(spec);
  for (const std::uint64_t block : {1U, 3U, 5U, 7U, 9U, 11U}) bench.ask(block);
  for (const std::uint64_t block : {2U, 4U, 6U, 8U, 10U}) bench.ask(block);
  bench.run();
  std::uint64_t far_ones = 0;
  for (const std::uint64_t block : bench.fetched()) far_ones += block % 2;
  CHECK(far_ones == 4);
  CHECK(bench.fetched().size() == 8);
}

TEST_CASE("far_misses_leave_the_last_way_of_a_set_to_requests_that_the_other_die_waits_for") {
  CacheSpec spec = write_back_spec();
  spec.size = Bytes{3 * spec.ways * 128};  // three sets, so that each has odd and even lines
  HomeBench bench(spec);
  for (std::uint64_t i = 0; i < spec.ways; ++i) bench.ask((2 * i + 1) * spec.sets());
  bench.run();
  CHECK(bench.below.kept.size() == spec.ways - 1);
  CHECK(bench.slice.statistics().stalls_ways_pending == 1);
  bench.ask(0);
  bench.run();
  CHECK(bench.below.kept.size() == spec.ways);
  bench.let_go(0);
  CHECK(bench.order() == Blocks{0});
  CHECK(bench.slice.in_flight().waiting == 1);
}

TEST_CASE("a_far_sector_miss_leaves_the_last_way_too") {
  CacheSpec spec = write_back_spec();
  spec.ways = 2;
  spec.size = Bytes{3 * spec.ways * 128};
  HomeBench bench(spec);
  Transaction& part = bench.request(3, 0b0001);
  part.home_die = far;
  bench.slice.take(part, bench.simulation.now());
  bench.run();
  bench.let_go(3);  // one sector of block 3 is here
  bench.ask(9);
  bench.ask(3);
  bench.run();
  CHECK(bench.fetched() == Blocks{3, 9});
  bench.ask(0);
  bench.run();
  CHECK(bench.fetched() == Blocks{3, 9, 0});
}

TEST_CASE("a_stalled_home_miss_does_not_stop_far_requests") {
  CacheSpec spec = write_back_spec();
  spec.mshrs = 2;
  HomeBench bench(spec);
  bench.ask(1);
  bench.run();
  bench.let_go(1);
  bench.answers.clear();
  for (const std::uint64_t block : {2U, 4U, 6U, 1U, 8U}) bench.ask(block);
  bench.run();
  CHECK(bench.order() == Blocks{1});
  CHECK(bench.fetched() == Blocks{1, 2, 4});
  THEN("each side keeps its order") {
    bench.let_go(2);
    bench.let_go(4);
    bench.run();
    CHECK(bench.fetched() == Blocks{1, 2, 4, 6, 8});
  }
}

TEST_CASE("stalled_sides_alternate") {
  GIVEN("far and home misses that wait for an MSHR, and ever more behind them") {
    CacheSpec spec = write_back_spec();
    spec.mshrs = 4;
    HomeBench bench(spec);
    for (const std::uint64_t block : {1U, 2U, 4U, 6U}) bench.ask(block);
    for (const std::uint64_t block : {8U, 10U, 12U, 14U, 3U, 5U}) bench.ask(block);
    bench.run();
    for (const std::uint64_t block : {2U, 4U, 6U}) bench.let_go(block);
    THEN("neither side gets all that comes free") { CHECK(bench.fetched() == Blocks{1, 2, 4, 6, 8, 3, 10}); }
  }
}

TEST_CASE("without_stalls_both_sides_are_served_in_order_of_arrival") {
  HomeBench bench(write_back_spec());
  const Blocks blocks{1, 2, 3, 4, 6, 5, 7, 8};
  for (const std::uint64_t block : blocks) bench.ask(block);
  bench.run();
  CHECK(bench.fetched() == blocks);
}

// The load may have read the line before the atomic changed it: on an H200 the die links and the home's stalled
// requests let them overtake each other.
TEST_CASE("a_far_copy_fetched_while_an_atomic_is_under_way_is_not_kept") {
  HomeBench bench(write_back_spec());
  bench.ask(1, Operation::atomic);
  bench.run();
  bench.ask(1);
  bench.run();
  REQUIRE(bench.below.kept.size() == 2);
  SECTION("the copy comes before the answer of the atomic") {
    std::swap(bench.below.kept[0], bench.below.kept[1]);
    bench.let_go(1);
    CHECK(bench.slice.contains(1, memory::all_sectors));
    bench.let_go(1);
  }
  SECTION("the copy comes after it") {
    bench.let_go(1);
    bench.let_go(1);
  }
  CHECK_FALSE(bench.slice.contains(1, memory::all_sectors));
  bench.ask(1);
  bench.run();
  CHECK(bench.fetched() == Blocks{1, 1, 1});
  bench.let_go(1);
  CHECK(bench.slice.contains(1, memory::all_sectors));
  CHECK(drained(bench.slice));
}
