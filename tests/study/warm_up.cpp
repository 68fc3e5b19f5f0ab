// SPDX-License-Identifier: Apache-2.0
// That warm-up is short and free of time changes no answer.
#include <array>
#include <cmath>

#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "machine/warm_up.hpp"
#include "replacement/table.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

std::vector<machine::MachineSpec> shapes() { return {monolithic(), two_sides(), chiplets()}; }

machine::MachineSpec with_replacement(machine::MachineSpec spec, const std::string& policy) {
  spec.l1.cache.replacement = policy;
  spec.l2.cache.replacement = policy;
  if (spec.memory_side_cache) spec.memory_side_cache->cache.replacement = policy;
  return spec;
}

// `folded` with three times the slices: with a power of two nothing is folded.
machine::MachineSpec with_index(machine::MachineSpec spec, const std::string& policy) {
  spec.l2.index.policy = policy;
  if (policy == "folded") spec.l2.slices_per_die *= 3;
  return spec;
}

// Footprints at which the shortcut omits a small part, half and nine tenths of a traversal.
std::vector<std::uint64_t> footprints_beyond(const machine::MachineSpec& spec) {
  const std::uint64_t touches = machine::warm_up_touches(spec) + 1;
  return {(touches + touches / 64) * 128, 2 * touches * 128, 10 * touches * 128};
}

struct Loads {
  Duration total{};
  std::vector<std::uint64_t> served = std::vector<std::uint64_t>(8);
};

// The second round of a chase whose first was touched, or was timed.
Loads second_round(const machine::MachineSpec& spec, std::uint64_t nodes, bool timed_first) {
  machine::Machine machine(spec);
  const trace::ChaseRing ring{0, nodes, 128, trace::ChaseOrder::random, 9};
  trace::Instruction pattern;
  trace::PointerChase first(ring, pattern, 0, nodes);
  if (timed_first) {
    machine.start(0, first, {});
    machine.run();
  } else {
    const trace::ChasePath path(ring);
    for (std::uint64_t step = 0; step < nodes; ++step)
      machine.touch(0, path.address(step), 8, Space::global, memory::CacheOperator::ca);
  }
  Loads loads;
  trace::PointerChase second(ring, pattern, 0, nodes);
  machine.start(0, second,
                {[](void* self, std::uint32_t, Duration latency, unsigned level) {
                   static_cast<Loads*>(self)->total += latency;
                   ++static_cast<Loads*>(self)->served.at(level);
                 },
                 &loads});
  machine.run();
  return loads;
}

}  // namespace

TEST_CASE("a_shortened_warm_up_is_bit_identical_under_lru") {
  for (machine::MachineSpec shape : shapes()) {
    shape.memory.size = 64_MiB;
    for (const char* index : {"balanced", "folded", "avalanche"})
      for (const char* placement : {"contiguous", "scattered"}) {
        machine::MachineSpec spec = with_index(shape, index);
        spec.pages.placement = placement;
        for (const std::uint64_t footprint : footprints_beyond(spec)) {
          CAPTURE(spec.name, index, placement, footprint);
          LatencyQuestion question;
          const LatencyPoint shortened = measure_latency(spec, question, footprint);
          question.whole_warm_up = true;
          const LatencyPoint whole = measure_latency(spec, question, footprint);
          CHECK(shortened.fingerprint == whole.fingerprint);
          CHECK(shortened.latency_ns == whole.latency_ns);
        }
      }
  }
}

