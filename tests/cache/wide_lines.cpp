// SPDX-License-Identifier: Apache-2.0
// Lines of 256 B: one tag for two blocks.
#include "cache_bench.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

/// As much data as small_spec() has: 4 sets of 2 ways of 256 B.
CacheSpec wide(CacheSpec spec = small_spec()) {
  spec.ways = 2;
  spec.line = 256_B;
  spec.sector = spec.fill_granularity = 64_B;
  return spec;
}

std::uint64_t tags_in_use(const Cache& cache) {
  return std::visit(
      [](const auto& tags) {
        std::uint64_t used = 0;
        for (std::uint64_t set = 0; set < tags.sets(); ++set)
          for (std::uint32_t way = 0; way < tags.ways(); ++way) used += LineWord::empty(tags.word(set, way)) ? 0 : 1;
        return used;
      },
      cache.tags());
}

std::uint64_t blocks_held(const Cache& cache, std::uint64_t most) {
  std::uint64_t held = 0;
  for (std::uint64_t block = 0; block < most; ++block) held += cache.contains(block, memory::all_sectors) ? 1 : 0;
  return held;
}

}  // namespace

TEST_CASE("lines_of_two_blocks_hold_as_many_bytes_under_half_as_many_tags") {
  const auto check = [](const CacheSpec& spec, std::uint64_t tags) {
    Bench bench(spec);
    const std::uint64_t blocks = spec.size.value / 128;
    for (std::uint64_t block = 0; block < blocks; ++block) bench.alone(block);
    CHECK(blocks_held(bench.cache, blocks) == blocks);
    CHECK(tags_in_use(bench.cache) == tags);
    CHECK(bench.cache.statistics().evictions == 0);
    bench.answers.clear();
    for (std::uint64_t block = 0; block < blocks; ++block)
      CHECK(bench.alone(block) == bench.clock.cycles(spec.hit_latency.value));
    CHECK(bench.below.requests.size() == blocks);
    bench.alone(blocks);
    CHECK(bench.cache.statistics().evictions == 1);
  };
  check(small_spec(), 16);
  check(wide(), 8);
}

TEST_CASE("lines_of_two_blocks_share_a_set_with_those_a_sets_worth_of_lines_away") {
  Bench bench(wide());
  const std::uint64_t sets = bench.cache.spec().sets();
  REQUIRE(sets == 4);
  // Lines 0, 4 and 8 in two ways, asked for by either block.
  bench.alone(0);
  bench.alone(2 * sets + 1);
  CHECK(bench.cache.held(0).lines.size() == 2);
  CHECK(bench.cache.held(128).set == 0);
  CHECK(bench.cache.held(256).set == 1);
  bench.alone(1);  // line 0 again, which is now the younger
  bench.alone(2 * 2 * sets);
  CHECK(bench.cache.contains(0, memory::all_sectors));
  CHECK(bench.cache.contains(1, memory::all_sectors));
  CHECK_FALSE(bench.cache.contains(2 * sets + 1, 0b0001));
  CHECK(bench.cache.statistics().evictions == 1);
}

TEST_CASE("a_miss_of_the_other_block_is_fetched_under_the_same_mshr") {
  Bench bench(wide());
  bench.below.silent = true;
  bench.send(6, Time{0}, 0b0001);
  bench.send(7, Time{0}, 0b1000);
  bench.send(7, Time{0}, 0b0100);  // of the 64 B that are coming
  bench.run();
  CHECK(bench.cache.in_flight().mshrs == 1);
  REQUIRE(bench.below.requests.size() == 2);
  CHECK(bench.below.requests[0].block == 6);
  CHECK(bench.below.requests[0].sectors == 0b0011);
  CHECK(bench.below.requests[1].block == 7);
  CHECK(bench.below.requests[1].sectors == 0b1100);
  CHECK(bench.cache.statistics().misses == 2);
  CHECK(bench.cache.statistics().merges == 1);
  CHECK(bench.cache.in_flight().sectors == 4);
  CHECK(bench.cache.in_flight().requests == 3);
  std::swap(bench.below.kept[0], bench.below.kept[1]);
  bench.below.let_go();
  bench.run();
  CHECK(bench.order() == std::vector<std::uint64_t>{7, 7});
  CHECK(bench.cache.contains(7, 0b1100));
  CHECK_FALSE(bench.cache.contains(6, 0b0001));
  CHECK(bench.cache.in_flight().mshrs == 1);
  bench.below.let_go();
  bench.run();
  CHECK(bench.cache.contains(6, 0b0011));
  CHECK_FALSE(bench.cache.contains(6, 0b0100));
  CHECK_FALSE(bench.cache.contains(7, 0b0001));
  CHECK(bench.cache.in_flight().mshrs == 0);
  CHECK(drained(bench.cache));
}

