// SPDX-License-Identifier: Apache-2.0
#include "study/journey/walk.hpp"

#include <algorithm>
#include <vector>

#include "base/invalid_request.hpp"
#include "catch.hpp"
#include "machine/tiny_machine.hpp"

namespace strata::study {
namespace {

using namespace machine::test;
using Numbers = std::vector<std::uint64_t>;

LatencyQuestion ascending(Bytes stride) {
  LatencyQuestion chase;
  chase.stride = stride;
  chase.order = trace::ChaseOrder::ascending;
  return chase;
}

WalkStep step_of(const machine::MachineSpec& spec, std::uint64_t nodes, std::uint64_t number, Bytes stride = 128_B) {
  return walk_step(spec, ascending(stride), nodes * stride.value, number);
}

const WalkedCache& cache_of(const WalkMoment& moment, const std::string& name) {
  const auto found = std::find_if(moment.caches.begin(), moment.caches.end(),
                                  [&](const WalkedCache& cache) { return cache.name == name; });
  REQUIRE(found != moment.caches.end());
  return *found;
}

Numbers lines(const cache::HeldSet& set) {
  Numbers lines;
  for (const cache::HeldLine& line : set.lines) lines.push_back(line.line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

// 2 KiB in 4 ways of 128 B are four sets, so the set of line 16 is full with lines 0, 4, 8 and
// 12.
TEST_CASE("a_load_of_a_walk_evicts_the_line_least_recently_used_from_its_set") {
  const WalkStep step = step_of(monolithic(), 20, 16);
  const cache::HeldSet& set = cache_of(step.before, "L1").chosen;
  CHECK(set.line == 16);
  CHECK(set.set == 0);
  CHECK(set.sets == 4);
  CHECK(set.ways == 4);
  CHECK(lines(set) == Numbers{0, 4, 8, 12});
  CHECK(lines(cache_of(step.after, "L1").chosen) == Numbers{4, 8, 12, 16});
  CHECK(step.served_by == "DRAM");
  CHECK(step.physical == 16 * 128);
  CHECK(cache_of(step.before, "L1").sets.size() == 4);
}

TEST_CASE("a_load_that_waits_holds_an_MSHR_in_each_cache_that_it_missed") {
  for (const machine::MachineSpec& spec : {monolithic(), two_sides(), chiplets()})
    for (const std::uint64_t number : {0U, 5U, 16U}) {
      CAPTURE(spec.name, number);
      const WalkStep step = step_of(spec, 24, number);
      for (std::size_t i = 0; i < step.waiting.caches.size(); ++i) {
        const cache::HeldSet& waiting = step.waiting.caches[i].chosen;
        CHECK(step.before.caches[i].chosen.fetching.empty());
        CHECK(waiting.fetching == Numbers{waiting.line});
        CHECK(waiting.mshrs == (i == 0 ? spec.l1.chosen() : spec.l2.cache).mshr_count());
        CHECK(std::any_of(waiting.lines.begin(), waiting.lines.end(),
                          [&](const cache::HeldLine& line) { return line.line == waiting.line && line.pending; }));
        CHECK(step.after.caches[i].chosen.fetching.empty());
      }
    }
}

TEST_CASE("a_hit_of_a_walk_takes_no_MSHR") {
  const WalkStep step = step_of(monolithic(), 8, 9);
  CHECK(step.served_by == "L1");
  CHECK(cache_of(step.waiting, "L1").chosen.fetching.empty());
  CHECK(lines(cache_of(step.before, "L1").chosen) == lines(cache_of(step.after, "L1").chosen));
}

// The next step of the walk begins with the state after a timed load.
TEST_CASE("each_step_of_a_walk_begins_as_the_one_before_ended") {
  for (machine::MachineSpec spec : {monolithic(), two_sides(), chiplets()}) {
    spec.memory.channel.controller.page_policy = dram::PagePolicy::open;
    for (std::uint64_t number = 0; number < 30; ++number) {
      CAPTURE(spec.name, number);
      const WalkStep step = step_of(spec, 24, number), next = step_of(spec, 24, number + 1);
      double cycles = 0;
      for (const WalkStage& stage : step.stages) cycles += stage.cycles;
      CHECK(cycles == Approx(step.cycles));
      for (const WalkedCache& cache : step.after.caches)
        for (const WalkedCache& later : next.before.caches)
          for (const cache::HeldSet& set : later.sets)
            if (cache.name == later.name && cache.instance == later.instance && set.set == cache.chosen.set)
              CHECK(lines(set) == lines(cache.chosen));
      if (step.after.row && next.before.row && step.after.channel == next.before.channel &&
          step.after.row->bank == next.before.row->bank &&
          step.after.row->pseudo_channel == next.before.row->pseudo_channel)
        CHECK(step.after.row->open == next.before.row->open);
    }
  }
}

TEST_CASE("a_row_stays_open_until_another_row_of_its_bank_is_read") {
  machine::MachineSpec spec = monolithic();
  spec.memory.channel.controller.page_policy = dram::PagePolicy::open;
  const WalkStep first = step_of(spec, 8, 0);
  REQUIRE(first.before.row);
  CHECK(!first.before.row->open);
  CHECK(first.after.row->open == first.after.row->row);
  spec.memory.channel.controller.page_policy = dram::PagePolicy::closed;
  CHECK(!step_of(spec, 8, 0).after.row->open);
}

// A TLB of two entries of 4 KiB and three pages in turn: the page that is read is never
// present.
TEST_CASE("a_TLB_of_a_walk_holds_the_pages_read_last") {
  machine::MachineSpec spec = monolithic();
  translation::TlbLevelSpec tlb;
  tlb.name = "TLB";
  tlb.entries = 2;
  tlb.entry_reach = 4_KiB;
  spec.translation.levels = {tlb};
  const WalkStep step = step_of(spec, 3, 3, 4_KiB);
  REQUIRE(step.before.tlbs.size() == 1);
  CHECK(step.before.tlbs[0].page == 0);
  CHECK(step.before.tlbs[0].pages == Numbers{2, 1});
  CHECK(step.after.tlbs[0].pages == Numbers{2, 1});  // an L1 hit is not translated
  CHECK(step.served_by == "L1");
  spec.translate_before_l1 = true;
  const WalkStep early = step_of(spec, 3, 3, 4_KiB);
  CHECK(early.before.tlbs[0].pages == Numbers{2, 1});
  CHECK(early.after.tlbs[0].pages == Numbers{0, 2});
  CHECK(early.before.tlbs[0].reach_bytes == 4096);
}

// Homes by address bit 9 and a core on die 0: line 4 is far, line 0 is not.
TEST_CASE("a_far_load_of_a_walk_passes_the_L2_of_both_sides") {
  const WalkStep far = step_of(two_sides(), 8, 4), near = step_of(two_sides(), 8, 0);
  CHECK(cache_of(far.before, "L2").instance.substr(0, 5) == "die 0");
  CHECK(cache_of(far.before, "far L2").instance.substr(0, 5) == "die 1");
  CHECK(lines(cache_of(far.after, "far L2").chosen) == Numbers{4});
  CHECK(near.before.caches.size() == 2);
}

TEST_CASE("a_walk_that_is_too_long_is_refused") {
  CHECK_THROWS_AS(step_of(monolithic(), most_walk_lines + 1, 0), InvalidRequest);
  CHECK_THROWS_AS(step_of(monolithic(), 8, most_walk_loads), InvalidRequest);
  CHECK_THROWS_AS(walk_step(monolithic(), ascending(128_B), 64, 0), InvalidRequest);
  CHECK(step_of(monolithic(), most_walk_lines, most_walk_loads - 1).cycles > 0);
}

}  // namespace
}  // namespace strata::study