// Caches so large that TLBs and rows need fewer touches, and pages of which the last is used in part.
static machine::MachineSpec with_large_caches(machine::MachineSpec spec) {
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

// Such a ring is warmed past the caches, unless statistics show what they hold.
TEST_CASE("loads_that_miss_everywhere_are_timed_alike_whatever_caches_hold") {
  for (const machine::MachineSpec& shape : shapes()) {
    const machine::MachineSpec spec = with_large_caches(shape);
    const std::uint64_t footprint = (16U << 20U) + 256;
    REQUIRE(machine::touches_past_caches(spec, footprint) < machine::warm_up_touches(spec));
    REQUIRE(machine::lines_that_always_miss(spec) < footprint / 256);
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
  for (const machine::MachineSpec& shape : shapes()) {
    const machine::MachineSpec spec = with_large_caches(shape);
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

// Cores take the lines in turn, as a grid does.
TEST_CASE("a_sweep_is_remembered_for_as_many_touches_as_sweep_touches_says") {
  for (machine::MachineSpec shape : shapes()) {
    shape.memory.size = 64_MiB;
    for (const char* index : {"balanced", "folded", "avalanche"}) {
      const machine::MachineSpec spec = with_index(shape, index);
      CAPTURE(spec.name, index);
      const std::uint64_t last = machine::sweep_touches(spec);
      const std::uint64_t lines = 4 * last;
      const auto lines_held = [&](std::uint64_t from) {
        machine::Machine machine(spec);
        const std::uint64_t cores = spec.dies.compute * spec.dies.cores_per_die;
        for (std::uint64_t line = from; line < lines; ++line)
          machine.touch(static_cast<std::uint32_t>(line % cores), line * 128, 128, Space::global,
                        memory::CacheOperator::ca);
        std::vector<std::vector<cache::HeldLine>> sets;
        for (std::uint64_t line = lines - last; line < lines; ++line)
          for (const machine::CacheContents& cache :
               machine.contents(static_cast<std::uint32_t>(line % cores), line * 128).caches)
            sets.push_back(cache.set.lines);
        return sets;
      };
      const auto long_one = lines_held(0), short_one = lines_held(lines - last);
      REQUIRE(long_one.size() == short_one.size());
      std::size_t other = 0;
      for (std::size_t i = 0; i < long_one.size(); ++i) other += long_one[i] == short_one[i] ? 0 : 1;
      CAPTURE(long_one.size(), other);
      CHECK(other * 100 <= long_one.size());  // caches of a few pages see them unevenly
    }
  }
}

TEST_CASE("a_shortened_warm_up_stays_within_its_bound_under_every_policy") {
  // Of the lines present before the last k capacities, e^-k survive: with k = 8, less than a
  // thousandth of the loads are served by another level. The other difference is the random choice
  // of victims.
  for (const auto& row : replacement::ReplacementTable::rows())
    for (machine::MachineSpec spec : shapes()) {
      spec = with_replacement(std::move(spec), std::string(row.name));
      spec.memory.size = 64_MiB;
      if (replacement::ReplacementTable::forgets(row.name) == replacement::Forgets::never) {
        CHECK(machine::warm_up_touches(spec) == machine::all_touches);
        continue;
      }
      for (const std::uint64_t footprint : footprints_beyond(spec)) {
        CAPTURE(spec.name, std::string(row.name), footprint);
        LatencyQuestion question;
        const LatencyPoint shortened = measure_latency(spec, question, footprint);
        question.whole_warm_up = true;
        const LatencyPoint whole = measure_latency(spec, question, footprint);
        CHECK(shortened.latency_ns == Approx(whole.latency_ns).epsilon(0.002));
        for (std::size_t level = 0; level < whole.served_by.size(); ++level)
          CHECK(std::abs(shortened.served_by[level].share - whole.served_by[level].share) < 0.002);
      }
    }
}

TEST_CASE("a_forgetful_cache_is_warmed_until_its_share_is_steady") {
  // A ring of N lines on a cache of C with random victims: a line survives the misses of a round
  // with probability h = exp(-(1 - h) N / C), a fixed point that the first round overshoots.
  machine::MachineSpec spec = monolithic();
  spec.l2.cache.replacement = "random";
  spec.l2.cache.ways = 64;
  spec.l2.cache.size = 512_KiB;
  const double lines = 2 * 4096;
  for (const double ratio : {1.2, 1.5, 2.0}) {
    double h = 0.5;
    for (int i = 0; i < 200; ++i) h = std::exp(-(1 - h) * ratio);
    const auto footprint = whole_strides(static_cast<std::uint64_t>(lines * ratio * 128), Bytes{128});
    LatencyQuestion question;
    question.timed_loads = footprint / 128 / 2;  // half a round, so that timing does not warm up itself
    const LatencyPoint point = measure_latency(spec, question, footprint);
    CAPTURE(ratio, h);
    // Half a round of n loads scatters by less than 0.5 / sqrt(n), about 0.01.
    CHECK(std::abs(point.served_by[1].share - h) < 0.02);
  }
}

TEST_CASE("a_tree_of_bits_is_warmed_until_its_share_is_steady") {
  // Under a cyclic chase a pseudo-LRU tree forgets like LRU, only not within a round.
  machine::MachineSpec spec = with_replacement(monolithic(), "tree_plru");
  const machine::MachineSpec recent = with_replacement(monolithic(), "lru");
  LatencyQuestion question;
  question.timed_loads = 64;
  for (const std::uint64_t footprint : {20 * 1024U, 24 * 1024U}) {
    CAPTURE(footprint);
    CHECK(measure_latency(spec, question, footprint).latency_ns ==
          Approx(measure_latency(recent, question, footprint).latency_ns).epsilon(0.01));
  }
}

TEST_CASE("warming_without_time_leaves_the_machine_that_a_timed_traversal_leaves") {
  for (const auto& row : replacement::ReplacementTable::rows())
    for (machine::MachineSpec spec : shapes()) {
      spec = with_replacement(std::move(spec), std::string(row.name));
      // One clock for all, so that when the second round begins makes no difference.
      spec.clocks = {1000_MHz, 1000_MHz, 1000_MHz};
      REQUIRE(spec.memory.channel.timing.tick_rate().value == spec.clocks.core.value);
      translation::TlbLevelSpec tlb;
      tlb.entries = 4;
      tlb.entry_reach = 4_KiB;
      tlb.miss_latency = 40_clk;
      spec.translation.levels = {tlb};
      for (const auto pages : {dram::PagePolicy::closed, dram::PagePolicy::open}) {
        spec.memory.channel.controller.page_policy = pages;
        for (const std::uint64_t nodes : {8U, 20U, 100U, 140U, 300U, 700U}) {
          CAPTURE(spec.name, std::string(row.name), nodes, pages == dram::PagePolicy::open);
          const Loads touched = second_round(spec, nodes, false);
          const Loads timed = second_round(spec, nodes, true);
          CHECK(touched.served == timed.served);
          CHECK(touched.total.ticks == timed.total.ticks);
        }
      }
    }
}

}  // namespace strata::study
