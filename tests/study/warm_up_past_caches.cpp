// SPDX-License-Identifier: Apache-2.0
// Where every load misses every cache, caches are not warmed, and no answer depends on that.
#include <array>

#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "machine/warm_up.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

// Caches so large that TLBs and rows need fewer touches, and pages of which the last is used in part.
machine::MachineSpec with_large_caches(machine::MachineSpec spec) {
  spec.memory.size = 64_MiB;
  spec.l2.cache.size = 256_KiB;
  spec.pages.placement = "scattered";
  spec.memory.channel.controller.page_policy = dram::PagePolicy::open;
  spec.memory.channel.controller.refresh = dram::Refresh::none;
  translation::TlbLevelSpec first, second;
  first.entries = 2;
  second.entries = 8;
  second.ways = 4;
  first.entry_reach = 4_KiB;
  second.entry_reach = 8_MiB;
  second.name = "L2 TLB";
  first.miss_latency = 10_clk;
  second.miss_latency = 40_clk;
  spec.translation.levels = {first, second};
  spec.translation.walker.latency = 100_ns;
  return spec;
}

std::vector<machine::MachineSpec> large_shapes() {
  return {with_large_caches(monolithic()), with_large_caches(two_sides()), with_large_caches(chiplets())};
}

}  // namespace

// Such a ring is warmed past the caches, unless statistics show what they hold.
TEST_CASE("loads_that_miss_everywhere_are_timed_alike_whatever_caches_hold") {
  for (const machine::MachineSpec& spec : large_shapes()) {
    const std::uint64_t footprint = (16U << 20U) + 256;
    REQUIRE(machine::touches_past_caches(spec, footprint) < machine::warm_up_touches(spec));
    REQUIRE(machine::lines_that_always_miss(spec, Space::global) < footprint / 256);
    for (const std::uint64_t stride : {128U, 192U, 256U})
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        CAPTURE(spec.name, stride, seed);
        LatencyQuestion question;
        question.stride = Bytes{stride};
        question.timed_loads = 1000;
        question.seed = seed;
        const LatencyPoint unseen = measure_latency(spec, question, footprint / stride * stride);
        question.statistics = stats::Detail::kinds;
        const LatencyPoint seen = measure_latency(spec, question, footprint / stride * stride);
        question.whole_warm_up = true;
        const LatencyPoint whole = measure_latency(spec, question, footprint / stride * stride);
        CHECK(unseen.fingerprint == whole.fingerprint);
        CHECK(seen.fingerprint == whole.fingerprint);
        CHECK((stride % 128 != 0 || whole.served_by.back().share == 1));  // else two nodes of a line may meet
      }
  }
}

TEST_CASE("sweeps_are_timed_alike_whether_caches_are_warmed_or_not") {
  for (const machine::MachineSpec& spec : large_shapes()) {
    const std::uint64_t footprint = 16U << 20U;
    REQUIRE(machine::sweep_touches(spec) * 2 < footprint / 128);
    // What each asks for besides.
    using Ask = void (*)(BandwidthQuestion&);
    const std::array<Ask, 6> asks{[](BandwidthQuestion&) {},
                                  [](BandwidthQuestion& q) { q.blocked = true; },
                                  [](BandwidthQuestion& q) { q.blocked = q.whole = true; },
                                  [](BandwidthQuestion& q) { q.whole = true; },
                                  [](BandwidthQuestion& q) { q.lane_stride = 512; },
                                  [](BandwidthQuestion& q) { q.operation = trace::StreamOperation::copy; }};
    for (std::size_t i = 0; i < asks.size(); ++i) {
      CAPTURE(spec.name, i);
      BandwidthQuestion question;
      question.timed_bytes = 64U << 10U;
      asks[i](question);
      const BandwidthPoint unseen = measure_bandwidth(spec, question, footprint);
      question.statistics = stats::Detail::kinds;
      CHECK(unseen.fingerprint == measure_bandwidth(spec, question, footprint).fingerprint);
    }
  }
}

TEST_CASE("contents_of_caches_matter_where_something_looks_at_them") {
  const machine::MachineSpec plain = chiplets();
  const auto matter = [](const machine::MachineSpec& spec, std::uint64_t stride = 128) {
    return !machine::contents_do_not_matter(spec, Space::global, stride);
  };
  CHECK_FALSE(matter(plain));
  CHECK_FALSE(matter(plain, 1280));
  CHECK(matter(plain, 64));
  CHECK(matter(plain, 192));
  machine::MachineSpec spec = plain;
  spec.l2.cache.prefetcher = "next_line";
  CHECK(matter(spec));
  spec = plain;
  spec.l2.cache.compression = "ratio";
  CHECK(matter(spec));
  spec = plain;
  spec.l1.cache.replacement = "random";
  CHECK(matter(spec));
  spec = plain;
  spec.memory_side_cache->addresses = machine::AddressRangeSpec{Bytes{0}, 1_MiB};
  CHECK(matter(spec));
  CHECK(machine::warm_up_touches(spec) == machine::all_touches);
  CHECK(machine::warm_up_touches(plain) != machine::all_touches);
}

TEST_CASE("touches_past_caches_follow_from_pages_and_banks") {
  machine::MachineSpec spec = monolithic();
  const dram::OrganisationSpec& channel = spec.memory.channel.organisation;
  const std::uint64_t banks = std::uint64_t{channel.pseudo_channels} * channel.stack_ids * channel.bank_groups *
                              channel.banks_per_group * spec.memory.channels_per_die;
  dram::ControllerSpec& controller = spec.memory.channel.controller;
  controller.page_policy = dram::PagePolicy::closed;
  CHECK(machine::touches_past_caches(spec, 1U << 20U) == 0);
  controller.page_policy = dram::PagePolicy::open;
  controller.refresh = dram::Refresh::none;
  CHECK(machine::touches_past_caches(spec, 1U << 20U) == 24 * banks);
  controller.refresh = dram::Refresh::per_bank;
  CHECK(machine::touches_past_caches(spec, 1U << 20U) == 8 * banks);
  translation::TlbLevelSpec tlb;
  tlb.entries = 4096;
  tlb.entry_reach = 4_KiB;
  spec.translation.levels = {tlb};
  CHECK(machine::touches_past_caches(spec, 1U << 20U) == 24 * 257);
  CHECK(machine::touches_past_caches(spec, 1U << 30U) == 24 * 4096);
  CHECK(machine::pages_that_stay(spec, 1U << 20U) == 4096);
  CHECK(machine::pages_that_stay(spec, 1U << 30U) == 0);
  // A full TLB that keeps its entries remembers the first.
  spec.translation.levels.front().replacement = "lip";
  CHECK(machine::touches_past_caches(spec, 1U << 20U) == 24 * 257);
  CHECK(machine::touches_past_caches(spec, 1U << 30U) == machine::all_touches);
  spec.translation.levels.front().ways = 16;  // of 256 sets, each of which 3328 pages give 13 or 14 entries
  CHECK(machine::touches_past_caches(spec, 13U << 20U) == 24 * 3329);
  CHECK(machine::touches_past_caches(spec, 15U << 20U) == machine::all_touches);
}

}  // namespace strata::study
