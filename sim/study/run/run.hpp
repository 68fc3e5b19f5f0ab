// SPDX-License-Identifier: Apache-2.0
// The question "how long do these kernels take, and where did the time go?": a
// launch list run on a machine, one kernel after the other. What the machine did
// is reported for each kernel and for all: levels, instructions, what warps waited
// for, where sampled requests spent their time, the busiest resources.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/catalogue.hpp"
#include "machine/spec.hpp"
#include "stats/kernel_figures.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "trace/kernel.hpp"

namespace strata::machine {
class Machine;
}

namespace strata::study {

class TimelineRecorder;

/// What caches hold when a kernel begins.
enum class Caches : std::uint8_t {
  cold,  ///< nothing
  warm,  ///< what the kernel before left, but for the caches of the cores
};

struct RunQuestion {
  Caches caches = Caches::cold;
  std::string placement;      ///< empty: as the machine says
  std::uint64_t sample = 64;  ///< one request in so many is followed
  /// Kernels of many alike blocks are run in part, at least this share of their blocks, and
  /// estimated: see sampling.hpp. Not set: every kernel is run whole.
  std::optional<double> sampled{};
  stats::Detail statistics = stats::Detail::none;  ///< of each kernel
  TimelineRecorder* timeline = nullptr;            ///< takes the run down, if there is one
  /// Of the machine's processes; nullptr, or with a timeline: one after the other. Changes no figure.
  engine::Executor* executor = nullptr;
  /// Called after each part of the work: blocks done so far, of how many, over all kernels.
  /// False: the run ends there, and the answer is of what was done.
  std::function<bool(std::uint64_t done, std::uint64_t all)> progress;
};

using KernelRun = stats::KernelFigures;

struct RunResult {
  std::vector<KernelRun> kernels;
  double seconds = 0;  ///< of all, one after the other
  double cycles = 0;
  std::uint64_t transactions = 0;  ///< simulated, whatever the kernels' estimates say
  std::uint64_t fingerprint = 0;
  bool complete = true;  ///< false: progress() ended it within the last of kernels
  std::uint64_t blocks_done = 0;
};

/// What kernels must know of a machine.
kernels::Target target_of(const machine::MachineSpec& spec);

/// Throws what measure_run would throw before it runs anything. Kernels that lie beyond
/// the memory are moved, as there.
void check_run(machine::Machine& machine, trace::LaunchList& launches, const RunQuestion& question);

/// Kernels whose addresses lie beyond the memory are moved into it, all alike. Throws
/// std::invalid_argument where a kernel does not fit the machine.
RunResult measure_run(const machine::MachineSpec& spec, trace::LaunchList& launches, const RunQuestion& question);

}  // namespace strata::study
