// SPDX-License-Identifier: Apache-2.0
// Prefetchers at the slices of an L2 and of a memory-side cache: a line that a slice requests is
// fetched by the slice that holds it.
#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

constexpr std::uint64_t line = 128;
constexpr std::uint64_t lines_of_4_KiB = 32;

MachineSpec with_l2(MachineSpec spec, const std::string& prefetcher, std::uint64_t degree = 1) {
  spec.l2.cache.prefetcher = prefetcher;
  spec.l2.cache.prefetch_degree = degree;
  return spec;
}

/// The latency of each load of a chase.
std::vector<Duration> chase(Machine& machine, std::uint64_t nodes, trace::ChaseOrder order) {
  std::vector<Duration> latencies;
  trace::Instruction pattern;
  pattern.bytes_per_lane = 4;
  trace::PointerChase loads({0, nodes, line, order, 5}, pattern, 0, nodes);
  machine.start(0, loads,
                {[](void* self, std::uint32_t, Duration latency, unsigned) {
                   static_cast<std::vector<Duration>*>(self)->push_back(latency);
                 },
                 &latencies});
  machine.run();
  return latencies;
}

std::uint64_t total(Machine& machine, const std::string& cache, const std::string& name) {
  std::uint64_t all = 0;
  const stats::Snapshot snapshot = machine.meter().snapshot();
  for (const stats::Figure& figure : snapshot.figures())
    if (figure.path.find(cache + " slice") != std::string::npos && figure.path.ends_with("/" + name))
      all += figure.value;
  return all;
}

Duration sum(const std::vector<Duration>& all) {
  Duration total{};
  for (const Duration one : all) total += one;
  return total;
}

}  // namespace

TEST_CASE("the_lines_behind_a_load_are_in_the_slices_that_hold_them") {
  for (const std::uint64_t slices : {1U, 2U, 4U}) {
    CAPTURE(slices);
    MachineSpec spec = with_l2(monolithic(), "next_line");
    spec.l2.slices_per_die = slices;
    spec.memory.channels_per_die = std::min<std::uint64_t>(slices, 2);
    Prober prober(spec);
    const Way way(prober.machine());
    for (std::uint64_t i = 0; i < 2 * lines_of_4_KiB; ++i) {
      CAPTURE(i);
      const Served served = prober.load(0, i * line);
      // Each load waits for the prefetches of the one before. The first line of 4 KiB has none before it.
      CHECK(prober.level(served.level) == (i % lines_of_4_KiB == 0 ? "DRAM" : "L2"));
      if (i % lines_of_4_KiB != 0) CHECK(served.latency == way.l2_hit());
    }
  }
}

TEST_CASE("an_ascending_chase_overlaps_as_many_fetches_as_the_prefetch_degree") {
  // A prefetch of line n is sent at the look-up of line n - degree. A load that follows after the
  // latencies of those between waits for the rest of a miss M, or takes a hit H if the miss is over.
  const std::uint64_t degree = GENERATE(1U, 2U, 4U);
  MachineSpec spec = with_l2(monolithic(), "next_line", degree);
  spec.memory.latency = Nanoseconds{400};
  Machine machine(spec);
  const Way way(machine);
  MachineSpec plain = spec;
  plain.l2.cache.prefetcher = "none";
  Machine without(plain);
  const std::vector<Duration> misses = chase(without, 8 * lines_of_4_KiB, trace::ChaseOrder::ascending);
  const Duration miss{sum(misses).ticks / static_cast<std::int64_t>(misses.size())};
  REQUIRE(miss > way.l2_hit() * 4);

  std::vector<Duration> expected;
  for (std::uint64_t n = 0; n < lines_of_4_KiB; ++n) {
    Duration since{};
    const std::uint64_t leaves = n > degree ? n - degree : 0;
    for (std::uint64_t k = leaves; k < n; ++k) since += expected[k];
    expected.push_back(n == 0 ? miss : longer(way.l2_hit(), miss - since));
  }
  const std::vector<Duration> measured = chase(machine, 8 * lines_of_4_KiB, trace::ChaseOrder::ascending);
  const double ratio = static_cast<double>(sum(measured).ticks) / static_cast<double>(sum(expected).ticks * 8);
  CHECK(ratio == Approx(1.0).margin(0.03));
  // In the long run one miss for each degree + 1 lines.
  const double faster = static_cast<double>(sum(misses).ticks) / static_cast<double>(sum(measured).ticks);
  CHECK(faster == Approx(static_cast<double>(degree) + 1).epsilon(0.15));
}

