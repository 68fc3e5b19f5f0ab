// SPDX-License-Identifier: Apache-2.0
// The differences between the replacement policies.
#include <cmath>

#include "base/random.hpp"
#include "cache/tags/tag_array.hpp"
#include "cache/tags/tag_store.hpp"
#include "catch.hpp"
#include "replacement/table.hpp"

using namespace strata;
using namespace strata::cache;
using namespace strata::replacement;

namespace {

template <class Tags>
Access read(Tags& tags, LineNumber line, std::uint64_t set = 0) {
  return tags.access(set, line, 0b0001, Kind::write_clean);
}

/// Misses of passes over `lines` lines of one set, after a first pass.
template <class Policy>
unsigned cyclic_misses(std::uint32_t ways, LineNumber lines, unsigned passes) {
  TagArray<Policy> tags(1, ways, 3);
  for (LineNumber line = 0; line < lines; ++line) read(tags, line);
  unsigned misses = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (LineNumber line = 0; line < lines; ++line) misses += read(tags, line).present ? 0 : 1;
  }
  return misses;
}

}  // namespace

TEST_CASE("lru_victim_is_the_least_recently_used") {
  GIVEN("a full set whose lines were used in a shuffled order") {
    TagArray<TrueLru> tags(1, 8, 0);
    RandomSequence random(1);
    std::vector<LineNumber> use_order;  // most recent last
    for (int i = 0; i < 5000; ++i) {
      const LineNumber line = random.below(12);
      const Access done = read(tags, line);
      if (done.evicted) {
        CHECK(done.victim.line == use_order.front());
        use_order.erase(use_order.begin());
      }
      std::erase(use_order, line);
      use_order.push_back(line);
    }
  }
}

TEST_CASE("lru: a read that misses a sector is a use") {
  TagArray<TrueLru> tags(1, 2, 0);
  read(tags, 1);
  read(tags, 2);
  CHECK(tags.access(0, 1, 0b1000, Kind::read).hit == 0);
  CHECK(read(tags, 3).victim.line == 2);
}

TEST_CASE("cyclic_sweep_over_capacity_thrashes_lru") {
  const std::uint32_t ways = 16;
  CHECK(cyclic_misses<TrueLru>(ways, ways, 5) == 0);
  CHECK(cyclic_misses<TrueLru>(ways, ways + 1, 5) == 5 * (ways + 1));  // every access
  CHECK(cyclic_misses<Random>(ways, ways + 1, 50) < 50 * (ways + 1) / 2);
}

TEST_CASE("bigger_cache_never_raises_lru_misses") {
  GIVEN("random streams with and without locality") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      unsigned before = ~0U;
      for (std::uint32_t ways = 1; ways <= 33; ++ways) {
        TagArray<TrueLru> tags(2, ways, 0);
        RandomSequence random(seed);
        unsigned misses = 0;
        for (int i = 0; i < 2000; ++i) {
          const LineNumber line = random.below(random.below(2) == 0 ? 8 : 20 + 4 * seed);
          misses += read(tags, line, line % 2).present ? 0 : 1;
        }
        CHECK(misses <= before);
        before = misses;
      }
    }
  }
}

TEST_CASE("tree_plru_never_takes_the_line_used_last") {
  for (const std::uint32_t ways : {2U, 4U, 12U, 16U, 20U}) {
    TagArray<TreePlru> tags(1, ways, 0);
    RandomSequence random(6);
    LineNumber last = 0;
    for (int i = 0; i < 5000; ++i) {
      const LineNumber line = random.below(3 * ways);
      const Access done = read(tags, line);
      if (done.evicted) CHECK(done.victim.line != last);
      last = line;
    }
  }
}

TEST_CASE("tree_plru_of_four_ways_follows_its_three_bits") {
  TagArray<TreePlru> tags(1, 4, 0);
  for (LineNumber line = 0; line < 4; ++line) read(tags, line);  // way = line
  // After 0 1 2 3 the root points left and the left pair at its older way.
  CHECK(tags.victim(0) == 0);
  read(tags, 0);
  CHECK(tags.victim(0) == 2);  // LRU would evict 1
  read(tags, 2);
  CHECK(tags.victim(0) == 1);
}

