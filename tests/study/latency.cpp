// SPDX-License-Identifier: Apache-2.0
#include "study/latency/latency.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "machine/tiny_machine.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

double ns(const machine::MachineSpec& spec, Duration span) {
  return machine::Machine(spec).timebase().to_nanoseconds(span);
}

double share(const LatencyPoint& point, const std::string& level) {
  for (const LevelShare& share : point.served_by)
    if (share.level == level) return share.share;
  return -1;
}

std::string refusal(const machine::MachineSpec& spec, const LatencyQuestion& question, std::uint64_t footprint) {
  try {
    measure_latency(spec, question, footprint);
    return "none";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

// The footprint at which the latency first passes the middle between two plateaus.
double knee(const machine::MachineSpec& spec, const LatencyQuestion& question, Bytes from, Bytes to, double below_ns,
            double above_ns) {
  for (const std::uint64_t footprint : footprints(from, to, 16, question.stride))
    if (measure_latency(spec, question, footprint).latency_ns > (below_ns + above_ns) / 2)
      return static_cast<double>(footprint);
  return 0;
}

}  // namespace

TEST_CASE("footprints_are_so_many_an_octave_and_whole_strides") {
  const auto all = footprints(1_KiB, 64_KiB, 4, Bytes{128});
  CHECK(all.size() == 6 * 4 + 1);
  CHECK(all.front() == 1024);
  CHECK(all.back() == 65536);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i] % 128 == 0);
    const double exact = 1024 * std::exp2(static_cast<double>(i) / 4);
    CHECK(std::abs(static_cast<double>(all[i]) - exact) <= 64);
  }
  CHECK(std::is_sorted(all.begin(), all.end()));
  CHECK(footprints(1_KiB, 1_KiB, 4, Bytes{128}) == std::vector<std::uint64_t>{1024});
  CHECK(footprints(1_KiB, 3_KiB, 1, Bytes{128}) == std::vector<std::uint64_t>{1024, 2048, 3072});
  THEN("points that a long stride makes equal appear once") {
    CHECK(footprints(4_KiB, 8_KiB, 8, Bytes{4096}) == std::vector<std::uint64_t>{4096, 8192});
  }
}

TEST_CASE("a_footprint_rounds_to_the_nearest_whole_number_of_strides") {
  CHECK(whole_strides(1000, Bytes{128}) == 1024);
  CHECK(whole_strides(959, Bytes{128}) == 896);
  CHECK(whole_strides(1, Bytes{128}) == 128);
}

TEST_CASE("a_chase_inside_the_l1_takes_the_hit_latency") {
  const machine::MachineSpec spec = monolithic();
  const LatencyPoint point = measure_latency(spec, {}, 1024);
  CHECK(point.latency_cycles == spec.core.load_store.scalar_address.value + spec.l1.cache.hit_latency.value);
  CHECK(point.latency_ns == Approx(ns(spec, Way(machine::Machine(spec)).l1_hit())));
  CHECK(point.footprint_bytes == 1024);
  CHECK(share(point, "L1") == 1);
  CHECK(point.loads == LatencyQuestion{}.timed_loads);
}

TEST_CASE("plateaus_are_the_sums_of_their_stages") {
  const machine::MachineSpec spec = monolithic();
  const machine::Machine machine(spec);
  const Way way(machine);
  CHECK(measure_latency(spec, {}, 8192).latency_ns == Approx(ns(spec, way.l2_hit())));
  // DRAM takes requests at the edges of its clock: up to one period more.
  const double around = ns(spec, way.to_l2() + way.l2_tag() + way.l2_fill() + way.from_l2());
  const double dram = ns(spec, way.dram(Time{}));
  const LatencyPoint point = measure_latency(spec, {}, 256 * 1024);
  CHECK(point.latency_ns >= Approx(around + dram));
  CHECK(point.latency_ns < around + dram + 1e9 / static_cast<double>(spec.memory.channel.timing.tick_rate().value));
  CHECK(share(point, "DRAM") == 1);
}

