// SPDX-License-Identifier: Apache-2.0
// All cores on a few words: no value is older than it may be, nothing is lost, and the probe filter counts each copy.
// That it does, and that no probe was sent where no copy was, Machine::run() checks itself.
#include "stress.hpp"

#include <cstdlib>
#include <string>

#include "catch.hpp"
#include "coherent_machine.hpp"
#include "config/load.hpp"
#include "files/library.hpp"
#include "parallel/windows.hpp"

namespace strata::test {
namespace {

using machine::Division;
using machine::MachineSpec;

MachineSpec load(const std::string& name) {
  const tools::Library library(STRATA_SOURCE_DIR);
  return config::load<MachineSpec>(library.gpu(name), library.configurations()).spec;
}

void make_shallow(cache::CacheSpec& cache) {
  cache.input_depth = cache.merges_per_mshr = cache.writeback_buffer = 1;
  cache.mshrs = 1;
  if (cache.dirty_ways) cache.writeback_buffer = 3;  // the least: a line may go and two be cleaned
}

// Every buffer holds one request.
MachineSpec shallow(MachineSpec spec) {
  make_shallow(spec.l1.cache);
  make_shallow(spec.l2.cache);
  if (spec.l2.partitioned) spec.l2.cache.mshrs = 2;
  if (spec.memory_side_cache) make_shallow(spec.memory_side_cache->cache);
  spec.crossbar.depth = 1;
  for (fabric::LinkSpec& link : spec.network.links) link.depth = 1;
  return spec;
}

StressResult run(const MachineSpec& spec, const Stress& stress, Division division = Division::whole) {
  engine::InTurn in_turn;
  StressRun stressed(spec, stress, division);
  return stressed.run(in_turn);
}

void check(const StressResult& result) {
  CHECK(result.too_old == 0);
  CHECK(result.too_new == 0);
  CHECK(result.lost == 0);
}

std::uint64_t operations(std::uint64_t otherwise) {
  const char* const given = std::getenv("STRATA_STRESS_OPERATIONS");
  return given == nullptr ? otherwise : std::stoull(given);
}

}  // namespace

TEST_CASE("coherent_accesses_of_private_L2s_are_as_of_one_memory") {
  Stress stress;
  stress.seed = GENERATE(1U, 2U, 3U);
  check(run(coherent_chiplets(), stress));
  check(run(shallow(coherent_chiplets()), stress));
}

TEST_CASE("a_stress_meets_hits_evictions_probes_and_dirty_data") {
  engine::InTurn in_turn;
  StressRun stressed(coherent_chiplets(), {}, Division::whole);
  check(stressed.run(in_turn));
  for (const char* const what :
       {"filter hits", "filter misses", "probes sent", "coherent waits", "copies tracked", "notices"}) {
    CAPTURE(what);
    CHECK(counted(stressed.machine(), what) > 0);
  }
  CHECK(counted(stressed.machine(), "needless probes") == 0);
  CHECK(counted(stressed.machine(), "probes sent") == counted(stressed.machine(), "probes received"));
}

// STRATA_STRESS_OPERATIONS: of each of the runs that are divided, where buffers are not of depth 1; STRATA_STRESS_GPU:
// of this GPU alone.
TEST_CASE("the_gpus_pass_a_stress_divided_or_not_on_any_number_of_threads") {
  const std::string name = GENERATE("mi300x", "b200", "b580");
  const bool depth_one = GENERATE(false, true);
  CAPTURE(name, depth_one);
  if (const char* const only = std::getenv("STRATA_STRESS_GPU"); only != nullptr && name != only) return;
  MachineSpec spec = depth_one ? shallow(load(name)) : load(name);
  spec.l1.cache.bypass_cg = true;
  Stress stress;
  stress.accesses = 30'000;
  stress.loads_are_coherent = name != "b200";  // copies of the near side are as old as they are
  const StressResult whole = run(spec, stress);
  check(whole);
  CHECK(whole.additions + whole.loads + whole.ordinary > stress.accesses * 8 / 10);
  if (!depth_one) stress.accesses = operations(stress.accesses);
  const StressResult one = run(spec, stress, Division::by_die);
  check(one);
  StressResult four;
  tools::on_threads(4, [&] {
    tools::OnIdleThreads executor;
    StressRun stressed(spec, stress, Division::by_die);
    four = stressed.run(executor);
  });
  check(four);
  CHECK(four.fingerprint == one.fingerprint);
  if (std::getenv("STRATA_STRESS_OPERATIONS") != nullptr)
    WARN(name << ": " << one.additions << " additions, " << one.loads << " loads, " << one.ordinary
              << " ordinary accesses");
}

}  // namespace strata::test
