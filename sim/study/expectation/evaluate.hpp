// SPDX-License-Identifier: Apache-2.0
// From expectations to rows of a report. What a row needs to know of a machine
// is a set of readings, of a latency or of a bandwidth each; equal readings of
// different rows are one run.
// The caller measures what needed() asks for, in parallel if it likes, and
// asks again until nothing is needed: a knee is closed in on by halving, so
// what it needs next depends on what is known. Then evaluate() computes each
// row from the table of readings alone. Nothing here runs a machine.
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/effective.hpp"
#include "machine/spec.hpp"
#include "study/bandwidth/bandwidth.hpp"
#include "study/expectation/expectation.hpp"
#include "study/latency/latency.hpp"
#include "study/run/run.hpp"

namespace strata::study {

/// A configuration with the settings that a row applies to it.
struct MachineKey {
  std::string gpu;
  std::vector<std::string> set;
  auto operator<=>(const MachineKey&) const = default;
};

struct Configured {
  machine::MachineSpec spec;
  config::Effective effective;
};
using Machines = std::map<MachineKey, Configured>;

/// One run of one question on one machine.
template <class Question>
struct ReadingOf {
  MachineKey machine;
  Question question;
  std::uint64_t footprint_bytes = 0;
  config::Position where;  ///< of the first row that needs it; not part of its identity
};
using LatencyReading = ReadingOf<LatencyQuestion>;  ///< over whole strides
using BandwidthReading = ReadingOf<BandwidthQuestion>;
bool operator<(const LatencyReading& a, const LatencyReading& b);
bool operator<(const BandwidthReading& a, const BandwidthReading& b);

/// A kernel's run is a reading without a footprint.
struct KernelQuestion {
  std::string kernel;
  std::string after;  ///< the kernel that leaves its data in the shared caches; empty: cold caches
  bool sampled = false;
  stats::Detail statistics = stats::Detail::none;  ///< not part of its identity
};
using KernelReading = ReadingOf<KernelQuestion>;
bool operator<(const KernelReading& a, const KernelReading& b);

using HandoffReading = ReadingOf<HandoffDraw>;  ///< without a footprint, too
bool operator<(const HandoffReading& a, const HandoffReading& b);

using Reading = std::variant<LatencyReading, BandwidthReading, KernelReading, HandoffReading>;
using Answer = std::variant<LatencyPoint, BandwidthPoint, KernelRun, std::vector<HandoffPoint>>;

/// Throws InputError where there is no such kernel, std::invalid_argument where
/// it does not fit the machine.
/// executor: see RunQuestion.
KernelRun measure_kernel(const machine::MachineSpec& spec, const KernelQuestion& question,
                         engine::Executor* executor = nullptr);

/// All that has been answered.
struct Readings {
  std::map<LatencyReading, LatencyPoint> latency;
  std::map<BandwidthReading, BandwidthPoint> bandwidth;
  std::map<KernelReading, KernelRun> kernels;
  std::map<HandoffReading, std::vector<HandoffPoint>> handoffs;

  bool empty() const { return latency.empty() && bandwidth.empty() && kernels.empty() && handoffs.empty(); }
  /// The answer is of the reading's kind.
  void add(const Reading& reading, Answer answer);
};

/// All machines that the expectations ask, each with the first entry that does.
std::map<MachineKey, config::Position> machines_of(std::span<const Expectation> expectations);

/// Reports settings and figures that a machine does not have, or has in another
/// unit than the row's. Throws InputError with all of them.
void check(std::span<const Expectation> expectations, const Machines& machines);

/// What is to be measured next, each once, from the least work to the most.
/// Empty: evaluate() can answer.
std::vector<Reading> needed(std::span<const Expectation> expectations, const Readings& known);

/// A point of a curve, of whatever kind, in the curve's unit.
struct RowPoint {
  double measured = 0;
  double predicted = 0;
  std::string label;
};

struct Row {
  double measured = 0;   ///< in the row's unit; of an ordering: the right side
  double predicted = 0;  ///< of an ordering: the left side; NaN where there is no such figure
  double error = 0;      ///< relative; of a curve: the mean error itself
  double tolerance = 0;  ///< relative
  bool pass = false;
  std::string note;
  std::vector<RowPoint> points{};  ///< of a curve
  bool absolute = false;           ///< judged in the unit of the quantity
};
Row evaluate(const Expectation& expectation, const Machines& machines, const Readings& readings);

struct MeasuredPoint {
  std::uint64_t footprint_bytes = 0;
  double measured = 0;
  double predicted = 0;
};

/// The measured points of all curve rows that ask one question of one machine,
/// over the line of all readings of that question. Of latencies alone.
struct ComparedCurve {
  MachineKey machine;
  LatencyQuestion question;
  std::string source;
  Unit unit;
  std::vector<LatencyPoint> line;       ///< in order of footprint
  std::vector<MeasuredPoint> measured;  ///< in order of footprint
};
std::vector<ComparedCurve> compared_curves(std::span<const Expectation> expectations, const Readings& readings);

}  // namespace strata::study
