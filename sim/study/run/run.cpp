// SPDX-License-Identifier: Apache-2.0
#include "study/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/invalid_request.hpp"
#include "base/random.hpp"
#include "machine/blocks/dispatcher.hpp"
#include "machine/machine.hpp"
#include "machine/stream_values.hpp"
#include "memory/journey_sampler.hpp"
#include "stats/baseline.hpp"
#include "study/bandwidth/level_use.hpp"
#include "study/bandwidth/resource_use.hpp"
#include "study/journey/stage_times.hpp"
#include "study/run/launches.hpp"
#include "study/run/listening.hpp"
#include "study/run/sampling.hpp"
#include "study/run/timeline.hpp"
#include "study/watch.hpp"

namespace strata::study {
namespace {

// Of a kernel that does not end.
std::string what_blocks_await(machine::Machine& machine) {
  const stats::Snapshot now = machine.meter().snapshot();
  const std::string memory = fmt::format("core */{}/", compute::TensorMemorySpec::name);
  const std::uint64_t warps = now.sum(memory + "allocations asked") - now.sum(memory + "allocations");
  if (warps == 0) return "wait at barriers that not all expected warps reach";
  return fmt::format("wait, {} of them for columns of Tensor Memory that no block frees", warps);
}

// Of resident warps: time by what they waited for, in ticks.
std::vector<stats::NamedShare> stalls_of(const stats::Snapshot& between) {
  std::vector<stats::NamedShare> stalls;
  for (const stats::Figure& figure : between.figures()) {
    if (figure.origin.block != stats::Block::warp_stall || figure.value == 0) continue;
    const std::string& name = figure.origin.name;
    const auto known =
        std::find_if(stalls.begin(), stalls.end(), [&](const stats::NamedShare& s) { return s.name == name; });
    if (known == stalls.end())
      stalls.push_back({name, static_cast<double>(figure.value), 0, std::string(figure.meaning)});
    else
      known->share += static_cast<double>(figure.value);
  }
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const stats::NamedShare& a, const stats::NamedShare& b) { return a.share > b.share; });
  return stalls;
}

// Lanes that a scheduler's issue port or pipe has.
std::uint64_t width_of(const stats::PipeRoof& roof, const compute::ExecutionSpec& execution) {
  for (const compute::IssuePortSpec& spec : execution.issue_ports)
    if (roof.issues && roof.name == compute::issue_port_label(spec.name)) return spec.width;
  return 1;
}

// Of each pipe of the schedulers and of what issues to them; cores: that had blocks.
std::vector<stats::PipeRoof> pipes_of(const stats::Snapshot& between, const compute::CoreSpec& core,
                                      std::uint64_t cores, Duration took, std::uint64_t flops, double seconds) {
  std::vector<stats::PipeRoof> pipes;
  for (const stats::Figure& figure : between.figures()) {
    if (figure.kind != stats::Kind::resource || figure.value == 0) continue;
    const bool issues = figure.origin.block == stats::Block::issue_port;
    if (!issues && figure.origin.block != stats::Block::pipe) continue;
    const auto known = std::find_if(pipes.begin(), pipes.end(), [&](const stats::PipeRoof& p) {
      return p.issues == issues && p.name == figure.origin.name;
    });
    stats::PipeRoof& pipe =
        known == pipes.end() ? pipes.emplace_back(stats::PipeRoof{figure.origin.name, 0, 0, issues}) : *known;
    pipe.busy_fraction += static_cast<double>(figure.value);
  }
  const double available = static_cast<double>(took.ticks) * static_cast<double>(cores * core.schedulers);
  for (stats::PipeRoof& pipe : pipes) {
    pipe.busy_fraction /= available * static_cast<double>(width_of(pipe, core.execution));
    pipe.flops_per_second = static_cast<double>(flops) / seconds / pipe.busy_fraction;
  }
  std::stable_sort(pipes.begin(), pipes.end(),
                   [](const auto& a, const auto& b) { return a.busy_fraction > b.busy_fraction; });
  return pipes;
}

