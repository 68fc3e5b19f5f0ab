// SPDX-License-Identifier: Apache-2.0
// The dies of one machine on several threads: figures and fingerprints are those of one thread. The
// thread sanitizer checks that dies share only the messages exchanged between windows.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "config/load.hpp"
#include "executors.hpp"
#include "files/library.hpp"
#include "kernels/catalogue.hpp"
#include "parallel/windows.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/run/run.hpp"

namespace {

using strata::machine::MachineSpec;
using namespace strata;

MachineSpec load(const std::string& name) {
  const tools::Library library(STRATA_SOURCE_DIR);
  return config::load<MachineSpec>(library.gpu(name), library.configurations()).spec;
}

using Answer = std::vector<std::pair<std::uint64_t, double>>;

Answer ask(const MachineSpec& spec, engine::Executor* executor) {
  Answer answer;
  study::RunQuestion run;
  run.executor = executor;
  run.caches = study::Caches::warm;
  trace::LaunchList kernels;
  for (const char* text : {"copy,bytes=128KiB", "atomic_add,n=4096,addresses=64", "gather,n=2048,table=1MiB"})
    kernels.push_back(kernels::make_kernel(text, study::target_of(spec)));
  const study::RunResult result = study::measure_run(spec, kernels, run);
  answer.emplace_back(result.fingerprint, result.seconds);
  study::BandwidthQuestion stream;
  stream.operation = trace::StreamOperation::copy;
  stream.timed_bytes = 1U << 20U;
  const study::BandwidthPoint point = study::measure_bandwidth(spec, stream, 4U << 20U, executor);
  answer.emplace_back(point.fingerprint, point.bytes_per_second);
  return answer;
}

}  // namespace

TEST_CASE("dies_on_separate_threads_give_the_figures_of_one_thread") {
  const char* const name = GENERATE("h200", "mi300x");
  const MachineSpec spec = load(name);
  engine::InTurn in_turn;
  const Answer one = ask(spec, &in_turn);
  engine::test::OnThreads threads;
  CHECK(ask(spec, &threads) == one);
  engine::test::LastFirst last_first;
  CHECK(ask(spec, &last_first) == one);
  for (const std::size_t idle : {1U, 2U, 3U})
    tools::on_threads(idle, [&] {
      tools::OnIdleThreads executor;
      CHECK(ask(spec, &executor) == one);
    });
}
