// SPDX-License-Identifier: Apache-2.0
// Compressed lines: sizes by each policy of the table, and the lines that a set holds.
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "cache_bench.hpp"
#include "catch.hpp"
#include "config/yaml/parse.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

template <class... Policy>
using Each = std::tuple<Policy...>;

/// 4 sets of 4 ways, so 16 lines of data.
CacheSpec with(CacheSpec spec, std::string_view compression, std::uint64_t tag_ways, std::uint64_t sectors = 2) {
  spec.compression = compression;
  spec.tag_ways = tag_ways;
  spec.compressed_sectors = sectors;
  return spec;
}

/// Loads one line after the other; the misses of the last pass of three.
std::uint64_t misses_of_a_pass(const CacheSpec& spec, std::uint64_t lines) {
  Bench bench(spec);
  std::uint64_t before = 0;
  for (unsigned pass = 0; pass < 3; ++pass) {
    before = bench.cache.statistics().misses;
    for (std::uint64_t line = 0; line < lines; ++line) bench.alone(line);
  }
  return bench.cache.statistics().misses - before;
}

const CompressedTags& tags_of(const Cache& cache) { return std::get<CompressedTags>(cache.tags()); }

/// Lines of set 0 (of 4) that take this number of sectors.
std::vector<LineNumber> lines_of_size(const CompressedTags& tags, unsigned sectors, std::size_t count) {
  std::vector<LineNumber> lines;
  for (LineNumber line = 0; lines.size() < count; line += 4)
    if (tags.sectors_of(line) == sectors) lines.push_back(line);
  return lines;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("compression_contract: a line takes a sector at least and its size at most, always the same",
                        "", CompressionTable::into<Each>) {
  for (const unsigned line_sectors : {1U, 2U, 4U})
    for (const std::uint64_t seed : {1U, 2U}) {
      const TestType policy(CompressionShape{line_sectors, 2, seed});
      const TestType again(CompressionShape{line_sectors, 2, seed});
      for (LineNumber line = 0; line < 1000; ++line) {
        REQUIRE(policy.sectors(line) >= 1);
        REQUIRE(policy.sectors(line) <= line_sectors);
        REQUIRE(policy.sectors(line) == again.sectors(line));
      }
    }
}

TEMPLATE_LIST_TEST_CASE("compression_contract: all is answered, no set exceeds its data, a run repeats", "",
                        CompressionTable::into<Each>) {
  for (const bool keeps_stores : {false, true}) {
    CAPTURE(keeps_stores);
    const auto run = [&] {
      CacheSpec spec = with(keeps_stores ? write_back_spec() : small_spec(), TestType::name, 3);
      spec.write_allocate = WriteAllocate::sector;
      spec.streaming = !keeps_stores;
      spec.writeback_buffer = 2;
      spec.mshrs = 6;
      Bench bench(spec);
      for (std::uint64_t i = 0; i < 3000; ++i)
        bench.send(mix(5, i) % 200, Time{} + Duration{20} * static_cast<std::int64_t>(i), memory::all_sectors,
                   i % 3 == 0 ? Operation::store : Operation::load);
      bench.run();
      const CompressedTags& tags = tags_of(bench.cache);
      for (std::uint64_t set = 0; set < tags.sets(); ++set) CHECK(tags.sectors_used(set) <= 4 * 4);
      CHECK(drained(bench.cache));
      CHECK(bench.cache.statistics().requests == 3000);
      std::vector<std::uint64_t> blocks;
      for (const auto& request : bench.below.requests) blocks.push_back(request.block);
      return blocks;
    };
    CHECK(run() == run());
  }
}

TEST_CASE("ratio_multiplies_the_capacity_as_far_as_there_are_tags") {
  // 16 lines of data; at 2 of 4 sectors 32 lines, at 1 of 4 as many as there are tags.
  const auto capacity = [](std::uint64_t tag_ways, std::uint64_t sectors) {
    const CacheSpec spec = with(small_spec(), "ratio", tag_ways, sectors);
    std::uint64_t lines = 4;
    while (misses_of_a_pass(spec, lines + 4) == 0) lines += 4;
    // With one more line in each set, all accesses miss under lru.
    CHECK(misses_of_a_pass(spec, lines + 4) == lines + 4);
    return lines;
  };
  CHECK(capacity(2, 2) == 32);
  CHECK(capacity(4, 2) == 32);
  CHECK(capacity(2, 1) == 32);
  CHECK(capacity(4, 1) == 64);
  CHECK(capacity(2, 3) == 4 * (16 / 3));
  CHECK(capacity(2, 4) == 16);
}

TEST_CASE("lines_that_do_not_compress_are_those_of_a_plain_cache") {
  Bench plain(small_spec());
  Bench compressed(with(small_spec(), "ratio", 3, 4));
  RandomSequence random(3);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t block = random.below(40);
    REQUIRE(plain.alone(block) == compressed.alone(block));
  }
  CHECK(plain.cache.statistics().evictions == compressed.cache.statistics().evictions);
  CHECK(plain.cache.statistics().evictions > 500);
}