KernelRun run_kernel(machine::Machine& machine, trace::Kernel& kernel, const RunQuestion& question, double before_ns,
                     bool& complete, const std::function<bool(std::uint64_t)>& progress) {
  Listening listening(machine);
  std::vector<memory::JourneySampler> samplers;
  for (std::uint32_t p = 0; p < machine.processes().count(); ++p) samplers.emplace_back(question.sample);
  machine.sample(samplers);
  machine::Dispatcher dispatcher(machine, kernel, question.placement, listening.listener());
  std::optional<Sampler> sampled;
  if (question.sampled) {
    sampled.emplace(machine, kernel, dispatcher.resident(), *question.sampled);
    listening.pause_every(sampled->pause());
  }
  if (question.timeline != nullptr)
    question.timeline->begin(machine, dispatcher, samplers, kernel.info().name, before_ns);
  const std::vector<machine::LevelTraffic> levels = machine.meter().traffic();
  const stats::Baseline before = machine.meter().snapshot();
  const std::uint64_t transactions = machine.meter().transactions();
  dispatcher.launch(before_ns > 0);
  bool in_part = false;
  engine::InTurn in_turn;
  engine::Executor& executor =
      question.executor == nullptr || question.timeline != nullptr ? in_turn : *question.executor;
  const auto at_window = [&](Time reached) {
    dispatcher.at_window(reached);
    return listening.pauses();
  };
  while (complete && !machine.run(executor, at_window)) {
    complete = progress(dispatcher.blocks_done());
    if (!listening.due() || !sampled ||
        !sampled->enough(listening.completed(), dispatcher.blocks_begun(), dispatcher.blocks_done()))
      continue;
    dispatcher.begin_no_more();
    in_part = true;
  }
  if (!complete) machine.meter().require_balance();
  in_part = in_part && complete;
  machine.sample({});
  if (complete && !dispatcher.finished()) {
    const trace::KernelInfo& stuck = kernel.info();
    throw InvalidRequest(fmt::format("kernel '{}' does not end: {} of {} blocks are done, and warps of the others {}",
                                     stuck.name, dispatcher.blocks_done(), stuck.blocks(), what_blocks_await(machine)));
  }

  KernelRun run;
  const trace::KernelInfo& info = kernel.info();
  Duration took = (complete ? dispatcher.ended() : machine.processes().now()) - dispatcher.launched();
  run.name = info.name;
  if (question.timeline != nullptr) question.timeline->end(before_ns + machine.timebase().to_nanoseconds(took));
  stats::Snapshot between = machine.meter().snapshot() - before;
  const std::uint64_t issued = between.sum("core */issued");
  if (sampled && complete) run.sampling = sampled->describe(dispatcher.blocks_done(), took, issued);
  run.transactions = machine.meter().transactions() - transactions;
  std::vector<machine::LevelTraffic> levels_after = machine.meter().traffic();
  // Stores are answered before memory has them: levels and resources are observed until all
  // traffic has completed.
  Duration watched = longer(took, machine.processes().now() - dispatcher.launched());
  run.blocks = dispatcher.blocks_done();
  if (in_part) {
    const Sampler::Rest rest = sampled->rest(issued);
    const Duration more{std::llround(static_cast<double>(rest.duration.ticks) * rest.times)};
    between = stats::repeated(std::move(between), *rest.begin, *rest.end, rest.times);
    for (std::size_t i = 0; i < levels_after.size(); ++i)
      levels_after[i] = repeated(levels_after[i], rest.levels[i], rest.times);
    run.transactions += static_cast<std::uint64_t>(std::llround(static_cast<double>(rest.transactions) * rest.times));
    took += more;
    watched += more;
    run.blocks = info.blocks();
  }
  run.seconds = machine.timebase().to_nanoseconds(took) * 1e-9;
  run.cycles = machine.core_clock().count(took);
  run.warp_instructions = between.sum("core */issued");
  run.accesses = between.sum("core */instructions");
  run.flops = between.sum("core */flops");
  run.occupancy = dispatcher.occupancy().explanation();
  if (const auto& split = machine::carve_out_of(machine.spec(), info); split.shared)
    run.occupancy += fmt::format("; {} KiB of {}, {} KiB of shared memory", split.size.value >> 10U,
                                 machine.spec().l1.cache.name, split.shared->value >> 10U);
  run.watched_seconds = machine.timebase().to_nanoseconds(watched) * 1e-9;
  run.levels = levels_between(levels, levels_after, run.watched_seconds);
  for (const stats::LevelUse& level : run.levels)
    if (level.name != "shared memory") {
      run.sectors = level.sectors;
      break;
    }
  run.statistics = stats::statistics(between, question.statistics, window_of(machine, watched));
  run.resources = resource_use(between, watched);
  run.shortages = machine.meter().shortages();
  run.stalls = stalls_of(between);
  double resident = 0;
  double placed = 0;  // those whose blocks have yet to start as well
  for (const stats::NamedShare& stall : run.stalls) {
    placed += stall.share;
    if (stall.name != "launch") resident += stall.share;
  }
  for (stats::NamedShare& stall : run.stalls) stall.share /= placed;
  run.cores = std::min<std::uint64_t>(info.blocks(), machine.spec().dies.compute * machine.spec().dies.cores_per_die);
  run.pipes = pipes_of(between, machine.spec().core, run.cores, took, run.flops, run.seconds);
  const auto cores = static_cast<double>(run.cores);
  run.occupancy_share =
      resident / static_cast<double>(took.ticks) / cores / static_cast<double>(machine.spec().core.warps);
  const machine::LevelTraffic dram = levels_after.back() - levels.back();
  run.dram_row_hit_rate = dram.hit_rate();
  run.dram_bus_share = run.levels.back().busy_fraction;
  const LatencyHistogram latencies = listening.latencies();
  run.latency_mean_ns = latencies.mean();
  run.latency_p50_ns = latencies.quantile(0.5);
  run.latency_p99_ns = latencies.quantile(0.99);
  for (std::size_t p = 1; p < samplers.size(); ++p) samplers.front().add(samplers[p]);
  run.stages = stage_times(samplers.front(), machine);
  return run;
}

}  // namespace

