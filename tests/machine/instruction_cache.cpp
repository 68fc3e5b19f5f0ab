// SPDX-License-Identifier: Apache-2.0
// Instruction caches: what a miss costs, which code fits, and who shares it.
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/baseline.hpp"
#include "tiny_machine.hpp"

namespace strata::machine::test {
namespace {

constexpr std::uint64_t line = 128;

/// Eight lines of code for each pair of cores.
MachineSpec with_instruction_cache() {
  MachineSpec spec = monolithic();
  spec.instruction_cache.emplace();
  spec.instruction_cache->cores = 2;
  spec.instruction_cache->cache = tiny_cache("instruction cache", 1_KiB, 8, 5_clk, 17_clk, 3_clk);
  spec.instruction_cache->cache.write_policy = cache::WritePolicy::write_through;
  return spec;
}

/// Arithmetic, `step` bytes of code apart from `first` on, so many times round.
class Loop final : public trace::WarpStream {
 public:
  Loop(std::uint64_t instructions, std::uint64_t step, std::uint64_t rounds, std::uint32_t first = 0)
      : instructions_(instructions), step_(step), left_(instructions * rounds), first_(first) {}
  bool next(trace::Instruction& instruction) override {
    if (left_ == 0) return false;
    --left_;
    instruction = {};
    instruction.op_class = trace::OpClass::fp32;
    instruction.dependent = false;
    if (step_ != 0) instruction.pc = first_ + static_cast<std::uint32_t>(at_ * step_);
    at_ = (at_ + 1) % instructions_;
    return true;
  }

