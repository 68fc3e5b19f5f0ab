// SPDX-License-Identifier: Apache-2.0
// A cache that cannot carry what passes it says so, and with how many lines it would: loads at random
// addresses fill some set with lines under way before they fill the cache.
#include "machine/checks/cache_shortages.hpp"

#include <charconv>
#include <string>
#include <vector>

#include "catch.hpp"
#include "tiny_machine.hpp"

using namespace strata;
using namespace strata::machine;

namespace {

// What is said of a memory-side cache of that many lines of 4 ways; empty: nothing.
std::string said(std::uint64_t lines) {
  MachineSpec spec = test::chiplets();
  spec.memory_side_cache->cache.size = Bytes{lines * 128};
  spec.memory_side_cache->cache.data_width = BytesPerClock{1024};
  spec.memory_side_cache->cache.mshrs = 512;
  for (const std::string& words : cache_shortages(spec))
    if (words.starts_with("MALL: ")) return words;
  return {};
}

}  // namespace

TEST_CASE("a_cache_that_is_too_small_to_carry_its_traffic_names_the_size_that_is_not") {
  // 4 sets of 4 ways: a mean of m a set, whose fullest holds m + sqrt(2 m ln 4) = 4, is 1.777; 4 of those are 7.1.
  const std::string small = said(16);
  CHECK(small.starts_with("MALL: 7 lines of 128 B under way, "));
  const std::string before = ": memory_side_cache.cache.size for ";
  const std::size_t at = small.find(before);
  REQUIRE(at != std::string::npos);
  std::uint64_t enough = 0;
  std::from_chars(small.data() + at + before.size(), small.data() + small.size(), enough);
  REQUIRE(enough > 16);
  CHECK(said(enough).empty());
  CHECK_FALSE(said(enough / 4).empty());
}

TEST_CASE("one_set_holds_as_many_lines_under_way_as_it_has_ways") {
  CHECK(said(4).starts_with("MALL: 4 lines of 128 B under way, "));
}