TEST_CASE("a_forwarded_store_makes_whole_sectors_of_64_b_valid") {
  CacheSpec spec = wide();
  spec.write_allocate = WriteAllocate::sector;
  Bench bench(spec);
  bench.alone(3, 0b0001, Operation::store);  // half a sector: not kept
  CHECK(tags_in_use(bench.cache) == 0);
  bench.alone(3, 0b0111, Operation::store);
  CHECK(bench.cache.contains(3, 0b0011));
  CHECK_FALSE(bench.cache.contains(3, 0b0100));
  CHECK_FALSE(bench.cache.contains(2, 0b0001));
  CHECK(bench.cache.statistics().sectors_forwarded == 4);
}

TEST_CASE("a_dirty_victim_of_two_blocks_is_written_back_by_a_request_each") {
  struct Case {
    SectorMask even, odd;              // stored
    SectorMask even_dirty, odd_dirty;  // of 64 B
  };
  for (const Case& stored : {Case{0b0011, 0b1100, 0b0011, 0b1100}, Case{0b1111, 0, 0b1111, 0},
                             Case{0, 0b0001, 0, 0b0011}, Case{0b1000, 0b1111, 0b1100, 0b1111}}) {
    Bench bench(wide(write_back_spec()));
    if (stored.even != 0) bench.alone(0, stored.even, Operation::store);
    if (stored.odd != 0) bench.alone(1, stored.odd, Operation::store);
    CHECK(bench.below.requests.empty());
    const std::uint64_t a_way = 2 * bench.cache.spec().sets();
    bench.alone(a_way);
    bench.alone(2 * a_way);  // line 0 is evicted
    std::vector<Memory::Request> back;
    for (const Memory::Request& request : bench.below.requests)
      if (request.operation == Operation::writeback) back.push_back(request);
    std::size_t at = 0;
    const auto written = [&](std::uint64_t block, SectorMask dirty) {
      if (dirty == 0) return;
      REQUIRE(at < back.size());
      CHECK(back[at].block == block);
      CHECK(back[at].sectors == dirty);
      ++at;
    };
    written(0, stored.even_dirty);
    written(1, stored.odd_dirty);
    CHECK(at == back.size());
    CHECK(bench.cache.statistics().writebacks == back.size());
    CHECK(bench.cache.statistics().evictions == 1);
    CHECK(drained(bench.cache));
  }
}

TEST_CASE("both_blocks_of_a_dirty_victim_wait_for_two_places_of_the_write_back_buffer") {
  CacheSpec spec = wide(write_back_spec());
  spec.writeback_buffer = 3;
  Bench bench(spec);
  for (const std::uint64_t block : {0U, 1U, 2U, 3U}) bench.alone(block, memory::all_sectors, Operation::store);
  const std::uint64_t a_way = 2 * spec.sets();
  bench.alone(a_way);
  bench.alone(a_way + 2);
  bench.below.silent = true;
  bench.send(2 * a_way, bench.simulation.now());
  bench.send(2 * a_way + 2, bench.simulation.now());
  bench.run();
  // There is an entry for only one of the two blocks of the second line, so neither is written
  // back and the fetch waits.
  CHECK(bench.cache.in_flight().write_backs == 2);
  CHECK(bench.cache.in_flight().waiting == 1);
  bench.below.silent = false;
  while (!bench.below.kept.empty()) bench.below.let_go();
  bench.run();
  CHECK(bench.cache.statistics().writebacks == 4);
  CHECK(drained(bench.cache));
}

TEST_CASE("flushing_lines_of_two_blocks_writes_every_dirty_sector_once") {
  CacheSpec spec = wide(write_back_spec());
  spec.writeback_buffer = 2;
  Bench bench(spec);
  const std::uint64_t blocks = spec.size.value / 128;
  for (std::uint64_t block = 0; block < blocks; ++block)
    bench.alone(block, block % 3 == 0 ? SectorMask{0b0011} : memory::all_sectors, Operation::store);
  bench.cache.write_back_all();
  bench.run();
  std::vector<SectorMask> written(blocks, 0);
  for (const Memory::Request& request : bench.below.requests) {
    REQUIRE(request.block < blocks);
    CHECK((written[request.block] & request.sectors) == 0);
    written[request.block] = joined(written[request.block], request.sectors);
  }
  for (std::uint64_t block = 0; block < blocks; ++block)
    CHECK(written[block] == (block % 3 == 0 ? SectorMask{0b0011} : memory::all_sectors));
  CHECK(bench.cache.statistics().lines_flushed == blocks / 2);
}

TEST_CASE("evictions_of_lines_of_two_blocks_are_reported_by_block") {
  Bench bench(wide());
  std::vector<std::pair<std::uint64_t, SectorMask>> gone;
  bench.cache.on_eviction([](void* self, std::uint64_t block,
                             SectorMask valid) { static_cast<decltype(gone)*>(self)->emplace_back(block, valid); },
                          &gone);
  bench.alone(0, 0b0001);
  bench.alone(1, 0b1111);
  const std::uint64_t a_way = 2 * bench.cache.spec().sets();
  bench.alone(a_way);
  bench.alone(2 * a_way);
  CHECK(gone == decltype(gone){{0, 0b0011}, {1, 0b1111}});
}
