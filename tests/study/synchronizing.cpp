// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks wait for each other. They detect a lock that is held twice, a barrier that is passed too early
// or a lost item; this file tests their times and refusals.
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "kernels/catalogue.hpp"
#include "machine/tiny_machine.hpp"
#include "study/run/run.hpp"

namespace strata::study {
namespace {

using machine::MachineSpec;
using machine::test::chiplets;
using machine::test::monolithic;
using machine::test::two_sides;

RunResult run(const MachineSpec& spec, const std::string& text, const RunQuestion& question = {}) {
  trace::LaunchList list;
  list.push_back(kernels::make_kernel(text, target_of(spec)));
  return measure_run(spec, list, question);
}

std::string refusal(const MachineSpec& spec, const std::string& text, const RunQuestion& question = {}) {
  try {
    run(spec, text, question);
    return "none";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

// Dies with private L2s, with atomics at a level that all of them share.
MachineSpec common_atomics() {
  MachineSpec spec = chiplets();
  spec.l2.cache.performs_atomics = false;
  spec.memory_side_cache->cache.performs_atomics = true;
  return spec;
}

std::vector<MachineSpec> machines() { return {monolithic(), two_sides(), common_atomics()}; }

double cycles_of(const MachineSpec& spec, const std::string& text) { return run(spec, text).cycles; }

}  // namespace

TEST_CASE("what_is_done_under_a_lock_is_done_once_at_a_time") {
  const std::string lock = GENERATE("cas", "ticket");
  for (const MachineSpec& spec : machines()) {
    CAPTURE(spec.name, lock);
    const auto held = [&](unsigned work, unsigned locks) {
      return cycles_of(spec, "spin_lock,blocks=8,acquisitions=4,work=" + std::to_string(work) +
                                 ",locks=" + std::to_string(locks) + ",lock=" + lock);
    };
    // Each of 32 acquisitions holds the lock for that many instructions, 4 clk after each other.
    const double latency = spec.core.execution.latency.value;
    const double one = held(500, 1);
    CHECK(one > 32 * 500 * latency);
    CHECK(one < 32 * (500 * latency + 3000));
    // Blocks with separate locks do not wait for each other.
    CHECK(held(500, 8) < one / 4);
  }
}

TEST_CASE("a_barrier_of_the_grid_keeps_blocks_in_step") {
  for (const MachineSpec& spec : machines()) {
    CAPTURE(spec.name);
    const std::string some = "grid_barrier,blocks=4,threads=64,work=50,rounds=";
    const double four = cycles_of(spec, some + "4");
    const double eight = cycles_of(spec, some + "8");
    const double latency = spec.core.execution.latency.value;
    CHECK(eight - four > 4 * 50 * latency);
    // Two accesses at least, to the line of the arrivals and to that of the rounds.
    const double atomic = cycles_of(spec, "spin_lock,blocks=1,acquisitions=2,work=0") -
                          cycles_of(spec, "spin_lock,blocks=1,acquisitions=1,work=0");
    CHECK(eight - four > 4 * (50 * latency + atomic));
  }
}

TEST_CASE("a_queue_passes_every_item_and_its_slower_end_sets_the_pace") {
  for (const MachineSpec& spec : machines()) {
    CAPTURE(spec.name);
    const double latency = spec.core.execution.latency.value;
    const double quick = cycles_of(spec, "queue,pairs=2,items=32,slots=4");
    const double slow = cycles_of(spec, "queue,pairs=2,items=32,slots=4,work=2000");
    CHECK(slow > 32 * 2000 * latency);
    CHECK(slow < 32 * 2000 * latency + quick * 2);
    // With a single slot the producer waits for each item to be taken.
    CHECK(cycles_of(spec, "queue,pairs=2,items=32,slots=1") > quick * 1.2);
  }
}

TEST_CASE("words_are_0_again_for_each_kernel_of_a_list") {
  for (const MachineSpec& spec : machines()) {
    CAPTURE(spec.name);
    trace::LaunchList list;
    for (const char* const text :
         {"vecadd,n=1024", "queue,pairs=2,items=8", "queue,pairs=2,items=8", "copy,bytes=64KiB",
          "grid_barrier,blocks=4,threads=32,rounds=4", "grid_barrier,blocks=2,threads=32,rounds=8",
          "spin_lock,blocks=4,lock=ticket", "spin_lock,blocks=4"})
      list.push_back(kernels::make_kernel(text, target_of(spec)));
    RunQuestion warm;
    warm.caches = Caches::warm;
    const RunResult result = measure_run(spec, list, warm);
    REQUIRE(result.kernels.size() == list.size());
    // Both queues pass as many items by as many accesses at least: two of each end for an item.
    for (const std::size_t k : {1U, 2U}) CHECK(result.kernels[k].sectors >= 2 * 8 * 4);
  }
}

TEST_CASE("synchronising_kernels_that_could_not_end_are_refused") {
  CHECK(refusal(monolithic(), "grid_barrier,blocks=60000").find("wait for each other, and ") != std::string::npos);
  CHECK(refusal(monolithic(), "queue,pairs=4000,slots=1").find("of its 8000 blocks are resident on tiny") !=
        std::string::npos);
  CHECK(refusal(chiplets(), "spin_lock").find("perform atomics in separate caches") != std::string::npos);
  RunQuestion sampled;
  sampled.sampled = 0.5;
  CHECK(refusal(monolithic(), "spin_lock", sampled) ==
        "a kernel whose blocks wait for each other cannot be sampled (remove --sampled)");
  // No memory answers outside of a run.
  const auto kernel = kernels::make_kernel("spin_lock", target_of(monolithic()));
  const auto block = kernel->open(0);
  trace::Instruction instruction;
  CHECK_THROWS_WITH(
      [&] {
        while (block->warp(0).next(instruction)) {
        }
      }(),
      Catch::Contains("its instructions are known only during a run"));
}

TEST_CASE("a_synchronising_kernel_is_the_same_each_time") {
  for (const char* text : {"spin_lock,blocks=16", "grid_barrier,blocks=4,threads=32", "queue,pairs=2"}) {
    const RunResult first = run(two_sides(), text);
    CHECK(first.fingerprint == run(two_sides(), text).fingerprint);
  }
}

}  // namespace strata::study
