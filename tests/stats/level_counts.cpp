// SPDX-License-Identifier: Apache-2.0
// Sums and differences of what a level counted cover each counter, one added later included.
#include "catch.hpp"

#include "stats/level_counts.hpp"

using namespace strata;

namespace {

stats::LevelCounts counted(std::uint64_t first) {
  stats::LevelCounts counts;
  boost::pfr::for_each_field(counts, [&](std::uint64_t& counter) { counter = first++; });
  return counts;
}

std::vector<std::uint64_t> counters(const stats::LevelCounts& counts) {
  std::vector<std::uint64_t> all;
  boost::pfr::for_each_field(counts, [&](std::uint64_t counter) { all.push_back(counter); });
  return all;
}

}  // namespace

TEST_CASE("each_counter_of_a_level_takes_part_in_sums_and_differences", "[stats]") {
  const stats::LevelCounts before = counted(10);
  stats::LevelCounts after = before;
  after += counted(100);
  const std::vector<std::uint64_t> sum = counters(after);
  REQUIRE(sum.size() == sizeof after / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < sum.size(); ++i) CHECK(sum[i] == 110 + 2 * i);
  CHECK(counters(after - before) == counters(counted(100)));
  const std::vector<std::uint64_t> more = counters(stats::repeated(before, counted(4), 2.5));
  for (std::size_t i = 0; i < more.size(); ++i)
    CHECK(more[i] == 10 + i + static_cast<std::uint64_t>(std::llround(2.5 * static_cast<double>(4 + i))));
}
