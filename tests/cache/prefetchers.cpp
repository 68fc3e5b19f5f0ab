// SPDX-License-Identifier: Apache-2.0
// The requests of each prefetcher, and the rules for all of them.
#include <algorithm>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "cache/prefetch/table.hpp"
#include "cache_bench.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

CacheSpec with(std::string_view prefetcher, std::uint64_t degree = 1) {
  CacheSpec spec = small_spec();
  spec.size = Bytes{64 * 4 * 128};
  spec.prefetcher = prefetcher;
  spec.prefetch_degree = degree;
  spec.mshrs = 32;
  return spec;
}

// One load after the other, each after all effects of the previous one.
void load(Bench& bench, std::uint64_t block, std::uint16_t warp = 0) {
  bench.send(block, bench.simulation.now()).warp = warp;
  bench.run();
}

std::vector<std::uint64_t> asked(const Bench& bench, std::size_t from = 0) {
  std::vector<std::uint64_t> blocks;
  for (std::size_t i = from; i < bench.below.requests.size(); ++i) blocks.push_back(bench.below.requests[i].block);
  return blocks;
}

using Blocks = std::vector<std::uint64_t>;
constexpr std::uint64_t blocks_of_4_KiB = 32;

}  // namespace

TEST_CASE("next_line_requests_the_lines_after_a_miss_and_after_a_first_use") {
  Bench bench(with("next_line", 2));
  load(bench, 4);
  CHECK(asked(bench) == Blocks{4, 5, 6});
  load(bench, 5);  // prefetched: 6 is here, 7 is not
  CHECK(asked(bench, 3) == Blocks{7});
  load(bench, 5);  // used before: no prefetch
  load(bench, 4);
  CHECK(asked(bench, 4).empty());
  const CacheStatistics s = bench.cache.statistics();
  CHECK(s.prefetches.sent == 3);
  CHECK(s.prefetches.used == 1);
  CHECK(s.misses == 1);
  CHECK(s.hits == 3);
  CHECK(drained(bench.cache));
}

TEST_CASE("a_prefetched_line_is_answered_as_a_hit_or_from_its_fetch") {
  Bench plain(with("none"));
  Bench bench(with("next_line"), Duration{1000});
  const Duration miss = plain.alone(0);
  const Duration hit = plain.alone(0);
  CHECK(bench.alone(0) == miss);
  CHECK(bench.alone(1) == hit);
  // The next one is being fetched since the look-up of line 1; 300 ticks later 700 and the fill
  // remain.
  Bench early(with("next_line"), Duration{1000});
  early.send(0, Time{});
  early.send(1, Time{} + Duration{300});
  early.run();
  REQUIRE(early.answers.size() == 2);
  CHECK(early.cache.statistics().merges == 1);
  CHECK(early.cache.statistics().prefetches.used == 1);
  CHECK(early.answers[1].latency < miss - Duration{250});
  CHECK(early.answers[1].latency > miss - Duration{350});
}

TEST_CASE("stride_requests_the_next_lines_after_a_step_taken_twice") {
  Bench bench(with("stride", 2));
  for (const std::uint64_t block : {0U, 3U}) load(bench, block);
  CHECK(asked(bench) == Blocks{0, 3});
  load(bench, 6);
  CHECK(asked(bench, 2) == Blocks{6, 9, 12});
  load(bench, 9);
  CHECK(asked(bench, 5) == Blocks{15});
  GIVEN("another warp between, and steps back") {
    const std::size_t before = bench.below.requests.size();
    load(bench, 62, 1);
    load(bench, 12, 0);
    load(bench, 60, 1);
    load(bench, 58, 1);
    CHECK(asked(bench, before) == Blocks{62, 18, 60, 58, 56, 54});
  }
}

TEST_CASE("best_offset_finds_the_step_of_many_warps_together") {
  // Two warps that alternate and advance by 4 lines: only lines matter, not warps.
  Bench bench(with("best_offset"));
  for (std::uint64_t step = 0; step < 2000; ++step) load(bench, 4 * step, static_cast<std::uint16_t>(step % 2));
  const CacheStatistics learning = bench.cache.statistics();
  for (std::uint64_t step = 2000; step < 4000; ++step) load(bench, 4 * step, static_cast<std::uint16_t>(step % 2));
  const CacheStatistics s = bench.cache.statistics();
  // Of eight loads within 4 KiB the first cannot be prefetched.
  CHECK(s.hits - learning.hits == 2000 - 2000 / 8);
  CHECK(s.prefetches.used - learning.prefetches.used == s.prefetches.sent - learning.prefetches.sent);
}

TEST_CASE("best_offset_stops_where_no_distance_helps") {
  Bench bench(with("best_offset"));
  for (std::uint64_t i = 0; i < 4000; ++i) load(bench, mix(1, i) >> 20U);
  const std::uint64_t before = bench.cache.statistics().prefetches.sent;
  for (std::uint64_t i = 4000; i < 5000; ++i) load(bench, mix(1, i) >> 20U);
  CHECK(bench.cache.statistics().prefetches.sent == before);
}

namespace {
template <class... Policy>
using Each = std::tuple<Policy...>;
}  // namespace

TEMPLATE_LIST_TEST_CASE("prefetcher_contract: no request leaves the 4 KiB of its load", "",
                        PrefetcherTable::into<Each>) {
  Bench bench(with(TestType::name, 16));
  for (std::uint64_t region = 0; region < 4; ++region)
    for (std::uint64_t block = 0; block < blocks_of_4_KiB; block += 2) {
      const std::size_t before = bench.below.requests.size();
      const std::uint64_t loaded = region * 8 * blocks_of_4_KiB + block;
      load(bench, loaded);
      for (const std::uint64_t other : asked(bench, before)) CHECK(other / blocks_of_4_KiB == loaded / blocks_of_4_KiB);
    }
  CHECK(bench.cache.statistics().prefetches.sent > 0);
}