TEST_CASE("knees_stand_at_the_capacities") {
  const machine::MachineSpec spec = monolithic();
  const Way way{machine::Machine(spec)};
  const double quarter_octave = std::exp2(0.25);
  const double l1 = 2048, l2 = 16384;
  const double at_l1 = knee(spec, {}, 1_KiB, 8_KiB, ns(spec, way.l1_hit()), ns(spec, way.l2_hit()));
  CHECK(at_l1 > l1 / quarter_octave);
  CHECK(at_l1 < l1 * quarter_octave);
  const double dram = measure_latency(spec, {}, 128 * 1024).latency_ns;
  const double at_l2 = knee(spec, {}, 8_KiB, 64_KiB, ns(spec, way.l2_hit()), dram);
  CHECK(at_l2 > l2 / quarter_octave);
  CHECK(at_l2 < l2 * quarter_octave);
}

TEST_CASE("the_memory_side_knee_stands_at_the_capacity_of_all_memory_dies") {
  const machine::MachineSpec spec = chiplets();
  const double side = 4 * 2 * 8192;
  const double inside = measure_latency(spec, {}, 40 * 1024).latency_ns;
  const double outside = measure_latency(spec, {}, 256 * 1024).latency_ns;
  CHECK(share(measure_latency(spec, {}, 40 * 1024), "MALL") == 1);
  const double at = knee(spec, {}, 40_KiB, 128_KiB, inside, outside);
  CHECK(at > side / std::exp2(0.25));
  CHECK(at < side * std::exp2(0.25));
}

TEST_CASE("the_tlb_knee_stands_at_entries_times_page") {
  machine::MachineSpec spec = monolithic();
  translation::TlbLevelSpec tlb;
  tlb.name = "TLB";
  tlb.entries = 8;
  tlb.entry_reach = 4_KiB;
  tlb.miss_latency = 40_clk;
  spec.translation.levels = {tlb};
  spec.translation.walker.latency = 60_ns;
  spec.l2.cache.size = 64_KiB;  // far beyond the few lines of the chase
  spec.l2.cache.ways = 16;
  LatencyQuestion question;
  question.stride = 4_KiB;  // a line of each page; the L1 has one set for all of them
  const auto latency = [&](std::uint64_t pages) { return measure_latency(spec, question, pages * 4096); };
  const double hit = latency(8).latency_ns;
  CHECK(hit == Approx(ns(spec, Way(machine::Machine(spec)).l2_hit())));
  // Past the last entry a least recently used TLB misses always: 40 cycles of 1 GHz and the walk.
  CHECK(latency(9).latency_ns == Approx(hit + 40 + 60));
  CHECK(latency(16).latency_ns == Approx(hit + 40 + 60));
}

TEST_CASE("shared_space_costs_the_shared_memory_latency") {
  LatencyQuestion question;
  question.space = Space::shared;
  question.bytes_per_lane = 4;
  const machine::MachineSpec spec = monolithic();
  const LatencyPoint point = measure_latency(spec, question, 8192);
  CHECK(point.latency_cycles == spec.core.shared_memory.latency.value);
  CHECK(share(point, "shared memory") == 1);
}

TEST_CASE("segments_are_chased_each_by_a_core_of_its_own") {
  const machine::MachineSpec spec = monolithic();
  LatencyQuestion question;
  question.threads = 4;  // one a core
  WHEN("an array of twice the L1 is cut in four") {
    question.segmented = true;
    THEN("each segment fits in an L1") {
      const LatencyPoint point = measure_latency(spec, question, 4096);
      CHECK(share(point, "L1") == 1);
      CHECK(point.loads == question.timed_loads);
    }
  }
  WHEN("all chase the whole array") {
    THEN("it fits in none") { CHECK(share(measure_latency(spec, question, 4096), "L1") == 0); }
  }
  WHEN("few loads are asked of many threads") {
    question.timed_loads = 4;
    THEN("each still makes 64") { CHECK(measure_latency(spec, question, 4096).loads == 4 * 64); }
  }
}

TEST_CASE("threads_of_one_die_share_its_private_l2") {
  const machine::MachineSpec spec = chiplets();
  LatencyQuestion question;
  question.threads = 2;
  question.segmented = true;
  const std::uint64_t footprint = 24 * 1024;  // more than the L2 of a die, half of it fits
  question.placement = "die_first";
  CHECK(share(measure_latency(spec, question, footprint), "L2") < 0.1);
  question.placement = "round_robin_dies";
  CHECK(share(measure_latency(spec, question, footprint), "L2") > 0.9);
}

