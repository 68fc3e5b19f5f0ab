// SPDX-License-Identifier: Apache-2.0
// Untimed and timed accesses leave the same tags, word by word.
#include <algorithm>
#include <cstring>

#include "cache_bench.hpp"
#include "catch.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

std::vector<std::uint64_t> words(const Cache& cache) {
  return std::visit(
      [](const auto& tags) {
        std::vector<std::uint64_t> all(tags.words().data(), tags.words().data() + tags.words().size());
        if constexpr (requires { tags.next_set(); }) all.insert(all.end(), {tags.used(), tags.next_set()});
        return all;
      },
      cache.tags());
}

void compare(CacheSpec spec) {
  CAPTURE(spec.replacement, spec.write_policy == WritePolicy::write_back);
  Bench timed(spec);
  Bench free(spec);
  RandomSequence random(23);
  std::vector<Memory::Request> below;
  const Operation operations[] = {Operation::load, Operation::load, Operation::store, Operation::atomic};
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t block = random.below(48);
    const auto sectors = static_cast<SectorMask>(1 + random.below(15));
    const Operation operation = operations[random.below(4)];
    const auto cache_operator = random.below(8) == 0 ? memory::CacheOperator::cg : memory::CacheOperator::ca;
    timed.send(block, timed.simulation.now(), sectors, operation).cache_operator = cache_operator;
    timed.run();
    const TouchRequest request{block, sectors, operation, cache_operator, 0};
    std::vector<Memory::Request> left;
    pass_on(request, free.cache.touch(request),
            [&left](const TouchRequest& asked) { left.push_back({asked.block, asked.sectors, asked.operation, {}}); });
    // Dirty sectors of a line are written back before an atomic to it, and after a fetch that
    // evicts it.
    std::stable_partition(left.begin(), left.end(),
                          [](const Memory::Request& asked) { return asked.operation != Operation::atomic; });
    below.insert(below.end(), left.begin(), left.end());
    if (i % 100 == 0) REQUIRE(words(timed.cache) == words(free.cache));
  }
  REQUIRE(words(timed.cache) == words(free.cache));
  REQUIRE(below.size() == timed.below.requests.size());
  for (std::size_t i = 0; i < below.size(); ++i) {
    CHECK(below[i].block == timed.below.requests[i].block);
    CHECK(below[i].sectors == timed.below.requests[i].sectors);
    CHECK(below[i].operation == timed.below.requests[i].operation);
  }
}

/// The same capacity in lines of two blocks.
CacheSpec widened(CacheSpec spec, Bytes sector) {
  spec.ways = 2;
  spec.line = 256_B;
  spec.sector = spec.fill_granularity = sector;
  return spec;
}

}  // namespace

TEST_CASE("warming_without_time_leaves_the_tags_that_a_timed_run_leaves") {
  for (const auto& row : replacement::ReplacementTable::rows()) {
    CacheSpec through = small_spec();
    through.replacement = std::string(row.name);
    through.fill_granularity = 64_B;
    through.bypass_cg = true;
    compare(through);
    through.write_allocate = WriteAllocate::sector;
    compare(through);
    CacheSpec back = write_back_spec();
    back.replacement = std::string(row.name);
    back.performs_atomics = true;
    compare(back);
  }
}

TEST_CASE("warming_without_time_evicts_the_compressed_lines_that_a_timed_run_evicts") {
  for (const auto& row : replacement::ReplacementTable::rows())
    for (const auto& compression : CompressionTable::rows()) {
      CacheSpec back = write_back_spec();
      back.replacement = std::string(row.name);
      back.compression = std::string(compression.name);
      back.tag_ways = 3;
      back.performs_atomics = true;
      compare(back);
      CacheSpec through = small_spec();
      through.replacement = back.replacement;
      through.compression = back.compression;
      through.write_allocate = WriteAllocate::sector;
      compare(through);
    }
}

TEST_CASE("warming_without_time_cleans_the_lines_that_a_timed_run_cleans") {
  for (const std::uint64_t most : {1U, 2U}) {
    CacheSpec back = write_back_spec();
    back.dirty_ways = most;
    compare(back);
    compare(widened(back, 64_B));
  }
}

TEST_CASE("warming_lines_of_two_blocks_without_time_leaves_what_a_timed_run_leaves") {
  for (const auto& row : replacement::ReplacementTable::rows())
    for (const Bytes sector : {64_B, 128_B}) {
      CacheSpec through = widened(small_spec(), sector);
      through.replacement = std::string(row.name);
      through.bypass_cg = true;
      compare(through);
      through.write_allocate = WriteAllocate::sector;
      compare(through);
      through.data_pool = DataPoolSpec{8};  // 16 tags
      through.size = Bytes{9 * 256};
      compare(through);
      CacheSpec back = widened(write_back_spec(), sector);
      back.replacement = through.replacement;
      compare(back);
      back.performs_atomics = true;
      compare(back);
    }
}

TEST_CASE("warming_a_pool_without_time_leaves_what_a_timed_run_leaves") {
  const auto rows = replacement::ReplacementTable::rows();
  const std::size_t row = GENERATE(range(std::size_t{0}, replacement::ReplacementTable::rows().size()));
  CacheSpec pooled = small_spec();
  pooled.replacement = std::string(rows[row].name);
  pooled.data_pool = DataPoolSpec{8};  // 32 tags
  pooled.size = Bytes{19 * 128};
  pooled.write_allocate = WriteAllocate::sector;
  pooled.bypass_cg = true;
  compare(pooled);
  CacheSpec back = write_back_spec();
  back.replacement = pooled.replacement;
  back.data_pool = DataPoolSpec{8};
  back.size = Bytes{13 * 128};
  back.performs_atomics = true;
  compare(back);
}
