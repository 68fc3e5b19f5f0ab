// SPDX-License-Identifier: Apache-2.0
// Hand-offs on machines whose stages are known: a hand-off takes half of the attempt and loop
// of the slower thread.
#include "study/handoff.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/invalid_request.hpp"
#include "catch.hpp"
#include "machine/tiny_machine.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

constexpr double loop_cycles = 40;

HandoffQuestion question_at(std::uint64_t address) {
  HandoffQuestion question;
  question.address = address;
  question.loop_cycles = loop_cycles;
  return question;
}

HandoffPoint ask(const machine::MachineSpec& spec, const HandoffQuestion& question, CorePair cores) {
  return measure_handoffs(spec, question, std::array{cores}).front();
}

std::string refusal(const machine::MachineSpec& spec, const HandoffQuestion& question, CorePair cores) {
  try {
    ask(spec, question, cores);
    return "none";
  } catch (const InvalidRequest& error) {
    return error.what();
  }
}

// Stages of an attempt that ends in an L2 slice, in ns: the answer passes the L1 by.
double at_l2(const machine::Machine& machine, Duration further = {}) {
  const Way way(machine);
  const Duration fill = machine.core_clock().cycles(machine.spec().l1.cache.fill_latency.value);
  return machine.timebase().to_nanoseconds(way.l2_hit() - fill + further);
}
double loop_ns(const machine::Machine& machine) {
  return machine.timebase().to_nanoseconds(machine.core_clock().cycles(loop_cycles));
}

machine::MachineSpec coherent_chiplets() {
  machine::MachineSpec spec = chiplets();
  spec.l2.cache.performs_atomics = false;
  spec.memory_side_cache->cache.performs_atomics = true;
  return spec;
}

}  // namespace

TEST_CASE("two_cores_of_one_die_take_half_an_attempt_and_a_loop") {
  const machine::MachineSpec spec = monolithic();
  const machine::Machine machine(spec);
  const HandoffPoint point = ask(spec, question_at(0), {0, 1});
  CHECK(point.relation == "one die");
  CHECK(point.ns == Approx((at_l2(machine) + loop_ns(machine)) / 2).margin(1));
  CHECK(point.cycles == Approx(point.ns));  // the cores run at 1 GHz
  // A loop that is longer by a number of clocks adds half of them.
  HandoffQuestion longer = question_at(0);
  longer.loop_cycles += 60;
  CHECK(ask(spec, longer, {0, 1}).cycles - point.cycles == Approx(30).margin(1));
}

TEST_CASE("a_pair_across_the_dies_pays_both_crossings") {
  const machine::MachineSpec spec = two_sides();
  const machine::Machine machine(spec);
  const Way way(machine);
  HandoffQuestion question = question_at(0);
  question.home = ChaseHome::near;
  const HandoffPoint near = ask(spec, question, {0, 1});
  CHECK(near.relation == "both on the word's die");
  CHECK(near.ns == Approx((at_l2(machine) + loop_ns(machine)) / 2).margin(1));

  question.home = ChaseHome::far;
  const HandoffPoint far = ask(spec, question, {0, 1});
  CHECK(far.relation == "none on the word's die");
  // The slice that it leaves drops its copy, after the hit latency.
  const double crossing = machine.timebase().to_nanoseconds(way.l2_data() + way.crossing() * 2 + way.l2_fill());
  CHECK(far.ns - near.ns == Approx(crossing / 2).margin(1));

  // The slower thread sets the rate; attempts of the faster one fail meanwhile.
  const auto cores = static_cast<std::uint32_t>(spec.dies.cores_per_die);
  const HandoffPoint mixed = ask(spec, question, {0, cores});
  CHECK(mixed.relation == "one on the word's die");
  CHECK(mixed.ns == Approx(far.ns).margin(1));
  CHECK(mixed.attempts > 1.2);
  CHECK(far.attempts < 1.1);
}

TEST_CASE("private_l2s_hand_over_at_the_memory_side") {
  const machine::MachineSpec spec = coherent_chiplets();
  const machine::Machine machine(spec);
  const std::uint64_t home_0 = address_at_home(machine, 0);
  const std::uint64_t home_3 = address_at_home(machine, 3);
  const HandoffPoint local = ask(spec, question_at(home_0), {0, 1});
  CHECK(local.relation == "one die");
  // Two hops more there and two back, along both edges of the square.
  const double hops = 4 * mesh_link.value;
  CHECK(ask(spec, question_at(home_3), {0, 1}).ns - local.ns == Approx(hops / 2).margin(1));
  // Cores of dies 0 and 7 lie a diagonal apart: one of the two is at home, the other sets the pace.
  const HandoffPoint apart = ask(spec, question_at(home_0), {0, 15});
  CHECK(apart.relation == "dies 38 ns apart");
  CHECK(apart.ns - local.ns == Approx(hops / 2).margin(1));
}

