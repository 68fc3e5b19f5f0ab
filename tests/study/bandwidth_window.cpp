// SPDX-License-Identifier: Apache-2.0
// The timed part of a stream if the question does not set it.
#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/completions.hpp"

using namespace strata;
using namespace strata::literals;

namespace {

// Bytes moved while watched, from a footprint of four times the L2 of 4 MiB.
std::uint64_t watched(trace::StreamOperation operation, std::uint64_t timed) {
  machine::MachineSpec spec = machine::test::monolithic();
  spec.l2.slices_per_die = 2;
  spec.l2.cache.size = 2_MiB;
  spec.memory.size = 32_MiB;
  study::BandwidthQuestion question;
  question.operation = operation;
  question.bytes_per_lane = 4;
  question.timed_bytes = timed;
  return study::measure_bandwidth(spec, question, 16U << 20U).bytes;
}

constexpr std::uint64_t mib = 1U << 20U;

}  // namespace

// The first and the last quarter of the timed part are excluded.
TEST_CASE("a_stream_is_timed_for_turnovers_of_the_l2_where_stores_go_to_memory") {
  using enum trace::StreamOperation;
  CHECK(watched(read, 2 * mib) == Approx(1.0 * mib).epsilon(0.02));
  // Eight times the bytes in flight is less than the minimum, 8 MiB.
  CHECK(watched(read, 0) == Approx(4.0 * mib).epsilon(0.02));
  CHECK(watched(write, 0) == Approx(4.0 * mib).epsilon(0.02));
  // Four times 4 MiB.
  CHECK(watched(copy, 0) == Approx(8.0 * mib).epsilon(0.02));
  CHECK(watched(copy, 2 * mib) == Approx(1.0 * mib).epsilon(0.02));
}

// A quarter of a sweep of 16 MiB reaches a level that is home to 4 MiB, for any timed bytes.
TEST_CASE("windows_are_whole_sweeps_where_a_level_homes_a_part_of_the_memory") {
  machine::MachineSpec spec = machine::test::monolithic();
  spec.memory.size = 32_MiB;
  machine::MemorySideCacheSpec behind;
  behind.slices_per_die = 2;
  behind.index.page = 4_KiB;
  behind.cache = machine::test::tiny_cache("L3", 2_MiB, 16, 10_clk, 22_clk, 12_clk);
  behind.addresses = machine::AddressRangeSpec{0_B, 4_MiB};
  spec.memory_side_cache = behind;
  for (const std::uint64_t timed : {std::uint64_t{0}, 2 * mib}) {
    study::BandwidthQuestion question;
    question.timed_bytes = timed;
    const study::BandwidthPoint point = study::measure_steady_bandwidth(spec, question, 16 * mib);
    std::uint64_t l2 = 0, l3 = 0;
    for (const stats::LevelUse& level : point.levels) {
      if (level.name == "L2") l2 = level.requests;
      if (level.name == "L3") l3 = level.requests;
    }
    CHECK(static_cast<double>(l3) == Approx(0.25 * static_cast<double>(l2)).epsilon(0.02));
    REQUIRE(point.steadiness);
    CHECK(point.steadiness->steady);
  }
}

// 16 ways, of lines homed here and copies of others. Where cores wait for each other after each pass, a set meets its lines
// in one order pass after pass, and LRU has lost what does not fit; cores that drift apart keep a third of 128 KiB.
TEST_CASE("passes_in_lockstep_find_nothing_of_what_does_not_fit") {
  machine::MachineSpec spec = machine::test::two_sides();
  spec.l2.cache = machine::test::tiny_cache("L2", 32_KiB, 16, 10_clk, 22_clk, 12_clk);
  const auto l2_hits = [&](unsigned kib) {
    study::BandwidthQuestion question;
    question.cache_operator = memory::CacheOperator::cg;
    question.bytes_per_lane = 4;
    question.warps = 4;
    question.lockstep = true;
    for (const stats::LevelUse& level : study::measure_bandwidth(spec, question, kib << 10U).levels)
      if (level.name == "L2") return level.hit_rate();
    return -1.0;
  };
  CHECK(l2_hits(96) == 1.0);
  CHECK(l2_hits(128) < 0.1);
}

