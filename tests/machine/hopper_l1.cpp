// SPDX-License-Identifier: Apache-2.0
// The L1 of Hopper as evictions on an H200 show it (docs/notes/l1-knee.md): the sets of lines, and what a ring
// of more lines than it holds misses.
#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "cache/sets_of_lines.hpp"
#include "cache/tags/pooled_tag_array.hpp"
#include "catch.hpp"
#include "sampling.hpp"

using namespace strata;
using namespace strata::cache;
using strata::cache::test::crowded;

namespace {

constexpr std::uint32_t ways = 4;

CacheSpec hopper_l1() { return strata::test::spec_of("h200").l1.chosen(); }

}  // namespace

TEST_CASE("the_sets_of_a_hopper_l1_are_those_that_were_measured") {
  const CacheSpec spec = hopper_l1();
  REQUIRE(spec.data_pool->hashed());
  const NaturalIndex index(spec);
  // At strides of a power of two, and wherever a footprint begins, as many lines as the L1 has tags or data.
  for (std::uint64_t stride = 1; stride <= 1U << 17U; stride *= 2) CHECK(crowded(index, 0, stride, 2048) == 0);
  for (std::uint64_t first = 0; first < 4096; first += 256) CHECK(crowded(index, first, 1, 1728) == 0);
  // First misses at 33 and 513 lines apart.
  CHECK(crowded(index, 0, 33, 512) == 0);
  CHECK(crowded(index, 0, 33, 768) > 0);
  CHECK(crowded(index, 0, 513, 1024) == 0);
  CHECK(crowded(index, 0, 513, 1280) > 0);
  // Lines that were seen to evict each other in the first 2 MiB, and others that do not.
  for (const LineNumber line : {15728U, 3072U, 15130U, 13943U}) CHECK(index(line) == index(11848));
  for (const LineNumber line : {4742U, 4343U, 13525U, 12991U}) CHECK(index(line) == index(8583));
  CHECK(index(11848) != index(8583));
}

TEST_CASE("more_sets_than_a_hopper_l1_has_are_not_hashed_as_its_own") {
  CacheSpec spec = hopper_l1();
  spec.data_pool->tag_sets = 1024;
  CHECK_FALSE(spec.data_pool->hashed());
  CHECK(NaturalIndex(spec)(512) == 512);
}

// In each round one line of each set misses, or two, and all of a set of five: so it is on an H200 with 1864 lines of
// data, beside 16 KiB of shared memory.
TEST_CASE("a_ring_larger_than_a_hopper_l1_misses_as_often_as_was_measured") {
  const CacheSpec spec = hopper_l1();
  const NaturalIndex index(spec);
  const auto misses = [&](std::uint64_t lines, bool shuffled) {
    PooledTagArray tags(*spec.data_pool, ways, 1864);
    std::vector<LineNumber> ring(lines);
    std::iota(ring.begin(), ring.end(), 0);
    RandomSequence random(3);
    for (std::uint64_t i = lines; shuffled && i > 1; --i) std::swap(ring[i - 1], ring[random.below(i)]);
    std::uint64_t missed = 0;
    for (int round = 0; round < 12; ++round) {
      missed = 0;
      for (const LineNumber line : ring) missed += tags.access(index(line), line, 1, Kind::write_clean).present ? 0 : 1;
    }
    return missed;
  };
  CHECK(misses(1864, true) == 0);
  CHECK(misses(1984, true) == 512);
  CHECK(misses(2048, true) == 512);
  CHECK(misses(2176, true) == 1024);  // 128 sets of five lines, and one of each other set
  CHECK(misses(1984, false) == 512);
  CHECK(misses(2048, false) == 1024);
  CHECK(misses(2176, false) == 1408);
  CHECK(misses(2304, false) == 1792);
}
