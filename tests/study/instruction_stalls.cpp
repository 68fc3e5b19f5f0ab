// SPDX-License-Identifier: Apache-2.0
// Code of a kernel file and the instruction cache, in the result of a run.
#include <algorithm>
#include <string>

#include "catch.hpp"
#include "kernels/described/described.hpp"
#include "machine/tiny_machine.hpp"
#include "study/run/run.hpp"

namespace strata::study {
namespace {

/// Four lines of code for each core.
machine::MachineSpec small_instruction_cache() {
  machine::MachineSpec spec = machine::test::monolithic();
  spec.instruction_cache.emplace();
  spec.instruction_cache->cache =
      machine::test::tiny_cache("instruction cache", Bytes{512}, 4, Cycles{5}, Cycles{17}, Cycles{3});
  return spec;
}

/// A loop of three steps and its branch, in so many bytes of code each.
KernelRun run_code(const machine::MachineSpec& spec, const std::string& code_bytes) {
  const std::string text = "name: loop\nblocks: 1\nthreads: 32\ncode_bytes: " + code_bytes +
                           "\nloop: 1\nbody:\n"
                           "  - loop: i\n"
                           "    to: 100\n"
                           "    body: [{op: integer}, {op: fp32}, {op: integer}]\n";
  trace::LaunchList list;
  list.push_back(kernels::read_kernel({text, "k.yaml"}, target_of(spec)));
  RunQuestion question;
  question.statistics = stats::Detail::instances;
  return measure_run(spec, list, question).kernels.at(0);
}

double code_figure(const KernelRun& run, const std::string& path) {
  const auto found = std::find_if(run.statistics.begin(), run.statistics.end(),
                                  [&](const stats::Statistic& each) { return each.path == path; });
  return found == run.statistics.end() ? -1 : found->value;
}

double stall_share(const KernelRun& run, const std::string& stall) {
  const auto found = std::find_if(run.stalls.begin(), run.stalls.end(),
                                  [&](const stats::NamedShare& each) { return each.name == stall; });
  return found == run.stalls.end() ? 0 : found->share;
}

}  // namespace

TEST_CASE("warps_wait_for_code_that_the_instruction_cache_cannot_hold") {
  const machine::MachineSpec spec = small_instruction_cache();
  // The body has steps 1 to 4; behind them lie the branch of the kernel and its end.
  const KernelRun fits = run_code(spec, "128");
  CHECK(code_figure(fits, "instruction cache 0/misses") == 4 + 2);
  CHECK(code_figure(fits, "instruction cache 0/hits") == 4 * 99);
  // Two lines are too few for four.
  machine::MachineSpec smaller = spec;
  smaller.instruction_cache->cache.size = Bytes{256};
  smaller.instruction_cache->cache.ways = 2;
  const KernelRun beyond = run_code(smaller, "128");
  CHECK(code_figure(beyond, "instruction cache 0/misses") == 4 * 100 + 2);
  CHECK(stall_share(fits, "instruction") < 0.9);
  CHECK(stall_share(beyond, "instruction") > 0.9);
  CHECK(beyond.seconds > 10 * fits.seconds);
  CHECK(beyond.stalls.front().name == "instruction");

  const KernelRun unknown = run_code(smaller, "0");
  CHECK(code_figure(unknown, "instruction cache 0/misses") == -1);
  CHECK(stall_share(unknown, "instruction") == 0);
  CHECK(unknown.seconds < fits.seconds);
}

}  // namespace strata::study