TEST_CASE("tree_plru_keeps_a_loop_that_fits_and_takes_every_way_in_turn") {
  const std::uint32_t ways = 16;
  CHECK(cyclic_misses<TreePlru>(ways, ways, 5) == 0);
  TagArray<TreePlru> tags(1, ways, 0);
  std::vector<unsigned> taken(ways);
  for (LineNumber line = 0; line < 11 * ways; ++line) ++taken[read(tags, line).way];
  for (const unsigned times : taken) CHECK(times == 11);
}

TEST_CASE("random_is_uniform") {
  GIVEN("a full set of k ways and n evictions") {
    for (const std::uint32_t ways : {4U, 16U, 20U}) {
      const unsigned n = 4000 * ways;
      TagArray<Random> tags(3, ways, 12345);
      LineNumber line = 0;
      for (std::uint32_t i = 0; i < ways; ++i) read(tags, line++, 1);
      std::vector<double> taken(ways);
      for (unsigned i = 0; i < n; ++i) taken[read(tags, line++, 1).way] += 1;
      THEN("chi-square with k - 1 degrees of freedom lies within four deviations of its mean") {
        const double expected = static_cast<double>(n) / ways;
        double chi_square = 0;
        for (const double t : taken) chi_square += (t - expected) * (t - expected) / expected;
        const double degrees = ways - 1.0;
        CAPTURE(ways, chi_square);
        CHECK(chi_square < degrees + 4 * std::sqrt(2 * degrees));
        CHECK(chi_square > degrees - 4 * std::sqrt(2 * degrees));
      }
    }
  }
}

TEST_CASE("random_draws_of_two_seeds_and_two_sets_differ") {
  const auto draws = [](std::uint64_t seed, std::uint64_t set) {
    TagArray<Random> tags(2, 16, seed);
    std::vector<std::uint32_t> ways;
    for (LineNumber line = 0; line < 64; ++line) ways.push_back(read(tags, line, set).way);
    return ways;
  };
  CHECK(draws(1, 0) == draws(1, 0));
  CHECK(draws(1, 0) != draws(2, 0));
  CHECK(draws(1, 0) != draws(1, 1));
}

TEST_CASE("srrip_keeps_lines_that_hit_through_a_scan") {
  const std::uint32_t ways = 8;
  const auto survivors = [](auto tags) {
    for (LineNumber line = 0; line < 4; ++line) read(tags, line);
    for (LineNumber line = 0; line < 4; ++line) read(tags, line);  // used again
    for (LineNumber scan = 100; scan < 112; ++scan) read(tags, scan);
    unsigned kept = 0;
    for (LineNumber line = 0; line < 4; ++line) kept += tags.find(0, line) != no_way ? 1 : 0;
    return kept;
  };
  CHECK(survivors(TagArray<Srrip>(1, ways, 0)) == 4);
  CHECK(survivors(TagArray<TrueLru>(1, ways, 0)) == 0);
}

TEST_CASE("fifo_takes_the_line_that_came_first_though_it_was_used_last") {
  TagArray<Fifo> tags(1, 3, 0);
  for (const LineNumber line : {1U, 2U, 3U, 1U}) read(tags, line);
  CHECK(read(tags, 4).victim.line == 1);
  CHECK(read(tags, 5).victim.line == 2);
}

TEST_CASE("lip_keeps_a_sweep_over_capacity_but_for_one_way") {
  // Of ways + k lines, ways - 1 stay and k + 1 pass through the last way.
  for (const LineNumber more : {1U, 3U, 16U}) CHECK(cyclic_misses<Lip>(16, 16 + more, 5) == 5 * (more + 1));
  CHECK(cyclic_misses<Lip>(16, 16, 5) == 0);
}

TEST_CASE("lip_keeps_a_new_line_that_is_used_again") {
  TagArray<Lip> tags(1, 4, 0);
  for (LineNumber line = 0; line < 4; ++line) read(tags, line);
  CHECK(read(tags, 10).victim.line == 0);  // the first of those not used again
  read(tags, 10);
  CHECK(read(tags, 11).victim.line == 1);
  CHECK(read(tags, 12).victim.line == 11);
}

TEST_CASE("a_tag_store_is_chosen_by_name") {
  for (const auto& row : ReplacementTable::rows()) {
    const TagStore tags = make_tag_store(row.name, 4, 4, 0);
    CHECK(std::visit([](const auto& t) { return t.sets() * t.ways(); }, tags) == 16);
    CHECK_FALSE(row.meaning.empty());
  }
  CHECK_THROWS_AS(make_tag_store("lfu", 4, 4, 0), std::invalid_argument);
}

