// SPDX-License-Identifier: Apache-2.0
#include "translation/translator.hpp"

#include <array>
#include <stdexcept>

#include "base/random.hpp"
#include "catch.hpp"
#include "replacement/table.hpp"

namespace strata::translation {
namespace {

using namespace literals;

constexpr std::uint64_t page_blocks = (2U << 20U) / 128;

// 1 cycle = 1 ns = 1000 ticks.
struct World {
  static constexpr std::array<std::uint64_t, 2> frequencies{1'000'000'000, 1'000'000'000'000};
  engine::Timebase timebase{frequencies};
  engine::Clock clock = timebase.clock(1'000'000'000);
  memory::StageNames stages;

  Translator make(const TranslationSpec& spec, TranslatorShape shape = {}) {
    return {timebase, clock, spec, shape, stages};
  }
  Time at(double cycles) const { return Time{} + clock.cycles(cycles); }
};

TlbLevelSpec level(std::uint32_t entries, double miss_latency, Scope scope = Scope::core) {
  TlbLevelSpec spec;
  spec.name = "L1 TLB";
  spec.entries = entries;
  spec.miss_latency = Cycles{miss_latency};
  spec.scope = scope;
  spec.misses_per_clock = 0;
  return spec;
}

TranslationSpec one_level(std::uint32_t entries, double miss_latency) {
  TranslationSpec spec;
  spec.levels = {level(entries, miss_latency)};
  spec.walker.latency = Nanoseconds{300};
  return spec;
}

// Mean penalty in cycles of `count` accesses, each after the one before, warmed by touches.
template <class Page>
double mean_penalty(World& world, Translator& translator, unsigned warm, unsigned count, Page page) {
  for (unsigned i = 0; i < warm; ++i) translator.touch(0, page() * page_blocks);
  Time now = world.at(0);
  double sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Time done = translator.translate(0, page() * page_blocks, now);
    sum += world.clock.count(done - now);
    now = done + world.clock.cycles(500);
  }
  return sum / count;
}

TEST_CASE("the_knee_is_at_entries_times_reach") {
  GIVEN("32 entries of 2 MiB under LRU, and a chase round a number of pages") {
    World world;
    Translator translator = world.make(one_level(32, 103));
    const std::uint64_t pages = GENERATE(1U, 31U, 32U, 33U, 64U);
    std::uint64_t next = 0;
    const auto round = [&] { return next++ % pages; };
    const double penalty = mean_penalty(world, translator, 200, 500, round);
    THEN("up to 64 MiB all hit, and one page more makes every one miss") {
      CHECK(penalty == Approx(pages <= 32 ? 0.0 : 103.0 + 300.0));
    }
  }
}

TEST_CASE("random_access_pays_for_the_share_beyond_reach") {
  GIVEN("32 entries, a second level that holds everything, and random pages") {
    World world;
    TranslationSpec spec = one_level(32, 103);
    const auto rows = replacement::ReplacementTable::rows();
    const std::size_t row = GENERATE(range(std::size_t{0}, replacement::ReplacementTable::rows().size()));
    spec.levels[0].replacement = std::string(rows[row].name);
    CAPTURE(spec.levels[0].replacement);
    spec.levels.push_back(level(4096, 0, Scope::die));
    Translator translator = world.make(spec);
    const std::uint64_t pages = GENERATE(40U, 64U, 512U, 2048U);
    RandomSequence random(9);
    const auto any = [&] { return random.below(pages); };
    THEN("the mean is latency x (1 - reach / footprint)") {
      const double expected = 103 * (1 - 32.0 / static_cast<double>(pages));
      CHECK(mean_penalty(world, translator, 100'000, 40'000, any) == Approx(expected).epsilon(0.03));
      CHECK(translator.walks() == 0);
    }
  }
}

TEST_CASE("touching_and_translating_leave_the_same_entries") {
  World world;
  TranslationSpec spec = one_level(16, 50);
  spec.levels[0].ways = GENERATE(0U, 4U);
  Translator timed = world.make(spec);
  Translator touched = world.make(spec);
  RandomSequence random(4);
  for (unsigned i = 0; i < 5000; ++i) {
    const std::uint64_t block = random.below(24) * page_blocks;
    timed.translate(0, block, world.at(1000.0 * i));
    touched.touch(0, block);
  }
  // The same next accesses hit and miss in both.
  const auto before = timed.counts(0);
  for (unsigned i = 0; i < 500; ++i) {
    const std::uint64_t block = random.below(24) * page_blocks;
    timed.translate(0, block, world.at(6e6 + 1000.0 * i));
    touched.translate(0, block, world.at(6e6 + 1000.0 * i));
  }
  CHECK(timed.counts(0).hits - before.hits == touched.counts(0).hits);
  CHECK(timed.counts(0).misses - before.misses == touched.counts(0).misses);
  CHECK(touched.counts(0).misses > 50);
}

TEST_CASE("a_large_set_associative_level_has_its_knee_at_its_capacity") {
  GIVEN("32768 entries of 16 ways, and consecutive pages") {
    World world;
    TranslationSpec spec = one_level(32768, 100);
    spec.levels[0].ways = 16;
    Translator translator = world.make(spec);
    for (unsigned round = 0; round < 2; ++round) {
      for (std::uint64_t page = 0; page < 32768; ++page) translator.touch(0, page * page_blocks);
    }
    THEN("all of them fit") {
      for (std::uint64_t page = 0; page < 32768; ++page) {
        translator.translate(0, page * page_blocks, world.at(0));
      }
      CHECK(translator.counts(0).misses == 0);
      CHECK(translator.counts(0).hits == 32768);
    }
    THEN("pages at any stride of a power of two fit as well") {
      for (const std::uint64_t stride : {2U, 16U, 2048U}) {
        for (unsigned round = 0; round < 2; ++round) {
          for (std::uint64_t i = 0; i < 16384; ++i) {
            translator.touch(0, (1'000'000 + i * stride) * page_blocks);
          }
        }
        const std::uint64_t misses = translator.counts(0).misses;
        for (std::uint64_t i = 0; i < 16384; ++i) {
          translator.translate(0, (1'000'000 + i * stride) * page_blocks, world.at(0));
        }
        CHECK(translator.counts(0).misses == misses);
      }
    }
  }
}

TEST_CASE("walkers_bound_the_rate_of_misses") {
  GIVEN("4 walkers of 300 ns and 400 misses at one instant") {
    World world;
    TranslationSpec spec = one_level(32, 20);
    spec.walker.parallel = 4;
    Translator translator = world.make(spec);
    Time last{};
    for (std::uint64_t page = 0; page < 400; ++page) {
      last = later(last, translator.translate(0, page * page_blocks, world.at(0)));
    }
    THEN("the last is known after 100 walks in a row") {
      CHECK(world.clock.count(last - Time{}) == Approx(20 + 400.0 / 4 * 300));
      CHECK(translator.walks() == 400);
      CHECK(translator.walker_busy() == world.clock.cycles(400 * 300));
    }
  }
}

TEST_CASE("misses_per_clock_bounds_the_forwarded_misses_of_a_level") {
  GIVEN("a level that passes on one miss every 4 cycles") {
    World world;
    TranslationSpec spec = one_level(32, 20);
    spec.levels[0].misses_per_clock = 0.25;
    spec.levels.push_back(level(4096, 0, Scope::die));
    Translator translator = world.make(spec);
    for (std::uint64_t page = 0; page < 100; ++page) translator.touch(0, page * page_blocks);
    WHEN("50 pages that only the second level has are asked for at once") {
      Time last{};
      for (std::uint64_t page = 0; page < 50; ++page) {
        last = later(last, translator.translate(0, page * page_blocks, world.at(0)));
      }
      THEN("the last waits for 49 turns") { CHECK(world.clock.count(last - Time{}) == Approx(49 * 4 + 20)); }
    }
  }
}

TEST_CASE("a_page_on_its_way_is_waited_for_and_not_fetched_again") {
  World world;
  Translator translator = world.make(one_level(32, 100));
  const Time first = translator.translate(0, 5 * page_blocks, world.at(0));
  const Time second = translator.translate(0, 5 * page_blocks + 77, world.at(150));
  const Time third = translator.translate(0, 5 * page_blocks, world.at(450));
  CHECK(first == world.at(400));
  CHECK(second == first);
  CHECK(third == world.at(450));
  CHECK(translator.walks() == 1);
}

TEST_CASE("sharers_of_a_level_share_its_entries") {
  GIVEN("a level of each scope for 8 cores in groups of 2 on dies of 4") {
    World world;
    struct Row {
      Scope scope;
      std::uint32_t sharer;
      std::uint32_t stranger;
    };
    const Row row = GENERATE(Row{Scope::core, 4, 5}, Row{Scope::group, 5, 6}, Row{Scope::die, 7, 3});
    TranslationSpec spec;
    spec.levels = {level(8, 10, row.scope)};
    Translator translator = world.make(spec, {8, 2, 4});
    translator.touch(4, 0);
    CHECK(translator.translate(row.sharer, 0, world.at(0)) == world.at(0));
    CHECK(translator.translate(row.stranger, 0, world.at(0)) == world.at(10));
  }
}

TEST_CASE("shared_levels_hold_pages_that_were_used_before") {
  GIVEN("4 entries of a core, 16 of its die, 300 ns for a walk") {
    World world;
    TranslationSpec spec = one_level(4, 10);
    spec.levels.push_back(level(16, 25, Scope::die));
    Translator translator = world.make(spec);
    translator.assume_pages_used();
    const auto penalty = [&](std::uint64_t page) {
      return world.clock.count(translator.translate(0, page * page_blocks, world.at(0)) - world.at(0));
    };
    THEN("sixteen pages miss the core's own alone, the seventeenth is walked for") {
      for (std::uint64_t page = 0; page < 16; ++page) CHECK(penalty(page) == Approx(10));
      CHECK(penalty(16) == Approx(335));
      CHECK(translator.walks() == 1);
    }
  }
}

TEST_CASE("milestones_name_the_levels_missed_and_the_walk") {
  World world;
  TranslationSpec spec = one_level(4, 10);
  spec.levels.push_back(level(16, 25, Scope::die));
  spec.levels[1].name = "L2 TLB";
  Translator translator = world.make(spec);
  memory::Journey journey;
  journey.begin(world.at(7));
  const Time done = translator.translate(0, 0, world.at(7), &journey);
  REQUIRE(journey.milestones().size() == 3);
  CHECK(world.stages[journey.milestones()[0].stage] == "L1 TLB miss");
  CHECK(journey.milestones()[0].until == world.at(17));
  CHECK(world.stages[journey.milestones()[1].stage] == "L2 TLB miss");
  CHECK(journey.milestones()[1].until == world.at(42));
  CHECK(world.stages[journey.milestones()[2].stage] == "page walk");
  CHECK(journey.milestones()[2].until == world.at(342));
  CHECK(done == world.at(342));
}

TEST_CASE("without_levels_translation_is_free") {
  World world;
  TranslationSpec spec;
  Translator translator = world.make(spec);
  CHECK(translator.translate(0, 123, world.at(3)) == world.at(3));
  CHECK(translator.walks() == 0);
}

TEST_CASE("impossible_levels_are_refused") {
  World world;
  TranslationSpec spec = one_level(10, 5);
  spec.levels[0].ways = 4;
  CHECK_THROWS_AS(world.make(spec), std::invalid_argument);
  spec = one_level(8, 5);
  spec.levels[0].entry_reach = 3_MiB;
  CHECK_THROWS_AS(world.make(spec), std::invalid_argument);
}

}  // namespace
}  // namespace strata::translation