TEMPLATE_LIST_TEST_CASE("prefetcher_contract: demands keep half of the MSHRs", "", PrefetcherTable::into<Each>) {
  CacheSpec spec = with(TestType::name, 16);
  spec.mshrs = 8;
  Bench bench(spec);
  bench.below.silent = true;
  std::uint64_t most = 0;
  for (std::uint64_t block = 0; block < 3 * blocks_of_4_KiB; ++block) {
    load(bench, block);
    most = std::max(most, bench.cache.in_flight().mshrs);
    while (!bench.below.kept.empty()) {
      bench.below.let_go();
      bench.run();
    }
  }
  CHECK(most <= 4);
  CHECK(bench.cache.statistics().prefetches.sent > 0);
  CHECK(bench.cache.statistics().prefetches.dropped > 0);
}

TEMPLATE_LIST_TEST_CASE("prefetcher_contract: all is answered, all that is fetched comes, a run repeats", "",
                        PrefetcherTable::into<Each>) {
  const auto run = [] {
    CacheSpec spec = with(TestType::name, 3);
    spec.size = Bytes{4 * 4 * 128};  // lines are evicted while others are being fetched
    Bench bench(spec);
    for (std::uint64_t i = 0; i < 600; ++i)
      bench
          .send(i % 3 == 0 ? mix(5, i) % 200 : i / 2, Time{} + Duration{20} * static_cast<std::int64_t>(i),
                memory::all_sectors, i % 7 == 0 ? Operation::store : Operation::load)
          .warp = static_cast<std::uint16_t>(i % 5);
    bench.run();
    CHECK(bench.answers.size() == 600);
    CHECK(drained(bench.cache));
    CHECK(bench.cache.statistics().sectors_fetched == bench.cache.statistics().sectors_filled);
    CHECK(bench.cache.statistics().prefetches.used <= bench.cache.statistics().prefetches.sent);
    return asked(bench);
  };
  CHECK(run() == run());
}

TEST_CASE("a_prefetch_leaves_dirty_lines_where_they_are") {
  CacheSpec spec = write_back_spec();
  spec.prefetcher = "next_line";
  Bench bench(spec);
  // The set of line 1 is full of dirty lines.
  for (const std::uint64_t block : {5U, 9U, 13U, 17U})
    bench.send(block, bench.simulation.now(), memory::all_sectors, Operation::store);
  bench.run();
  load(bench, 0);
  CHECK(bench.below.count(Operation::writeback) == 0);
  CHECK(bench.cache.statistics().prefetches.dropped == 1);
  for (const std::uint64_t block : {5U, 9U, 13U, 17U}) CHECK(bench.cache.contains(block, memory::all_sectors));
}

TEST_CASE("lines_shorter_than_a_block_are_prefetched_whole_and_alone") {
  CacheSpec spec = with("next_line");
  spec.line = Bytes{64};
  Bench bench(spec);
  bench.send(0, Time{}, 0b0001);
  bench.run();
  REQUIRE(bench.below.requests.size() == 2);
  CHECK(bench.below.requests[1].block == 0);
  CHECK(bench.below.requests[1].sectors == 0b1100);
}

TEST_CASE("a_routed_line_is_fetched_like_one_requested_by_the_cache_itself") {
  const std::string name = GENERATE("next_line", "stride", "best_offset");
  CAPTURE(name);
  Bench plain(with(name, 2));
  Bench routed(with(name, 2));
  const PrefetchRoute route{[](void* self, LineNumber line, const PrefetchOrigin& origin) {
                              return static_cast<Cache*>(self)->prefetch_soon(line, origin);
                            },
                            &routed.cache};
  routed.cache.share_prefetcher(routed.cache, route);
  for (std::uint64_t i = 0; i < 500; ++i) {
    load(plain, i * 3 % 640, static_cast<std::uint16_t>(i % 2));
    load(routed, i * 3 % 640, static_cast<std::uint16_t>(i % 2));
  }
  CHECK(asked(routed) == asked(plain));
  CHECK(routed.cache.statistics().prefetches.sent == plain.cache.statistics().prefetches.sent);
  CHECK(routed.cache.statistics().prefetches.used == plain.cache.statistics().prefetches.used);
  CHECK(plain.cache.statistics().prefetches.sent > 100);
}

TEST_CASE("a_line_that_no_slice_may_fetch_is_counted_as_dropped") {
  Bench bench(with("next_line", 3));
  bench.cache.share_prefetcher(bench.cache, {[](void*, LineNumber, const PrefetchOrigin&) { return false; }, nullptr});
  load(bench, 4);
  CHECK(asked(bench) == Blocks{4});
  CHECK(bench.cache.statistics().prefetches.dropped == 3);
  load(bench, 30);  // one of three is within the 4 KiB
  CHECK(bench.cache.statistics().prefetches.dropped == 4);
}

TEST_CASE("the_queue_in_front_of_a_slice_is_bounded") {
  Bench bench(with("next_line"));
  const PrefetchOrigin origin{0, 0, 0, 0, 0};
  for (LineNumber line = 0; line < Prefetching::most_wanted; ++line) CHECK(bench.cache.prefetch_soon(line, origin));
  CHECK_FALSE(bench.cache.prefetch_soon(31, origin));
  bench.run();
  CHECK(bench.cache.statistics().prefetches.sent == Prefetching::most_wanted);
  CHECK(bench.cache.prefetch_soon(31, origin));
}