namespace {

/// Share of misses of the last of some passes over `lines` lines of each set.
template <class Policy>
double misses_of_last_pass(std::uint64_t sets, std::uint32_t ways, LineNumber lines, unsigned passes) {
  TagArray<Policy> tags(sets, ways, 3);
  unsigned misses = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {
    misses = 0;
    for (LineNumber line = 0; line < lines * sets; ++line) misses += read(tags, line, line % sets).present ? 0 : 1;
  }
  return misses / static_cast<double>(lines * sets);
}

}  // namespace

TEST_CASE("drrip_keeps_a_part_of_a_footprint_that_does_not_fit") {
  // Cyclic passes over twice the ways: srrip evicts each line before it is used again. Bimodal
  // sets hold half of the lines minus one; 32 of 256 sets are leaders with srrip and always miss.
  CHECK(misses_of_last_pass<Srrip>(256, 8, 16, 40) == 1.0);
  const double misses = misses_of_last_pass<Drrip>(256, 8, 16, 40);
  CHECK(misses > 0.5);
  CHECK(misses < 0.5 + 2.0 / 16 + 32.0 / 256);
}

TEST_CASE("drrip_keeps_a_footprint_that_fits") { CHECK(misses_of_last_pass<Drrip>(256, 8, 8, 10) == 0.0); }

TEST_CASE("drrip_follows_srrip_where_bimodal_sets_miss_more") {
  // A fresh line is used again after two others of its set: srrip hits, a distant line is gone by then.
  constexpr std::uint64_t sets = 256;
  const auto hits_among_followers = [](auto tags) {
    unsigned hits = 0;
    for (LineNumber round = 1; round < 200; ++round)
      for (std::uint64_t set = 0; set < sets; ++set) {
        const auto line = [set](LineNumber number) { return number * sets + set; };
        for (LineNumber fresh = 3 * round; fresh < 3 * round + 3; ++fresh) read(tags, line(fresh), set);
        const bool follows = set % 8 != 0 && set % 8 != 4;
        if (read(tags, line(3 * round), set).present && follows && round > 100) ++hits;
      }
    return hits;
  };
  const unsigned most = 99 * 192;
  CHECK(hits_among_followers(TagArray<Srrip>(sets, 8, 1)) == most);
  CHECK(hits_among_followers(TagArray<Drrip>(sets, 8, 1)) == most);
}

TEST_CASE("drrip_without_sets_to_spare_is_srrip") {
  TagArray<Drrip> duelling(2, 4, 1);
  TagArray<Srrip> fixed(2, 4, 1);
  RandomSequence random(8);
  for (int i = 0; i < 3000; ++i) {
    const LineNumber line = random.below(24);
    CHECK(read(duelling, line, line % 2).present == read(fixed, line, line % 2).present);
  }
}

TEST_CASE("ship_evicts_lines_of_regions_that_are_not_used_again") {
  // Six lines of one region are used twice in each round, then sixteen of other regions once:
  // srrip ages the six out before the next round, ship learns to evict the sixteen.
  const auto hits = [](auto tags) {
    unsigned found = 0;
    for (LineNumber round = 0; round < 400; ++round) {
      for (LineNumber line = 0; line < 6; ++line) {
        const bool present = read(tags, line).present;
        read(tags, line);
        if (round >= 300) found += present ? 1 : 0;
      }
      for (LineNumber line = 0; line < 16; ++line) read(tags, 12800 + (16 * round + line) % 1280);
    }
    return found;
  };
  CHECK(hits(TagArray<Srrip>(1, 8, 1)) == 0);
  CHECK(hits(TagArray<Ship>(1, 8, 1)) == 600);
}

TEST_CASE("clearing_an_array_forgets_what_its_policy_learned") {
  TagArray<Ship> tags(4, 8, 1);
  TagArray<Ship> fresh(4, 8, 1);
  for (LineNumber line = 0; line < 5000; ++line) read(tags, line, line % 4);
  tags.clear();
  RandomSequence random(5);
  for (int i = 0; i < 4000; ++i) {
    const LineNumber line = random.below(3) == 0 ? random.below(20) : random.below(5000);
    CHECK(read(tags, line, line % 4).present == read(fresh, line, line % 4).present);
  }
}
