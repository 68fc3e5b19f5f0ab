// SPDX-License-Identifier: Apache-2.0
// Streams and kernels on machines of several dies: each die is a process, and neither the executor
// nor the order changes a figure.
#include "machine/layout/processes.hpp"
#include "catch.hpp"
#include "executors.hpp"
#include "kernels/catalogue.hpp"
#include "machine/tiny_machine.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/run/run.hpp"

using namespace strata;
using namespace strata::literals;

namespace {

machine::MachineSpec of_dies(bool apart) {
  machine::MachineSpec spec = apart ? machine::test::chiplets() : machine::test::two_sides();
  spec.memory.size = 32_MiB;
  return spec;
}

struct Answers {
  std::vector<std::uint64_t> fingerprints;
  std::vector<double> figures;
};

/// The same question to every executor.
template <class Ask>
Answers all_of(const Ask& ask) {
  engine::InTurn in_turn;
  engine::test::LastFirst last_first;
  engine::test::OnThreads on_threads;
  Answers answers;
  for (engine::Executor* const executor :
       {static_cast<engine::Executor*>(&in_turn), static_cast<engine::Executor*>(&last_first),
        static_cast<engine::Executor*>(&on_threads)}) {
    const auto [fingerprint, figure] = ask(executor);
    answers.fingerprints.push_back(fingerprint);
    answers.figures.push_back(figure);
  }
  return answers;
}

void check_alike(const Answers& answers) {
  for (const std::uint64_t fingerprint : answers.fingerprints) CHECK(fingerprint == answers.fingerprints.front());
  for (const double figure : answers.figures) CHECK(figure == answers.figures.front());
  CHECK(answers.figures.front() > 0);
}

}  // namespace

TEST_CASE("dies_are_processes_unless_they_share_more_than_links") {
  using machine::Division;
  const machine::ProcessPlan sides = machine::plan_processes(of_dies(false), Division::by_die);
  CHECK(sides.count == 2);
  CHECK(sides.of_compute_die == std::vector<std::uint32_t>{0, 1});
  CHECK(sides.lookahead_ns == of_dies(false).network.links.front().latency.value);
  CHECK(machine::plan_processes(of_dies(false), Division::whole).count == 1);
  CHECK(machine::plan_processes(machine::test::monolithic(), Division::by_die).count == 1);

  const machine::MachineSpec apart = of_dies(true);
  const machine::ProcessPlan chiplets = machine::plan_processes(apart, Division::by_die);
  CHECK(chiplets.count == apart.dies.memory);
  for (const std::uint32_t process : chiplets.of_compute_die) CHECK(process < chiplets.count);

  machine::MachineSpec instant = of_dies(false);
  instant.network.links.front().latency = Nanoseconds{0};
  CHECK(machine::plan_processes(instant, Division::by_die).count == 1);
}

TEST_CASE("a_stream_is_the_same_with_any_executor_of_the_dies") {
  const bool apart = GENERATE(false, true);
  const auto operation =
      GENERATE(trace::StreamOperation::read, trace::StreamOperation::write, trace::StreamOperation::copy);
  study::BandwidthQuestion question;
  question.operation = operation;
  question.bytes_per_lane = 4;
  question.timed_bytes = 2U << 20U;
  check_alike(all_of([&](engine::Executor* executor) {
    const study::BandwidthPoint point = study::measure_bandwidth(of_dies(apart), question, 4U << 20U, executor);
    return std::pair{point.fingerprint, point.bytes_per_second};
  }));
}

TEST_CASE("a_memory_die_without_cores_is_a_process_as_well") {
  machine::MachineSpec spec = of_dies(true);
  spec.core.exit_waits_for_stores = true;
  spec.launch.flushes_l2 = true;
  // The compute dies of the last memory die move to the first.
  const auto last = static_cast<std::uint64_t>(spec.dies.memory - 1);
  for (fabric::LinkSpec& link : spec.network.links)
    if (link.from >= spec.dies.memory && link.to == last) link.to = 0;
  const machine::ProcessPlan plan = machine::plan_processes(spec, machine::Division::by_die);
  REQUIRE(plan.count == spec.dies.memory);
  for (const std::uint32_t process : plan.of_compute_die) REQUIRE(process != last);
  check_alike(all_of([&](engine::Executor* executor) {
    trace::LaunchList list;
    list.push_back(kernels::make_kernel("copy,bytes=64KiB,width=4", study::target_of(spec)));
    study::RunQuestion question;
    question.executor = executor;
    const study::RunResult result = study::measure_run(spec, list, question);
    return std::pair{result.fingerprint, result.seconds};
  }));
}

TEST_CASE("a_kernel_is_the_same_with_any_executor_of_the_dies") {
  const bool apart = GENERATE(false, true);
  const char* const text =
      GENERATE("copy,bytes=256KiB,width=4", "gather,n=4096,table=1MiB", "atomic_add,n=8192,addresses=64");
  machine::MachineSpec spec = of_dies(apart);
  spec.core.exit_waits_for_stores = true;
  spec.launch.flushes_l2 = apart;
  check_alike(all_of([&](engine::Executor* executor) {
    trace::LaunchList list;
    for (int i = 0; i < 2; ++i) list.push_back(kernels::make_kernel(text, study::target_of(spec)));
    study::RunQuestion question;
    question.caches = study::Caches::warm;
    question.executor = executor;
    const study::RunResult result = study::measure_run(spec, list, question);
    CHECK(result.kernels.size() == 2);
    return std::pair{result.fingerprint, result.seconds};
  }));
}