TEST_CASE("a_hand_off_inside_a_block_takes_half_the_latency_and_a_loop") {
  const machine::MachineSpec spec = monolithic();
  HandoffQuestion question = question_at(64);
  question.space = trace::Space::shared;
  const HandoffPoint point = ask(spec, question, {0, 0});
  CHECK(point.relation == "one block");
  CHECK(point.cycles == Approx((spec.core.shared_memory.latency.value + loop_cycles) / 2).margin(1));
}

TEST_CASE("the_stages_of_an_attempt_add_up_to_the_hand_off") {
  for (const machine::MachineSpec& spec : {monolithic(), two_sides(), coherent_chiplets()}) {
    CAPTURE(spec.name);
    const machine::Machine machine(spec);
    const CorePair cores{0, 1};
    double attempt = 0;
    for (const stats::NamedShare& stage : handoff_stages(spec, question_at(0), cores)) attempt += stage.mean_ns;
    CHECK(ask(spec, question_at(0), cores).ns == Approx((attempt + loop_ns(machine)) / 2).margin(1.5));
  }
}

TEST_CASE("pairs_asked_together_answer_as_alone") {
  const machine::MachineSpec spec = two_sides();
  const HandoffQuestion question = question_at(0);
  const std::vector<CorePair> pairs = handoff_pairs(spec, question, 0, 1);
  REQUIRE(pairs.size() == 28);  // of 8 cores
  CHECK(count_handoff_pairs(spec, question) == 28);
  const std::vector<HandoffPoint> together = measure_handoffs(spec, question, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    CAPTURE(pairs[i].first, pairs[i].second);
    CHECK(ask(spec, question, pairs[i]).ns == Approx(together[i].ns).epsilon(0.02));
  }
}

TEST_CASE("a_draw_of_pairs_is_that_of_its_seed") {
  const machine::MachineSpec spec = coherent_chiplets();
  const auto drawn = [&](std::uint64_t seed) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (const CorePair& pair : handoff_pairs(spec, question_at(0), 20, seed))
      all.emplace_back(pair.first, pair.second);
    return all;
  };
  const auto first = drawn(1);
  CHECK(first.size() == 20);
  CHECK(std::set(first.begin(), first.end()).size() == 20);
  CHECK(std::all_of(first.begin(), first.end(),
                    [](const auto& pair) { return pair.first < pair.second && pair.second < 16; }));
  CHECK(first == drawn(1));
  CHECK(first != drawn(2));
  CHECK(handoff_pairs(spec, question_at(0), 1000, 1).size() == 120);
}

TEST_CASE("what_cannot_hand_over_is_refused") {
  const std::string own =
      "cores 0 and 2 perform atomics in separate caches, so neither sees the stores of the other (set "
      "l2.cache.performs_atomics=false and memory_side_cache.cache.performs_atomics=true)";
  CHECK(refusal(chiplets(), question_at(0), {0, 2}) == own);
  CHECK(refusal(chiplets(), question_at(0), {0, 1}) == "none");
  machine::MachineSpec nobody = monolithic();
  nobody.l2.cache.performs_atomics = false;
  CHECK(refusal(nobody, question_at(0), {0, 1}) ==
        "no cache of tiny performs atomics, so nothing orders the attempts of both cores (set "
        "l2.cache.performs_atomics=true)");
  nobody.l2.cache.performs_atomics = nobody.l2.bypass = true;
  CHECK(refusal(nobody, question_at(0), {0, 1}) ==
        "no cache of tiny performs atomics, so nothing orders the attempts of both cores: l2.bypass = true removes the "
        "L2 "
        "(set l2.bypass=false)");
  CHECK(refusal(monolithic(), question_at(0), {0, 4}) == "tiny has cores 0 to 3, not 4");
  CHECK(refusal(monolithic(), question_at(0), {1, 1}) ==
        "a hand-off has two cores, not core 1 twice; in shared memory, one block");
  CHECK(refusal(monolithic(), question_at(2), {0, 1}) ==
        "an atomic changes an aligned word of 4 bytes; address 2 is not aligned");
  HandoffQuestion shared = question_at(0);
  shared.space = trace::Space::shared;
  CHECK(refusal(monolithic(), shared, {0, 1}) ==
        "a block has all its threads on one core: in shared memory both cores are the same");
  shared.address = 16384;
  CHECK(refusal(monolithic(), shared, {0, 0}) == "address 16384 lies outside of 16384 bytes of shared memory");
  shared.address = 0;
  shared.home = ChaseHome::near;
  CHECK(refusal(monolithic(), shared, {0, 0}) == "shared memory is private to the core: it has no near or far part");
}

}  // namespace strata::study