kernels::Target target_of(const machine::MachineSpec& spec) {
  return {static_cast<std::uint32_t>(spec.core.warp_width),
          static_cast<std::uint32_t>(spec.dies.compute * spec.dies.cores_per_die), spec.core.tensor_memory.has_value()};
}

RunResult measure_run(const machine::MachineSpec& spec, trace::LaunchList& launches, const RunQuestion& question) {
  if (question.sampled && question.caches == Caches::warm && launches.size() > 1)
    throw InvalidRequest(
        "a sampled kernel leaves the caches in the state after its first blocks: --sampled with --caches warm is "
        "possible for a single kernel only");
  std::uint64_t all = 0;
  for (const auto& kernel : launches) all += kernel->info().blocks();
  bring_within(spec, launches);
  RunResult result;
  const bool values = read_values(launches);
  if (values && question.sampled)
    throw InvalidRequest("a kernel whose blocks wait for each other cannot be sampled", {}, "remove --sampled");
  if (values) check_readers(spec);
  std::unique_ptr<machine::Machine> machine;
  std::unique_ptr<machine::StreamValues> contents;
  std::uint64_t done = 0;
  for (const auto& kernel : launches) {
    const machine::CarveOutSpec& split = machine::carve_out_of(spec, kernel->info());
    if (machine == nullptr || question.caches == Caches::cold) {
      machine::MachineSpec own = spec;
      own.l1.carve_out = split.name;
      // A memory with values is one for all dies.
      machine = std::make_unique<machine::Machine>(own, values ? machine::Division::whole : machine::Division::by_die);
      if (values) contents = std::make_unique<machine::StreamValues>(*machine);
      place_arrays(*machine, *kernel);
      machine->assume_pages_used();  // the writer of the arrays has accessed their pages
    } else {
      place_arrays(*machine, *kernel);
      machine->split_arrays(split.name);
      if (spec.launch.flushes_l2) machine->forget(machine::DieLevels::all);
    }
    if (contents) contents->clear();
    const std::uint64_t transactions = machine->meter().transactions();
    result.kernels.push_back(
        run_kernel(*machine, *kernel, question, result.seconds * 1e9, result.complete,
                   [&](std::uint64_t blocks) { return !question.progress || question.progress(done + blocks, all); }));
    done += result.kernels.back().blocks;
    const KernelRun& run = result.kernels.back();
    result.seconds += run.seconds;
    result.cycles += run.cycles;
    result.transactions += machine->meter().transactions() - transactions;
    result.fingerprint = mix(result.fingerprint, machine->processes().fingerprint());
    if (!result.complete) break;
  }
  result.blocks_done = done;
  return result;
}

}  // namespace strata::study
