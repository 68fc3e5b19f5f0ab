// SPDX-License-Identifier: Apache-2.0
// Conservation and Little's law hold at each level of every GPU for any load: reads, writes, copies
// and atomics, in L1, L2 and memory, with and without background load. Every run checks its balance
// itself and throws if it does not hold. All: STRATA_BALANCE=all build/tests/test_balance; another
// sample: STRATA_SEED=7 STRATA_CASES=500.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/random.hpp"
#include "catch.hpp"
#include "kernels/catalogue.hpp"
#include "sampling.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/bandwidth/loaded.hpp"
#include "study/latency/latency.hpp"
#include "study/run/run.hpp"

using namespace strata;
using test::asked;
using test::spec_of;

namespace {

enum class What { read, write, copy, atomic, loaded, latency, all };
constexpr std::uint64_t whats = static_cast<std::uint64_t>(What::all);
enum class Where { l1, l2, memory, all };
constexpr std::uint64_t wheres = static_cast<std::uint64_t>(Where::all);

std::uint64_t footprint(const machine::MachineSpec& spec, Where where) {
  const std::uint64_t cores = spec.dies.compute * spec.dies.cores_per_die;
  const std::uint64_t l1 = cores * spec.l1.chosen().size.value;
  if (where == Where::l1) return l1 / 2;
  if (where == Where::memory) return std::min<std::uint64_t>(spec.memory.size.value / 4, 1024U << 20U);
  return spec.l2.bypass ? 2 * l1 : spec.l2.slices_per_die * spec.dies.compute * spec.l2.cache.size.value / 2;
}

void run(const machine::MachineSpec& spec, What what, Where where) {
  constexpr std::uint64_t timed = 256U << 10U;
  const std::uint64_t bytes = footprint(spec, where);
  study::BandwidthQuestion question;
  question.timed_bytes = timed;
  switch (what) {
    case What::read:
    case What::write:
    case What::copy:
      question.operation = static_cast<trace::StreamOperation>(what);
      study::measure_bandwidth(spec, question, bytes);
      return;
    case What::atomic: {
      trace::LaunchList list;
      list.push_back(kernels::make_kernel(where == Where::l1   ? "histogram,n=32768"
                                          : where == Where::l2 ? "atomic_add,n=16384"
                                                               : "atomic_add,n=16384,addresses=16384",
                                          study::target_of(spec)));
      study::measure_run(spec, list, {});
      return;
    }
    case What::loaded:
      question.sharing = study::Sharing::split;
      study::measure_loaded(spec, question, bytes, 2e11);
      return;
    default: {
      study::LatencyQuestion chase;
      chase.threads = 4;
      study::measure_latency(spec, chase, where == Where::l1 ? spec.l1.chosen().size.value / 2 : bytes);
    }
  }
}

void check(const std::string& gpu, What what, Where where) {
  INFO(fmt::format("{} {} {}", gpu, static_cast<int>(what), static_cast<int>(where)));
  CHECK_NOTHROW(run(spec_of(gpu), what, where));
}

}  // namespace

TEST_CASE("every_run_balances") {
  const std::vector<std::string> gpus = tools::Library(STRATA_SOURCE_DIR).gpus();
  if (std::getenv("STRATA_BALANCE") != nullptr) {
    for (const std::string& gpu : gpus)
      for (std::uint64_t what = 0; what < whats; ++what)
        for (std::uint64_t where = 0; where < wheres; ++where)
          check(gpu, static_cast<What>(what), static_cast<Where>(where));
    return;
  }
  RandomSequence random{asked("STRATA_SEED", 1)};
  // Each kind of run in turn, on a random GPU and with a random footprint.
  const std::uint64_t cases = asked("STRATA_CASES", 12);
  for (std::uint64_t n = 0; n < cases; ++n) {
    const std::string& gpu = gpus[random.below(gpus.size())];
    check(gpu, static_cast<What>(n % whats), static_cast<Where>(random.below(wheres)));
  }
}