TEST_CASE("a_random_chase_pays_no_more_than_the_bandwidth_of_its_prefetches") {
  const std::uint64_t nodes = 2048;  // 256 KiB, sixteen times the L2
  Machine without(monolithic());
  Machine machine(with_l2(monolithic(), "next_line"));
  const Duration plain = sum(chase(without, nodes, trace::ChaseOrder::random));
  const Duration measured = sum(chase(machine, nodes, trace::ChaseOrder::random));
  // Each load fetches a line more; it delays the next one by the time of that line at most.
  const double line_ns = static_cast<double>(line) / (dram::peaks(machine.spec().memory.channel).bandwidth.value / 1e9);
  const double slower_ns = (machine.timebase().to_nanoseconds(measured) - machine.timebase().to_nanoseconds(plain)) /
                           static_cast<double>(nodes);
  CHECK(slower_ns < line_ns);
  CHECK(slower_ns > -machine.timebase().to_nanoseconds(plain) / static_cast<double>(nodes) * 0.1);
  CHECK(total(machine, "L2", "prefetches") > nodes * 9 / 10);
}

TEST_CASE("the_slices_of_a_die_learn_a_stride_together") {
  // Three lines apart, two slices: no slice receives all of the loads.
  const std::string name = GENERATE("stride", "best_offset");
  CAPTURE(name);
  MachineSpec spec = with_l2(monolithic(), name);
  Prober prober(spec);
  const Way way(prober.machine());
  // best_offset takes up to 100 rounds over its 18 distances.
  const std::uint64_t learning = name == "stride" ? 3 : 2000;
  unsigned hits = 0;
  unsigned loads = 0;
  for (std::uint64_t i = 0; i < learning + 320; ++i) {
    const std::uint64_t region = i / 10 * 4096;
    const Served served = prober.load(0, (region + i % 10 * 3 * line) % (4U << 20U));
    if (i < learning || i % 10 < 3) continue;
    ++loads;
    hits += prober.level(served.level) == "L2" ? 1 : 0;
  }
  CHECK(hits == loads);
}

TEST_CASE("a_partitioned_l2_fetches_ahead_at_home_alone") {
  // Address bit 9: lines 0 to 3 are of die 0, lines 4 to 7 of die 1.
  Prober prober(with_l2(two_sides(), "next_line"));
  const Way way(prober.machine());
  CHECK(prober.level(prober.load(0, 0).level) == "DRAM");
  CHECK(prober.load(0, 1 * line).latency == way.l2_hit());
  // Its first use has line 2 fetched. Line 3 misses, and line 4 is of the other die.
  CHECK(prober.level(prober.load(0, 3 * line).level) == "DRAM");
  CHECK(prober.level(prober.load(0, 4 * line).level) == "DRAM");
  CHECK(prober.load(0, 5 * line).latency == way.far_hit());
}

TEST_CASE("a_memory_side_cache_fetches_ahead_the_lines_of_its_die") {
  MachineSpec spec = chiplets();
  spec.memory_side_cache->cache.prefetcher = "next_line";
  Prober prober(spec);
  const Way way(prober.machine());
  // Address bits 8 and 9: pairs of lines change dies.
  for (const std::uint64_t first : {0U, 2U, 4U, 6U}) {
    CAPTURE(first);
    const std::uint32_t home =
        static_cast<std::uint32_t>(prober.machine().atlas().whereabouts(0, first * line).home_die);
    CHECK(prober.level(prober.load(0, first * line).level) == "DRAM");
    CHECK(prober.load(0, (first + 1) * line).latency == way.memory_side_hit(way.flight(0, home)));
  }
}

}  // namespace strata::machine::test
