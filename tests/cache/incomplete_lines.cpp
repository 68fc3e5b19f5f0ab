// SPDX-License-Identifier: Apache-2.0
// Partly written sectors: words are merged, and data are fetched from the next level.
#include "cache/misses/incomplete_lines.hpp"

#include "base/random.hpp"
#include "cache_bench.hpp"
#include "catch.hpp"
#include "masked_stores.hpp"
#include "stream.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;
using memory::WordMask;

TEST_CASE("a_mask_of_words_gives_the_sectors_that_are_whole") {
  CHECK(memory::words_of(0b0101) == 0x00FF'00FFU);
  for (unsigned sectors = 0; sectors < 16; ++sectors) {
    const auto mask = static_cast<SectorMask>(sectors);
    CHECK(memory::whole_sectors(memory::words_of(mask)) == mask);
    // One word less, and its sector is not.
    for (unsigned bit = 0; bit < 32; ++bit) {
      const auto left = static_cast<SectorMask>(mask & ~(1U << bit / 8));
      CHECK(memory::whole_sectors(memory::words_of(mask) & ~(WordMask{1} << bit)) == left);
    }
  }
  Transaction store;
  store.operation = Operation::store;
  store.wanted = 0b0011;
  CHECK_FALSE(store.masked());
  store.words = memory::words_of(0b0011);
  CHECK_FALSE(store.masked());
  store.words = memory::words_of(0b0001) | word(1, 3);
  CHECK(store.masked());
  CHECK(store.covered() == 0b0001);
}

TEST_CASE("words_gather_until_their_sector_is_whole") {
  MaskBench bench(masking(4));
  for (unsigned w = 0; w < 8; ++w) {
    CHECK_FALSE(bench.cache.contains(1, 0b0010));
    bench.store(1, word(1, w));
  }
  CHECK(bench.cache.contains(1, 0b0010));
  CHECK(bench.below.requests.empty());
  // For seven of the eight it was not valid, and also for the last.
  CHECK(bench.cache.statistics().sectors_masked == 8);
  // It is dirty: it is written back when its line is evicted, without a fetch.
  for (std::uint64_t block = 5; block <= 17; block += 4) bench.alone(block);
  REQUIRE(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.requests.back().block == 1);
  CHECK(bench.below.requests.back().sectors == 0b0010);
  CHECK(bench.below.count(Operation::load) == 4);
}

TEST_CASE("a_load_of_a_sector_written_in_part_fetches_it_and_leaves_it_dirty") {
  MaskBench bench(masking(4));
  bench.store(1, word(0, 0));
  bench.alone(1, 0b0001);
  REQUIRE(bench.below.requests.size() == 1);
  CHECK(bench.below.requests[0].operation == Operation::load);
  CHECK(bench.cache.contains(1, 0b0001));
  CHECK(bench.cache.statistics().misses == 1);
  bench.alone(1, 0b0001);
  CHECK(bench.cache.statistics().hits == 1);
  for (std::uint64_t block = 5; block <= 17; block += 4) bench.alone(block);
  REQUIRE(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.requests.back().sectors == 0b0001);
}

TEST_CASE("a_store_to_a_valid_sector_needs_no_words") {
  MaskBench bench(masking(1));
  for (const std::uint64_t block : {1U, 2U, 3U}) {
    bench.alone(block);
    bench.store(block, word(2, 5));
  }
  CHECK(bench.cache.statistics().sectors_masked == 0);
  CHECK(bench.below.count(Operation::load) == 3);
}

TEST_CASE("for_one_line_too_many_the_one_written_to_least_recently_is_completed") {
  GIVEN("words of three lines, as many as there may be, the first written to again") {
    MaskBench bench(masking(3));
    bench.store(1, word(0, 0));
    bench.store(2, word(1, 0) | word(3, 0));
    bench.store(3, word(2, 0));
    bench.store(1, word(0, 1));
    REQUIRE(bench.below.requests.empty());
    WHEN("a fourth is written in part") {
      bench.store(8, word(0, 7));
      THEN("the second is fetched and goes back at once, with both its sectors") {
        REQUIRE(bench.below.requests.size() == 2);
        const Memory::Request& fetched = bench.below.requests[0];
        const Memory::Request& written = bench.below.requests[1];
        CHECK(fetched.operation == Operation::load);
        CHECK(written.operation == Operation::writeback);
        for (const Memory::Request& r : {fetched, written}) {
          CHECK(r.block == 2);
          CHECK(r.sectors == 0b1010);
        }
        CHECK(written.ready >= fetched.ready + bench.below.latency);
        CHECK(bench.cache.contains(2, 0b1010));
        CHECK(drained(bench.cache));
        AND_THEN("its sectors are whole: words written to them later wait for nothing") {
          bench.store(2, word(1, 4));
          CHECK(bench.below.requests.size() == 2);
        }
      }
    }
  }
}

TEST_CASE("a_line_that_goes_with_sectors_written_in_part_is_completed") {
  MaskBench bench(masking(4));
  bench.store(1, word(0, 0) | memory::words_of(0b0100));
  for (std::uint64_t block = 5; block <= 17; block += 4) bench.alone(block, 0b0001);
  // Four fetches of the others, one of the sector in part, and all that is dirty back.
  CHECK(bench.below.count(Operation::load) == 5);
  REQUIRE(bench.below.count(Operation::writeback) == 1);
  CHECK(bench.below.requests.back().block == 1);
  CHECK(bench.below.requests.back().sectors == 0b0101);
  CHECK(drained(bench.cache));
}

TEST_CASE("completions_hold_an_mshr_each_until_they_are_written_back") {
  CacheSpec spec = masking(1);
  spec.mshrs = 4;
  MaskBench bench(spec);
  bench.below.silent = true;
  const auto put = [&](std::uint64_t block) {
    bench.send(block, bench.simulation.now(), 0b0001, Operation::store).words = word(0, 0);
  };
  for (std::uint64_t block = 0; block < 7; ++block) put(block);
  bench.run();
  // One line keeps its words, four are being completed, the next one waits.
  CHECK(bench.cache.in_flight().mshrs == 4);
  CHECK(bench.answers.size() == 5);
  CHECK(bench.cache.statistics().stalls_mshr_full == 1);
  bench.below.let_go();  // its data: now it is written back
  bench.run();
  CHECK(bench.answers.size() == 5);
  std::swap(bench.below.kept.front(), bench.below.kept.back());
  REQUIRE(bench.below.kept.front()->operation == Operation::writeback);
  bench.below.let_go();
  bench.run();
  CHECK(bench.answers.size() == 6);
  while (!bench.below.kept.empty()) {
    bench.below.let_go();
    bench.run();
  }
  CHECK(bench.answers.size() == 7);
  CHECK(drained(bench.cache));
}

TEST_CASE("a_store_to_a_line_that_is_being_completed_waits_for_its_data") {
  MaskBench bench(masking(1));
  bench.below.silent = true;
  bench.store(1, word(0, 0));
  bench.store(2, word(0, 0));
  REQUIRE(bench.below.kept.size() == 1);  // the first is fetched
  bench.store(1, word(0, 1));
  bench.store(2, word(0, 1));
  CHECK(bench.answers.size() == 2);
  CHECK(bench.cache.statistics().stalls_being_completed == 1);
  bench.below.let_go();
  bench.run();
  CHECK(bench.answers.size() == 4);
  CHECK(bench.order() == std::vector<std::uint64_t>{1, 2, 1, 2});
}

TEST_CASE("a_cache_that_passes_stores_on_keeps_whole_sectors_alone") {
  CacheSpec spec = small_spec();
  spec.write_allocate = WriteAllocate::sector;
  MaskBench bench(spec);
  bench.store(1, word(0, 3));
  CHECK_FALSE(bench.cache.contains(1, 0b0001));
  CHECK(bench.cache.statistics().evictions == 0);
  bench.store(1, memory::words_of(0b0010) | word(0, 3));
  CHECK(bench.cache.contains(1, 0b0010));
  CHECK_FALSE(bench.cache.contains(1, 0b0001));
  CHECK(bench.below.count(Operation::store) == 2);
}

TEST_CASE("a_write_through_cache_with_word_masks_detects_whole_sectors") {
  CacheSpec spec = small_spec();
  spec.write_allocate = WriteAllocate::sector;
  spec.masked_lines = 0;
  MaskBench bench(spec);
  for (unsigned w = 0; w < 8; ++w) {
    CHECK(bench.cache.statistics().store_hits == (w == 0 ? 0 : w - 1));  // there from the first word on
    CHECK_FALSE(bench.cache.contains(1, 0b0010));
    bench.store(1, word(1, w));
  }
  CHECK(bench.cache.contains(1, 0b0010));
  CHECK(bench.below.count(Operation::store) == 8);
  // A load of a sector with one stored word fetches it, and no line is ever written back.
  bench.store(2, word(0, 0));
  bench.alone(2, 0b0001);
  CHECK(bench.below.count(Operation::load) == 1);
  CHECK(bench.cache.contains(2, 0b0001));
  bench.store(3, word(0, 0));
  for (std::uint64_t block = 5; block <= 25; ++block) bench.alone(block);
  CHECK(bench.below.count(Operation::writeback) == 0);
  CHECK(drained(bench.cache));
}

TEST_CASE("stores_of_any_words_neither_stop_nor_lose_a_sector") {
  for (const std::uint64_t lines : {0U, 1U, 7U, 40U}) {
    const bool stays = lines != 0;  // else it passes them on
    CacheSpec spec = masking(lines);
    spec.performs_atomics = stays;
    if (!stays) spec.write_policy = WritePolicy::write_through;
    if (lines == 7) spec.incomplete_lines = 20;
    spec.size = Bytes{64 * 128};
    spec.mshrs = 5;
    spec.merges_per_mshr = 2;
    spec.writeback_buffer = 3;
    spec.input_depth = 4;
    RandomSequence random(lines);
    std::uint64_t stored = 0;
    Stream stream(spec, Stream::cycle * 200, [&](std::uint64_t, Transaction& t) {
      t.block = random.below(lines == 7 ? 12 : 300);
      t.wanted = static_cast<SectorMask>(1 + random.below(15));
      t.operation = random.below(4) != 0   ? Operation::store
                    : random.below(5) == 0 ? Operation::atomic
                                           : Operation::load;
      t.words = static_cast<WordMask>(random.below(~WordMask{0})) |
                memory::words_of(static_cast<SectorMask>(random.below(16)));
      if (t.operation == Operation::store) stored += strata::cache::count(t.wanted);
    });
    stream.run(30'000, 100);
    const CacheStatistics s = stream.cache().statistics();
    CAPTURE(lines);
    CHECK(stream.answered() == 30'000);
    CHECK(drained(stream.cache()));
    CHECK(s.sectors_stored == stored);
    CHECK((s.sectors_masked > 0) == stays);
    CHECK((s.sectors_completed > 0) == (stays && lines != 7));
    CHECK((s.writebacks > 0) == (stays && lines != 7));
    CHECK(s.sectors_fetched == s.sectors_filled);
    CHECK(s.sectors_read_below() == stream.sectors_read_below);
    CHECK(s.sectors_stored_below() == stream.sectors_stored_below);
  }
}

TEST_CASE("the_table_drops_removed_entries_and_keeps_the_rest") {
  IncompleteLines table(3, 2);
  CHECK(table.keep(10, 0b0011, word(0, 0) | word(1, 1)) == 0);
  CHECK(table.masked(10) == 0b0011);
  CHECK(table.validate(10, 0b0001) == 0b0001);
  CHECK(table.masked(10) == 0b0010);
  CHECK(table.keep(11, 0b1000, word(3, 0)) == 0);
  // A third masked line needs the first of them gone, an unmasked one does not.
  REQUIRE(table.one_too_many(12, true) != nullptr);
  CHECK(*table.one_too_many(12, true) == 10);
  CHECK(table.one_too_many(11, true) == nullptr);
  CHECK(table.one_too_many(12, false) == nullptr);
  CHECK(table.keep(12, 0, 0) == 0);
  CHECK(*table.one_too_many(13, false) == 10);
  CHECK(table.keep(10, 0b0010, memory::words_of(0b0010)) == 0b0010);
  CHECK(table.masked(10) == 0);
  CHECK(table.holds(10));
  CHECK(*table.one_too_many(13, false) == 11);
  CHECK(table.forget(11) == 0b1000);
  CHECK(table.one_too_many(13, true) == nullptr);
  table.clear();
  CHECK(table.empty());
  CHECK_FALSE(table.holds(12));
}

TEST_CASE("a_sector_that_becomes_whole_during_a_fetch_serves_requests_for_both") {
  const WordMask half_a = 0x0F, other_half_a = 0xF0;  // of sector 0
  const auto both = [](MaskBench& bench) {
    bench.send(1, bench.simulation.now(), 0b0011);  // sector 0, whole by now, and 1, being fetched
    bench.run();
    while (!bench.below.kept.empty()) {
      bench.below.let_go();
      bench.run();
    }
    CHECK(bench.answers.size() == bench.transactions.size());
    CHECK(drained(bench.cache));
  };
  const auto fetch_b = [](MaskBench& bench) {
    bench.below.silent = true;
    bench.send(1, bench.simulation.now(), 0b0010);
    bench.run();
  };
  SECTION("its words have gathered") {
    MaskBench bench(masking(4));
    bench.store(1, half_a);
    fetch_b(bench);
    bench.store(1, other_half_a);
    both(bench);
  }
  SECTION("its words have been merged although stores are forwarded") {
    CacheSpec spec = small_spec();
    spec.write_allocate = WriteAllocate::sector;
    spec.masked_lines = 0;
    MaskBench bench(spec);
    bench.store(1, half_a);
    fetch_b(bench);
    bench.send(1, bench.simulation.now(), 0b0001, Operation::store).words = other_half_a;
    bench.run();
    both(bench);
  }
  SECTION("it would be completed") {
    MaskBench bench(masking(1));
    bench.store(1, half_a);
    fetch_b(bench);
    bench.send(2, bench.simulation.now(), 0b0001, Operation::store).words = half_a;
    bench.run();
    CHECK(bench.below.count(Operation::load) == 1);  // not while a fetch of a load is pending
    both(bench);
  }
}