TEST_CASE("shares_add_up_to_one") {
  for (const machine::MachineSpec& spec : {monolithic(), two_sides(), chiplets()})
    for (const std::uint64_t footprint : {1024U, 3072U, 20480U, 40960U, 131072U}) {
      CAPTURE(spec.name, footprint);
      double sum = 0;
      for (const LevelShare& level : measure_latency(spec, {}, footprint).served_by) sum += level.share;
      CHECK(sum == Approx(1));
    }
}

TEST_CASE("a_question_that_does_not_fit_is_refused_by_name") {
  const machine::MachineSpec spec = monolithic();
  LatencyQuestion question;
  CHECK(refusal(spec, question, 8 << 20) == "a footprint of 8388608 bytes does not fit in 4194304 bytes of memory");
  CHECK(refusal(spec, question, 64) == "a footprint of 64 bytes has 0 nodes 128 bytes apart; 1 are needed");
  question.threads = 0;
  CHECK(refusal(spec, question, 1024) == "no thread to chase");
  question.threads = 9;
  question.segmented = true;
  CHECK(refusal(spec, question, 1024) == "a footprint of 1024 bytes has 8 nodes 128 bytes apart; 9 are needed");
  question = {};
  question.lanes = 65;
  CHECK(refusal(spec, question, 1024) == "a warp has 1 to 64 lanes, not 65");
  question.lanes = 0;
  CHECK(refusal(spec, question, 1024) == "a warp has 1 to 64 lanes, not 0");
  question = {};
  question.stride = 0_B;
  CHECK(refusal(spec, question, 1024) == "a stride of 0 bytes is not allowed: it must be 1 or more");
  question = {};
  question.space = Space::shared;
  CHECK(refusal(spec, question, 32768) == "a footprint of 32768 bytes does not fit in 16384 bytes of shared memory");
  question.threads = 2;
  CHECK(refusal(spec, question, 1024) == "shared memory belongs to one block: chase it with one thread");
  question = {};
  question.space = Space::scalar;
  CHECK(refusal(spec, question, 1024) == "tiny has no scalar cache in its configuration");
  question.space = Space::texture;
  CHECK(refusal(spec, question, 1024) == "tiny has no texture cache in its configuration");
  question = {};
  question.placement = "no such";
  CHECK(refusal(spec, question, 1024) == "there is no placement policy 'no such'; strata list policies shows them");
}

TEST_CASE("a_chase_over_the_hosts_memory_takes_the_link_both_ways") {
  machine::MachineSpec spec = monolithic();
  spec.host = machine::HostSpec();
  spec.host->size = 1_MiB;
  spec.host->latency = 300_ns;
  spec.host->memory_latency = 100_ns;
  LatencyQuestion question;
  question.home = ChaseHome::host;
  const LatencyPoint host = measure_latency(spec, question, 512 << 10U);
  spec.host->latency = 400_ns;
  spec.host->memory_latency = 150_ns;
  CHECK(measure_latency(spec, question, 512 << 10U).latency_ns == Approx(host.latency_ns + 250).epsilon(1e-9));
  CHECK(host.latency_ns > 700);
  CHECK(refusal(spec, question, 2 << 20U) ==
        "a footprint of 2097152 bytes does not fit in 1048576 bytes of the host's memory");
  spec.host.reset();
  CHECK(refusal(spec, question, 512 << 10U).find("has no link to a host's memory: host is none") != std::string::npos);
}

TEST_CASE("footprints_that_do_not_fit_are_dropped") {
  std::vector<std::uint64_t> all{1024, 16384, 16512, 4 << 20, (4 << 20) + 128};
  keep_what_fits(all, monolithic(), {});
  CHECK(all == std::vector<std::uint64_t>{1024, 16384, 16512, 4 << 20});
  LatencyQuestion question;
  question.space = Space::shared;
  keep_what_fits(all, monolithic(), question);
  CHECK(all == std::vector<std::uint64_t>{1024, 16384});
}

TEST_CASE("the_same_question_has_the_same_answer") {
  const LatencyPoint a = measure_latency(two_sides(), {}, 20480);
  const LatencyPoint b = measure_latency(two_sides(), {}, 20480);
  CHECK(a.fingerprint == b.fingerprint);
  CHECK(a.latency_ns == b.latency_ns);
}

}  // namespace strata::study
