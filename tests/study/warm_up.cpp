// SPDX-License-Identifier: Apache-2.0
// That warm-up is short and free of time changes no answer.
#include <cmath>

#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "machine/warm_up.hpp"
#include "replacement/table.hpp"
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
