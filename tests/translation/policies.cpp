// SPDX-License-Identifier: Apache-2.0
// The replacement policies of a level of TLBs: every one of the table, by name.
#include <array>
#include <string>

#include "base/random.hpp"
#include "catch.hpp"
#include "config/yaml/parse.hpp"
#include "replacement/choices.hpp"
#include "translation/translator.hpp"

namespace strata::translation {
namespace {

using namespace literals;

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& row : replacement::ReplacementTable::rows()) all.emplace_back(row.name);
  return all;
}

TlbLevelSpec level(const std::string& policy, std::uint32_t entries, std::uint32_t ways = 0) {
  TlbLevelSpec spec;
  spec.entries = entries;
  spec.ways = ways;
  spec.replacement = policy;
  spec.miss_latency = Cycles{100};
  spec.misses_per_clock = 0;
  return spec;
}

/// Misses of a pass over this number of pages, after two passes.
unsigned misses_of_a_pass(const std::string& policy, std::uint32_t entries, std::uint64_t pages) {
  Tlb tlb(level(policy, entries), 1);
  unsigned misses = 0;
  for (unsigned pass = 0; pass < 3; ++pass)
    for (std::uint64_t page = 0; page < pages; ++page) {
      const bool hit = tlb.look_up(0, page).hit;
      if (pass == 2 && !hit) ++misses;
    }
  return misses;
}

TEST_CASE("every_policy_of_the_table_is_a_name_of_a_tlb_level") {
  const auto bound = [](const std::string& name) {
    std::vector<Diagnostic> diagnostics;
    const auto spec = config::bind_spec<TlbLevelSpec>(
        config::parse("entries: 16\nreplacement: " + name + "\n", "tlb.yaml"), diagnostics);
    return diagnostics.empty() ? spec.replacement : diagnostics[0].message;
  };
  for (const std::string& name : names()) CHECK(bound(name) == name);
  CHECK(bound("lrv").find("'replacement' must be one of lru, ") == 0);
}

TEST_CASE("pages_that_fit_stay_under_every_policy") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    for (const std::uint32_t entries : {1U, 3U, 16U, 40U}) CHECK(misses_of_a_pass(name, entries, entries) == 0);
    CHECK(misses_of_a_pass(name, 16, 17) >= 1);
  }
}

TEST_CASE("a_sweep_over_more_pages_than_fit_separates_the_policies") {
  // 16 entries and k pages more: lru and fifo replace each page before it is used again; lip keeps
  // 15 of them and k + 1 pass through one entry.
  for (const std::uint64_t more : {1U, 4U, 16U}) {
    CAPTURE(more);
    CHECK(misses_of_a_pass("lru", 16, 16 + more) == 16 + more);
    CHECK(misses_of_a_pass("fifo", 16, 16 + more) == 16 + more);
    CHECK(misses_of_a_pass("lip", 16, 16 + more) == more + 1);
  }
}

TEST_CASE("lru_and_lip_by_times_are_those_of_the_table") {
  const std::string name = GENERATE("lru", "lip");
  const std::uint32_t ways = GENERATE(1U, 4U, 24U);  // of 24, guesses are kept
  CAPTURE(name, ways);
  Tlb by_times(level(name, ways), 1);
  PolicyEntries by_table(name, {1, 1, ways});
  RandomSequence random(ways);
  unsigned misses = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    // Some pages are used often, so lip keeps them.
    const std::uint64_t page = random.below(3) == 0 ? random.below(ways) : random.below(3 * ways);
    const bool hit = by_times.look_up(0, page).hit;
    REQUIRE(by_table.look_up(0, 0, page, false).hit == hit);
    misses += hit ? 0 : 1;
    if (name == "lru" && i % 500 == 0) REQUIRE(by_times.held(0, page).pages == by_table.pages(0, 0));
  }
  CHECK(misses > (ways == 1 ? 1000 : 4000));
}

TEST_CASE("an_entry_keeps_its_time_where_its_policy_moves_it") {
  const std::string name = GENERATE_REF(from_range(names()));
  const std::uint32_t ways = GENERATE(4U, 20U);
  CAPTURE(name, ways);
  Tlb tlb(level(name, ways), 1);
  for (std::uint64_t page = 0; page < ways; ++page)
    *tlb.look_up(0, page).usable = Time{static_cast<std::int64_t>(1000 + page)};
  // Hits in another order.
  for (std::uint64_t step = 0; step < ways; ++step) {
    const std::uint64_t page = step * 3 % ways;
    const Tlb::Look look = tlb.look_up(0, page);
    REQUIRE(look.hit);
    CHECK(look.usable->ticks == static_cast<std::int64_t>(1000 + page));
  }
}

TEST_CASE("an_instance_does_not_depend_on_the_others") {
  const std::string name = GENERATE_REF(from_range(names()));
  CAPTURE(name);
  // Instance 1 has a neighbour that sweeps, or none; drrip learns from the misses of its own sets.
  const auto hits = [&](bool neighbour) {
    Tlb tlb(level(name, 64, 8), 2);
    RandomSequence random(5);
    unsigned found = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      if (neighbour) tlb.look_up(0, i % 200);
      found += tlb.look_up(1, random.below(90)).hit ? 1 : 0;
    }
    return found;
  };
  const unsigned alone = hits(false);
  CHECK(hits(true) == alone);
  CHECK(alone == Approx(20'000 * 64.0 / 90).epsilon(0.05));
}

TEST_CASE("page_numbers_beyond_those_of_a_word_are_apart") {
  // They differ in the bits above the 48 that a policy uses.
  Tlb tlb(level("srrip", 4), 1);
  const std::uint64_t page = 77;
  const std::uint64_t other = page + (std::uint64_t{1} << 51U);
  CHECK_FALSE(tlb.look_up(0, page).hit);
  CHECK_FALSE(tlb.look_up(0, other).hit);
  CHECK(tlb.look_up(0, page).hit);
  CHECK(tlb.look_up(0, other).hit);
}

TEST_CASE("free_places_of_any_policy_may_be_taken_as_held_before") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    Tlb tlb(level(name, 2), 1);
    tlb.take_as_held_before();
    CHECK(tlb.look_up(0, 1).hit);
    CHECK(tlb.look_up(0, 2).hit);
    CHECK_FALSE(tlb.look_up(0, 3).hit);
  }
}

}  // namespace
}  // namespace strata::translation