// It begins where the first was found unsteady: nothing is simulated twice. A window as long from the start differs by
// the warps that come to their end early.
TEST_CASE("a_window_that_doubles_is_the_longer_window") {
  for (const machine::MachineSpec& spec :
       {machine::test::monolithic(), machine::test::two_sides(), machine::test::chiplets()})
    for (const bool blocked : {false, true}) {
      CAPTURE(spec.name, blocked);
      study::BandwidthQuestion question;
      question.operation = blocked ? trace::StreamOperation::read : trace::StreamOperation::copy;
      question.blocked = blocked;
      question.timed_bytes = 4 << 10;
      const std::uint64_t footprint = 1 * mib;
      const study::BandwidthPoint first = study::measure_bandwidth(spec, question, footprint);
      const study::BandwidthPoint steady = study::measure_steady_bandwidth(spec, question, footprint);
      REQUIRE(first.steadiness);
      REQUIRE_FALSE(first.steadiness->steady);
      CHECK(steady.steadiness->steady);
      REQUIRE(steady.timed_bytes > first.timed_bytes);
      CHECK(steady.timed_bytes % first.timed_bytes == 0);
      question.timed_bytes = steady.timed_bytes;
      const study::BandwidthPoint longer = study::measure_bandwidth(spec, question, footprint);
      CHECK(longer.timed_bytes == steady.timed_bytes);
      CHECK(steady.bytes_per_second == Approx(longer.bytes_per_second).epsilon(0.04));
      CHECK(static_cast<double>(steady.transactions) == Approx(static_cast<double>(longer.transactions)).epsilon(0.02));
    }
}

// Two slices of 64 B and 800 MHz serve four cores that receive 16 B at 1000 MHz each and have up to 128 KiB under way.
// Until all of it waits for that wire the L2 moves more than the cores receive, though their rate does not change.
TEST_CASE("a_window_in_which_queues_fill_is_not_steady") {
  machine::MachineSpec spec = machine::test::monolithic();
  spec.l1.cache.mshrs = 1024;
  spec.l2.cache.size = 128_KiB;
  spec.crossbar.source_response_width = 16_B_clk;
  study::BandwidthQuestion question;
  question.cache_operator = memory::CacheOperator::cg;
  question.timed_bytes = 128 << 10;
  const auto excess_of_l2 = [](const study::BandwidthPoint& point) {
    for (const stats::LevelUse& level : point.levels)
      if (level.name == "L2") return level.bytes_per_second / point.bytes_per_second - 1;
    return -1.0;
  };
  const study::BandwidthPoint filling = study::measure_bandwidth(spec, question, 128 << 10);
  REQUIRE(filling.steadiness);
  CHECK_FALSE(filling.steadiness->steady);
  CHECK(filling.steadiness->queues_grow > study::Steadiness::within);
  CHECK(excess_of_l2(filling) > 2 * study::Steadiness::within);
  const study::BandwidthPoint steady = study::measure_steady_bandwidth(spec, question, 128 << 10);
  CHECK(steady.steadiness->steady);
  CHECK(steady.timed_bytes > filling.timed_bytes);
  CHECK(excess_of_l2(steady) < study::Steadiness::within);
}

// Three of 30 ticks at best and one of 200: (3 x 30 + 200) / 4.
TEST_CASE("an_unhindered_latency_is_that_of_the_fastest_of_each_level") {
  study::Completions::Sum sum;
  sum.completed = 4;
  sum.of_level[0] = {3, Duration{30}};
  sum.of_level[2] = {1, Duration{200}};
  CHECK(sum.unhindered() == Duration{72});
  CHECK(study::Completions::Sum{}.unhindered() == Duration{});
}
