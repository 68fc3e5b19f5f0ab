// SPDX-License-Identifier: Apache-2.0
// The question "how long until another thread sees what this one wrote?": two threads of
// one lane each, on two cores or in one block, take turns at changing one word by
// compare-and-swap. Each repeats its attempt until it reads the value that the other has
// written. The unit that performs the atomics orders the attempts, so what counts is when it
// performs them: at an L2 slice, at the home of a partitioned L2, or in shared memory.
//
// A thread that tries every P finds its turn at the first attempt after the other's. Two with
// periods P and Q hand the word over every max(P, Q) / 2, so the slower way sets the pace.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/spec.hpp"
#include "stats/collector.hpp"
#include "stats/kernel_figures.hpp"
#include "study/latency/chase_home.hpp"
#include "trace/instruction.hpp"

namespace strata::study {

struct HandoffQuestion {
  trace::Space space = trace::Space::global;  ///< or shared: both threads in one block
  std::uint64_t address = 0;                  ///< of the word, virtual, bytes; a multiple of 4
  ChaseHome home = ChaseHome::any;            ///< the first line at or after it of that home, as the first core sees it
  /// From an answer to the next attempt: compare, branch, and what else the program does. An H200 takes 99 clk for the
  /// six instructions beside the compare-and-swap of `if (cas(a, v - 1, v) == v - 1) v += 2` (docs/notes/handoff.md).
  double loop_cycles = 100;
  std::uint64_t handoffs = 256;  ///< timed
  stats::Detail statistics = stats::Detail::none;
};

/// The same, with the pairs of cores that it is asked of.
struct HandoffDraw : HandoffQuestion {
  std::uint64_t pairs = 256;  ///< at most, drawn by the seed where there are more; 0: all
  std::uint64_t seed = 1;
};

/// Two cores; in shared space, one core twice.
struct CorePair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

struct HandoffPoint {
  CorePair cores;
  double ns = 0;         ///< of one hand-off
  double cycles = 0;     ///< of the core clock
  double attempts = 0;   ///< compare-and-swaps a hand-off, of both threads
  std::string relation;  ///< where the two cores and the word lie to each other
  std::uint64_t fingerprint = 0;
  std::vector<stats::Statistic> statistics;  ///< of all attempts of the pair, where they were asked for
};

/// All pairs of cores of one logical GPU, the first below the second; of more than `most`, so many
/// drawn by the seed. most 0: all. In shared space, the first core alone.
std::vector<CorePair> handoff_pairs(const machine::MachineSpec& spec, const HandoffQuestion& question,
                                    std::uint64_t most, std::uint64_t seed);

/// How many pairs there are.
std::uint64_t count_handoff_pairs(const machine::MachineSpec& spec, const HandoffQuestion& question);

/// The pairs one after the other on one machine. Throws InvalidRequest where the question does not fit the machine.
std::vector<HandoffPoint> measure_handoffs(const machine::MachineSpec& spec, const HandoffQuestion& question,
                                           std::span<const CorePair> pairs);

/// The pairs that a draw takes.
std::vector<HandoffPoint> measure_handoffs(const machine::MachineSpec& spec, const HandoffDraw& draw);

/// Where the second thread's attempts spend their time, mean ns by stage, the longest first.
std::vector<stats::NamedShare> handoff_stages(const machine::MachineSpec& spec, const HandoffQuestion& question,
                                              CorePair cores);

}  // namespace strata::study
