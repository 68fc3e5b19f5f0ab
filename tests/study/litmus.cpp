// SPDX-License-Identifier: Apache-2.0
#include "study/litmus/litmus.hpp"

#include <algorithm>
#include <string>

#include "base/invalid_request.hpp"
#include "catch.hpp"
#include "machine/tiny_machine.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

LitmusQuestion question(std::vector<std::string> tests = {}) {
  LitmusQuestion asked;
  asked.tests = std::move(tests);
  asked.runs = 128;
  return asked;
}

LitmusResult result(const machine::MachineSpec& spec, const std::string& test, std::optional<trace::Scope> fence,
                    LitmusPlacement placement) {
  const LitmusQuestion asked = question({test});
  for (const LitmusCase& one : litmus_cases(spec, asked))
    if (one.fence == fence && one.placement == placement) return run_litmus(spec, asked, one);
  FAIL("no such case");
  return {};
}

}  // namespace

TEST_CASE("no_litmus_test_shows_what_the_memory_model_forbids") {
  for (const machine::MachineSpec& spec : {monolithic(), two_sides(), chiplets()})
    for (const memory::CacheOperator cache_operator :
         {memory::CacheOperator::ca, memory::CacheOperator::cg, memory::CacheOperator::cv}) {
      LitmusQuestion asked = question();
      asked.cache_operator = cache_operator;
      for (const LitmusCase& one : litmus_cases(spec, asked)) {
        const LitmusResult found = run_litmus(spec, asked, one);
        CAPTURE(spec.name, std::string(one.test->name), std::string(name_of(one.placement)),
                one.fence ? static_cast<int>(*one.fence) : -1);
        CHECK(found.passed());
        std::uint64_t runs = 0;
        for (const auto& [registers, count] : found.outcomes) runs += count;
        CHECK(runs == asked.runs);
      }
    }
}

// Two lines may belong to different slices, and a store does not reach a copy in an L1.
TEST_CASE("without_fences_the_weak_outcomes_appear") {
  for (const char* const test : {"mp", "sb", "lb"}) {
    CAPTURE(test);
    CHECK(result(monolithic(), test, std::nullopt, LitmusPlacement::one_die).weak > 0);
    CHECK(result(two_sides(), test, std::nullopt, LitmusPlacement::two_dies).weak > 0);
  }
  // A fence of the block has no effect for another core.
  CHECK(result(monolithic(), "mp", trace::Scope::block, LitmusPlacement::one_die).weak > 0);
  CHECK(result(monolithic(), "mp", trace::Scope::block, LitmusPlacement::one_core).weak == 0);
}

// MX-31: ordinary stores do not reach the L2 of another die; after a release they do.
TEST_CASE("dies_with_L2s_of_their_own_see_each_others_stores_after_fences_alone") {
  const LitmusResult without = result(chiplets(), "mp", std::nullopt, LitmusPlacement::two_dies);
  CHECK(without.outcomes.size() == 1);
  CHECK(without.outcomes.at({0, 0}) == 128);
  const LitmusResult with = result(chiplets(), "mp", trace::Scope::gpu, LitmusPlacement::two_dies);
  CHECK(with.outcomes.count({1, 1}) == 1);
  CHECK(with.weak == 0);
}

TEST_CASE("a_forbidden_outcome_that_appears_fails") {
  LitmusResult found;
  found.weak = 1;
  CHECK(!found.passed());
  found.allowed = true;
  CHECK(found.passed());
}

TEST_CASE("litmus_cases_are_those_that_fit_the_machine") {
  machine::MachineSpec spec = monolithic();
  spec.dies.cores_per_die = spec.dies.cores_per_group = 1;
  for (const LitmusCase& one : litmus_cases(spec, question())) CHECK(one.placement == LitmusPlacement::one_core);
  machine::MachineSpec chips = chiplets();
  chips.dies.cores_per_die = chips.dies.cores_per_group = 1;
  CHECK(litmus_cases(chips, question({"mp"})).size() == 8);         // one core and two dies
  CHECK(litmus_cases(chips, question({"iriw"})).size() == 4);       // of four threads two are on one die
  CHECK(litmus_cases(monolithic(), question({"mp"})).size() == 8);  // one core and one die, with no fence and three
  CHECK(litmus_cases(two_sides(), question({"mp"})).size() == 12);
  CHECK(litmus_cases(two_sides(), question({"cowr"})).size() == 4);
  CHECK_THROWS_AS(litmus_cases(spec, question({"mpp"})), InvalidRequest);
}

// 512 runs of iriw take up to 512 x 2 x 8 lines, more than 512 KiB.
TEST_CASE("more_runs_than_a_machine_has_addresses_for_continue_on_the_next_and_a_memory_too_small_is_refused") {
  LitmusQuestion asked = question({"iriw"});
  asked.runs = 1100;
  const LitmusCase one = litmus_cases(monolithic(), asked).front();
  std::uint64_t runs = 0;
  for (const auto& [registers, count] : run_litmus(monolithic(), asked, one).outcomes) runs += count;
  CHECK(runs == 1100);
  machine::MachineSpec spec = monolithic();
  spec.memory.size = 512_KiB;
  CHECK_THROWS_AS(run_litmus(spec, asked, one), InvalidRequest);
  asked.runs = 100;
  CHECK(run_litmus(spec, asked, one).passed());
}

TEST_CASE("a_litmus_test_repeats_and_hangs_on_its_seed") {
  LitmusQuestion asked = question({"sb"});
  const LitmusCase one = litmus_cases(two_sides(), asked).back();
  const LitmusResult first = run_litmus(two_sides(), asked, one);
  CHECK(run_litmus(two_sides(), asked, one).fingerprint == first.fingerprint);
  asked.seed = 2;
  CHECK(run_litmus(two_sides(), asked, one).fingerprint != first.fingerprint);
}

}  // namespace strata::study