TEST_CASE("bdi_like_draws_each_size_with_its_stated_frequency") {
  const BdiLike policy(CompressionShape{4, 0, 1});
  std::array<double, 5> share{};
  const LineNumber lines = 80'000;
  double sectors = 0;
  for (LineNumber line = 0; line < lines; ++line) {
    share[policy.sectors(line)] += 1.0 / static_cast<double>(lines);
    sectors += policy.sectors(line);
  }
  CHECK(share[1] == Approx(2.0 / 8).margin(0.01));
  CHECK(share[2] == Approx(2.0 / 8).margin(0.01));
  CHECK(share[3] == Approx(1.0 / 8).margin(0.01));
  CHECK(share[4] == Approx(3.0 / 8).margin(0.01));
  CHECK(4 * static_cast<double>(lines) / sectors == Approx(32.0 / 21).epsilon(0.01));
  THEN("another seed gives other lines another size") {
    const BdiLike other(CompressionShape{4, 0, 2});
    unsigned same = 0;
    for (LineNumber line = 0; line < lines; ++line) same += policy.sectors(line) == other.sectors(line) ? 1 : 0;
    // The sum of the squares of the shares.
    CHECK(same / static_cast<double>(lines) == Approx((4 + 4 + 1 + 9) / 64.0).margin(0.01));
  }
}

TEST_CASE("a_full_set_wastes_less_than_a_line") {
  Bench bench(with(small_spec(), "bdi_like", 4));
  RandomSequence random(8);
  for (int i = 0; i < 4000; ++i) {
    bench.alone(random.below(400));
    if (i < 400) continue;
    for (std::uint64_t set = 0; set < 4; ++set) {
      // The last line that was evicted for another took 4 sectors at most.
      REQUIRE(tags_of(bench.cache).sectors_used(set) > 4 * 4 - 4);
      REQUIRE(tags_of(bench.cache).sectors_used(set) <= 4 * 4);
    }
  }
}

TEST_CASE("a_large_line_evicts_several_small_ones_and_writes_them_back") {
  CacheSpec spec = with(write_back_spec(), "bdi_like", 4);
  spec.size = Bytes{4 * 128};
  spec.ways = 1;
  spec.writeback_buffer = GENERATE(1U, 2U, 16U);
  CAPTURE(spec.writeback_buffer);
  Bench bench(spec);
  const auto small = lines_of_size(tags_of(bench.cache), 1, 4);
  const auto large = lines_of_size(tags_of(bench.cache), 4, 2);
  for (const LineNumber line : small) bench.alone(line, memory::all_sectors, Operation::store);
  for (const LineNumber line : small) CHECK(bench.cache.contains(line, memory::all_sectors));
  CHECK(bench.cache.statistics().evictions == 0);
  bench.alone(large[0]);
  CHECK(bench.cache.statistics().evictions == 4);
  CHECK(bench.below.count(Operation::writeback) == 4);
  for (const LineNumber line : small) CHECK_FALSE(bench.cache.contains(line, memory::all_sectors));
  bench.alone(large[1], memory::all_sectors, Operation::store);
  CHECK(bench.cache.statistics().evictions == 5);
  CHECK(drained(bench.cache));
}

TEST_CASE("decompression_adds_to_hits_alone") {
  Bench plain(write_back_spec());
  CacheSpec spec = with(write_back_spec(), "ratio", 2);
  spec.decompression_latency = 7_clk;
  Bench bench(spec);
  CHECK(bench.alone(1) == plain.alone(1));  // a miss: its data come uncompressed
  CHECK(bench.alone(1) == plain.alone(1) + Bench::cycle * 7);
  CHECK(bench.alone(2, memory::all_sectors, Operation::store) == plain.alone(2, memory::all_sectors, Operation::store));
  spec.compression = "none";
  Bench off(spec);
  off.alone(1);
  CHECK(off.alone(1) == plain.alone(1));
}

TEST_CASE("every_compression_of_the_table_is_a_name_of_the_configuration") {
  const auto bound = [](const std::string& more) {
    std::vector<Diagnostic> diagnostics;
    const auto spec = config::bind_spec<CacheSpec>(
        config::parse("name: L2\nsize: 640 KiB\nways: 20\nhit_latency: 30 clk\ndata_width: 64 B/clk\n" + more,
                      "cache.yaml"),
        diagnostics);
    return diagnostics.empty() ? spec.compression : diagnostics[0].message;
  };
  CHECK(bound("") == "none");
  for (const auto& row : CompressionTable::rows())
    CHECK(bound("compression: " + std::string(row.name) + "\n") == row.name);
  CHECK(bound("compression: zip\n").find("'compression' must be one of none, ratio, bdi_like") == 0);
  CHECK(bound("compression: ratio\ndata_pool: {tag_sets: 512}\n")
            .find("'compression' cannot be combined with 'data_pool'") == 0);
}
