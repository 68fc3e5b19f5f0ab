// SPDX-License-Identifier: Apache-2.0
#include "cache/victim/victim_cache.hpp"

#include <array>
#include <vector>

#include "catch.hpp"

using namespace strata;

namespace {

struct Bench {
  static constexpr std::array<std::uint64_t, 1> clocks{1'000'000'000};
  engine::Timebase timebase{clocks};
  engine::Simulation simulation{Duration{1}};
  memory::StageNames stages;
  cache::VictimCache cache{simulation, stages, {2, Cycles{10}, 1.0}, timebase.clock(clocks[0])};
};

constexpr memory::SectorMask all = memory::all_sectors;

}  // namespace

SCENARIO("a victim cache serves what was evicted last, once") {
  Bench b;
  GIVEN("two lines and the evictions of three") {
    for (std::uint64_t block = 1; block <= 3; ++block) {
      b.cache.evicted(block, all);
      b.cache.touch(100, all, true);
    }
    THEN("the oldest is gone, and a line moves back when it is used") {
      CHECK_FALSE(b.cache.touch(1, all, true));
      CHECK(b.cache.touch(2, 0b0001, true));
      CHECK_FALSE(b.cache.touch(2, 0b0010, true));
      CHECK(b.cache.touch(3, all, true));
    }
  }
  GIVEN("a line whose place the miss on it takes") {
    b.cache.evicted(1, all);
    b.cache.evicted(2, all);
    b.cache.evicted(3, all);  // by the miss on 1
    THEN("both change places") {
      CHECK(b.cache.touch(1, all, true));
      CHECK(b.cache.touch(2, all, true));
      CHECK(b.cache.touch(3, all, true));
    }
  }
}

SCENARIO("a victim cache holds valid sectors of clean lines") {
  Bench b;
  b.cache.evicted(7, 0b0011);
  SECTION("a load of others is not served, and the line is fetched as a whole") {
    CHECK_FALSE(b.cache.touch(7, 0b0110, true));
    CHECK_FALSE(b.cache.touch(7, 0b0001, true));
  }
  SECTION("a store invalidates it") {
    CHECK_FALSE(b.cache.touch(7, 0b0001, false));
    CHECK_FALSE(b.cache.touch(7, 0b0001, true));
  }
  SECTION("a store of other sectors does not") {
    CHECK_FALSE(b.cache.touch(7, 0b1000, false));
    CHECK(b.cache.touch(7, 0b0001, true));
  }
  SECTION("no valid sector, no line") {
    b.cache.evicted(8, 0);
    CHECK_FALSE(b.cache.touch(8, all, true));
  }
}

SCENARIO("a hit answers after the hit latency, hits a clock apart") {
  Bench b;
  struct Top {
    engine::Simulation& simulation;
    std::vector<Time> answers;
    engine::HandlerNumber handler = simulation.number(engine::handler<&Top::on_answer>(*this));
    void on_answer(memory::Transaction&) { answers.push_back(simulation.now()); }
  } top{b.simulation, {}};
  b.cache.evicted(1, all);
  b.cache.touch(100, all, true);
  b.cache.evicted(2, all);
  memory::Transaction first, second;
  for (memory::Transaction* load : {&first, &second}) {
    load->block = load == &first ? 1 : 2;
    load->return_through(top.handler);
    b.cache.take(*load, Time{});
  }
  b.simulation.run();
  REQUIRE(top.answers.size() == 2);
  const Duration cycle = b.timebase.clock(Bench::clocks[0]).cycles(1);
  CHECK(top.answers[0] == Time{} + cycle * 10);
  CHECK(top.answers[1] == Time{} + cycle * 11);
  CHECK(b.cache.sectors_returned() == 8);
}
