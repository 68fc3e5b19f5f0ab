// SPDX-License-Identifier: Apache-2.0
// Which line of a set loses its data in a pool: the choice of every policy of the table.
#include <set>
#include <string>

#include "base/random.hpp"
#include "cache/tags/pooled_tag_array.hpp"
#include "cache_bench.hpp"
#include "catch.hpp"
#include "replacement/table.hpp"
#include "sets_of_lines.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::cache::test;

namespace {

constexpr std::uint32_t ways = 4;
/// 32 sets of 4 ways, so 128 tags, with fewer data lines.
DataPoolSpec small_pool() { return {32}; }

NaturalIndex index_of_pool() {
  CacheSpec spec = small_spec();
  spec.data_pool = small_pool();
  spec.size = Bytes{100 * 128};
  return NaturalIndex(spec);
}

template <class Tags>
Access touch(Tags& tags, const NaturalIndex& index, LineNumber line) {
  return tags.access(index(line), line, 0b0001, Kind::read);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& row : replacement::ReplacementTable::rows()) all.emplace_back(row.name);
  return all;
}

}  // namespace

TEST_CASE("lru_by_order_of_use_is_lru_by_name_in_a_pool") {
  const NaturalIndex index = index_of_pool();
  for (const std::uint64_t data_lines : {3U, 40U, 100U}) {
    CAPTURE(data_lines);
    PooledTagArray by_order(small_pool(), ways, data_lines);
    PooledTagsByName by_name(small_pool(), ways, data_lines, 0, "lru");
    RandomSequence random(data_lines);
    std::set<LineNumber> held;
    unsigned evictions = 0;
    for (int i = 0; i < 20'000; ++i) {
      const LineNumber line = random.below(200);
      const std::uint64_t set = index(line);
      const std::uint64_t what = random.below(20);
      if (what == 0 && by_order.find(set, line) != no_way && !held.contains(line)) {
        by_order.remove(set, by_order.find(set, line));
        by_name.remove(set, by_name.find(set, line));
        continue;
      }
      if (what == 1 && !held.empty()) {
        const LineNumber first = *held.begin();
        by_order.release(index(first), by_order.find(index(first), first));
        by_name.release(index(first), by_name.find(index(first), first));
        held.erase(held.begin());
        continue;
      }
      const Access a = touch(by_order, index, line);
      const Access b = touch(by_name, index, line);
      REQUIRE(a.present == b.present);
      REQUIRE(a.evicted == b.evicted);
      REQUIRE((!a.evicted || a.victim.line == b.victim.line));
      REQUIRE(by_order.next_set() == by_name.next_set());
      evictions += a.evicted ? 1 : 0;
      if (what == 2 && a.way != no_way && held.size() < 2) {
        by_order.hold(set, a.way);
        by_name.hold(set, b.way);
        held.insert(line);
      }
    }
    CHECK(evictions > 1000);
  }
}

TEST_CASE("no_policy_exceeds_a_pool_or_evicts_a_line_that_a_fetch_holds") {
  const NaturalIndex index = index_of_pool();
  const std::string name = GENERATE_REF(from_range(names()));
  CAPTURE(name);
  const std::uint64_t data_lines = 50;
  PooledTagsByName tags(small_pool(), ways, data_lines, 7, name);
  const LineNumber kept = 3;
  tags.hold(index(kept), touch(tags, index, kept).way);
  RandomSequence random(4);
  std::set<LineNumber> present{kept};
  for (int i = 0; i < 5000; ++i) {
    const LineNumber line = random.below(200);
    const Access done = touch(tags, index, line);
    REQUIRE(done.present == present.contains(line));
    if (done.evicted) REQUIRE(present.erase(done.victim.line) == 1);
    if (done.way != no_way) present.insert(line);
    REQUIRE(present.contains(kept));
    REQUIRE(present.size() == tags.used());
    REQUIRE(tags.used() <= data_lines);
  }
  CHECK(tags.used() == data_lines);
}

TEST_CASE("policies_differ_in_the_line_of_a_set_that_loses_its_data") {
  // Set 0 has all its tags in use, and its first line was used last; then a line of set 1 needs data.
  const NaturalIndex index = index_of_pool();
  const auto victim = [&](std::string_view name, bool used_again) {
    PooledTagsByName tags(small_pool(), ways, ways, 1, name);
    for (std::uint64_t n = 0; n < ways; ++n) touch(tags, index, line_of_set(index, 0, n));
    if (used_again) touch(tags, index, line_of_set(index, 0, 0));
    const Access done = touch(tags, index, line_of_set(index, 1, 0));
    REQUIRE(done.evicted);
    CHECK(index(done.victim.line) == 0);
    return done.victim.line;
  };
  for (const std::string& name : names()) {
    CAPTURE(name);
    // drrip inserts into some sets so that a new line is evicted first.
    if (name != "random" && name != "tree_plru" && name != "drrip")
      CHECK(victim(name, false) == line_of_set(index, 0, 0));
    if (name != "random") CHECK((victim(name, true) == line_of_set(index, 0, 0)) == (name == "fifo"));
  }
}