 private:
  std::uint64_t instructions_, step_, left_;
  std::uint32_t first_;
  std::uint64_t at_ = 0;
};

struct Ran {
  Duration took{};
  Duration waited{};  ///< for instructions, all warps together
  std::uint64_t hits = 0, misses = 0, merges = 0, l2_requests = 0;
};

/// A warp on each of these cores at once.
Ran run(Machine& machine, std::vector<Loop> loops, const std::vector<std::uint32_t>& cores) {
  const Time begin = machine.processes().now();
  const stats::Baseline before = machine.meter().snapshot();
  for (std::size_t i = 0; i < loops.size(); ++i) machine.start(cores[i], loops[i], {});
  machine.run();
  const stats::Snapshot after = machine.meter().snapshot() - before;
  const auto sum = [&](const std::string& name) { return after.sum(name); };
  Ran ran;
  ran.took = machine.processes().now() - begin;
  ran.waited = Duration{static_cast<std::int64_t>(sum("core */stalled for instruction"))};
  ran.hits = sum("instruction cache */hits");
  ran.misses = sum("instruction cache */misses");
  ran.merges = sum("instruction cache */merges");
  ran.l2_requests = sum("die */L2 slice */requests");
  return ran;
}
Ran run(const MachineSpec& spec, const std::vector<Loop>& loops, const std::vector<std::uint32_t>& cores) {
  Machine machine(spec);
  return run(machine, loops, cores);
}

/// From the look-up in the instruction cache through a hit in the L2.
Duration fetch(const Machine& machine) {
  const MachineSpec& spec = machine.spec();
  const engine::Clock l2 = machine.timebase().clock(spec.clocks.l2.value);
  const cache::CacheSpec& own = spec.instruction_cache->cache;
  return machine.core_clock().cycles((own.tag_latency + own.fill_latency).value) +
         l2.cycles((spec.crossbar.request_latency + spec.l2.cache.hit_latency + spec.crossbar.response_latency).value);
}

}  // namespace

TEST_CASE("code_that_fits_misses_once_a_line_and_larger_code_each_time_round") {
  const MachineSpec spec = with_instruction_cache();
  for (const std::uint64_t rounds : {1U, 2U, 7U}) {
    CAPTURE(rounds);
    const Ran small = run(spec, {Loop(8, line, rounds)}, {0});
    CHECK(small.misses == 8);
    CHECK(small.hits == 8 * (rounds - 1));
    // Under LRU a loop of one line more than there are has none of them when it comes round.
    const Ran large = run(spec, {Loop(9, line, rounds)}, {0});
    CHECK(large.misses == 9 * rounds);
    CHECK(large.hits == 0);
    CHECK(large.l2_requests == 9 * rounds);
  }
}

TEST_CASE("a_miss_costs_the_way_to_the_l2_and_back_and_a_hit_no_time") {
  const MachineSpec spec = with_instruction_cache();
  Machine machine(spec);
  run(machine, {Loop(16, line, 1)}, {0});  // the code is in the L2 from now on
  const Ran missing = run(machine, {Loop(16, line, 1)}, {0});
  CHECK(missing.waited == fetch(machine) * 16);
  CHECK(missing.took == fetch(machine) * 16);

  run(machine, {Loop(4, line, 1)}, {0});
  const Ran present = run(machine, {Loop(4, line, 5)}, {0});
  CHECK(present.misses == 0);
  CHECK(present.waited == Duration{});
  Machine all_present(spec);
  run(all_present, {Loop(4, 0, 1)}, {0});
  CHECK(present.took == run(all_present, {Loop(4, 0, 5)}, {0}).took);
}

TEST_CASE("the_instructions_of_a_line_are_fetched_together") {
  const MachineSpec spec = with_instruction_cache();
  Machine machine(spec);
  // 16 lines of 8 instructions: a line is looked up when the warp comes to it, not for each instruction.
  run(machine, {Loop(128, 16, 1)}, {0});
  const Ran ran = run(machine, {Loop(128, 16, 3)}, {0});
  CHECK(ran.misses == 3 * 16);
  CHECK(ran.hits == 0);
  CHECK(ran.waited == fetch(machine) * (3 * 16));
  // The last instruction of a line issues seven intervals after the first.
  CHECK(ran.took == (fetch(machine) + machine.core_clock().cycles(7)) * (3 * 16));
}

TEST_CASE("cores_that_share_an_instruction_cache_have_one_set_of_misses") {
  const MachineSpec spec = with_instruction_cache();
  const std::vector<Loop> two{Loop(8, line, 4), Loop(8, line, 4)};
  const Ran together = run(spec, two, {0, 1});
  // Both ask for each line at once: one fetches it, the other joins.
  CHECK(together.misses == 8);
  CHECK(together.merges == 8);
  CHECK(together.l2_requests == 8);
  CHECK(together.hits == 2 * 8 * 3);
  const Ran apart = run(spec, two, {1, 2});
  CHECK(apart.misses == 2 * 8);
  CHECK(apart.merges == 0);
  // Code of both together that does not fit in one is fetched each time round.
  const std::vector<Loop> different{Loop(8, line, 4), Loop(8, line, 4, 8 * line)};
  CHECK(run(spec, different, {0, 2}).misses == 2 * 8);
  CHECK(run(spec, different, {0, 1}).misses == 2 * 8 * 4);
}

TEST_CASE("kernels_have_code_of_their_own_that_stays_for_the_next_launch") {
  MachineSpec spec = with_instruction_cache();
  spec.memory.size = 64_MiB;
  Machine machine(spec);
  const auto launch = [&](const char* kernel) {
    machine.run_code_of(kernel);
    machine.forget_first_levels();
    return run(machine, {Loop(4, line, 1)}, {0}).misses;
  };
  CHECK(launch("first") == 4);
  CHECK(launch("second") == 4);
  CHECK(launch("first") == 0);
  CHECK(launch("second") == 0);
}

TEST_CASE("without_program_counters_an_instruction_cache_changes_nothing") {
  for (const MachineSpec& base : {monolithic(), chiplets()}) {
    MachineSpec spec = base;
    spec.instruction_cache = with_instruction_cache().instruction_cache;
    Machine with(spec), without(base);
    const Ran a = run(with, {Loop(50, 0, 3)}, {0});
    const Ran b = run(without, {Loop(50, 0, 3)}, {0});
    CHECK(a.took == b.took);
    CHECK(with.processes().fingerprint() == without.processes().fingerprint());
    CHECK(with.meter().snapshot().figures().size() == without.meter().snapshot().figures().size());
    // And without an instruction cache program counters change nothing.
    Machine counted(base);
    run(counted, {Loop(50, 16, 3)}, {0});
    CHECK(counted.processes().fingerprint() == without.processes().fingerprint());
  }
}

TEST_CASE("a_prefetcher_of_next_lines_halves_the_misses_of_straight_code") {
  MachineSpec spec = with_instruction_cache();
  spec.instruction_cache->cache.prefetcher = "next_line";
  // Long after a line is wanted the next one is there: each instruction takes longer than a fetch.
  class Slow final : public trace::WarpStream {
   public:
    bool next(trace::Instruction& instruction) override {
      if (at_ == 8) return false;
      instruction = {};
      instruction.op_class = trace::OpClass::fp32;
      instruction.dependent = false;
      instruction.pc = static_cast<std::uint32_t>(at_ * line);
      instruction.not_before_cycle = 5000 * ++at_;
      return true;
    }

   private:
    std::uint64_t at_ = 0;
  };
  Machine machine(spec);
  Slow slow;
  machine.start(0, slow, {});
  machine.run();
  const stats::Snapshot after = machine.meter().snapshot();
  CHECK(after.sum("instruction cache */misses") == 1);
  CHECK(after.sum("instruction cache */hits") == 7);
  CHECK(after.sum("instruction cache */prefetches used") == 7);
}

TEST_CASE("misses_of_code_are_translated_and_pass_the_levels_of_their_core") {
  MachineSpec spec = with_instruction_cache();
  LevelSpec own;
  own.shared_by = Sharers::core;
  own.cache = tiny_cache("L1.5", 4_KiB, 4, 4_clk, 11_clk, 2_clk);
  own.cache.write_policy = cache::WritePolicy::write_through;
  own.cache.write_allocate = cache::WriteAllocate::none;
  spec.levels.push_back(own);
  Machine machine(spec);
  run(machine, {Loop(16, line, 1)}, {1});
  const Ran again = run(machine, {Loop(16, line, 1)}, {1});
  CHECK(again.misses == 16);
  CHECK(again.l2_requests == 0);
  CHECK(machine.meter().snapshot().sum("core */L1.5 slice */requests") == 32);
}

TEST_CASE("the_last_cores_of_a_die_may_be_fewer_than_share_a_cache") {
  MachineSpec spec = chiplets();
  spec.instruction_cache = with_instruction_cache().instruction_cache;
  spec.instruction_cache->cores = 3;  // of dies of two
  CHECK(instruction_caches_of_die(spec) == 1);
  Machine machine(spec);
  const std::vector<Loop> four(4, Loop(8, line, 2));
  CHECK(run(machine, four, {0, 1, 2, 15}).misses == 3 * 8);
}

}  // namespace strata::machine::test
