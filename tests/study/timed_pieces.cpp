// SPDX-License-Identifier: Apache-2.0
// Caches whose policy permanently retains a part of a cyclic walk: a few timed loads report the same as a whole round.
#include "catch.hpp"
#include "machine/tiny_machine.hpp"
#include "replacement/table.hpp"
#include "study/latency/latency.hpp"

namespace strata::study {
namespace {

using namespace machine::test;

double l2_share(const std::string& policy, std::uint64_t footprint, std::uint64_t timed) {
  machine::MachineSpec spec = monolithic();
  spec.l2.cache.replacement = policy;
  LatencyQuestion question;
  question.timed_loads = timed;
  for (const LevelShare& share : measure_latency(spec, question, footprint).served_by)
    if (share.level == "L2") return share.share;
  return -1;
}

}  // namespace

TEST_CASE("a_part_of_a_round_stands_for_the_whole_under_every_policy") {
  const machine::MachineSpec spec = monolithic();
  const std::uint64_t l2 = spec.l2.cache.size.value * spec.l2.slices_per_die;
  bool some_kept = false;
  for (const auto& row : replacement::ReplacementTable::rows()) {
    const std::string policy(row.name);
    for (const std::uint64_t footprint : {l2 * 5 / 4, l2 * 2, l2 * 4}) {
      CAPTURE(policy, footprint);
      const std::uint64_t round = footprint / 128;
      const double whole = l2_share(policy, footprint, round);
      CHECK(l2_share(policy, footprint, round / 4) == Approx(whole).margin(0.12));
      some_kept |= whole > 0.05 && whole < 0.95;
    }
  }
  CHECK(some_kept);
}

}  // namespace strata::study
