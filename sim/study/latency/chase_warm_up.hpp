// SPDX-License-Identifier: Apache-2.0
// What a pointer chase does without time: the warm-up before it, and the way between pieces that are timed.
#pragma once
#include <cstdint>
#include <vector>

#include "study/latency/latency.hpp"

namespace strata::study {

/// A chasing thread: its ring, its core, the step of the ring at which it continues.
struct ChaseThread {
  trace::ChaseRing ring;
  std::uint32_t core = 0;
  std::uint64_t start = 0;
};

/// Brings caches, TLBs and row buffers to steady state. Threads take turns at random, as those of a real grid drift
/// apart: in lockstep they would evict each other's lines forever. Each thread's start moves on to where its warm-up
/// ended.
void warm(machine::Machine& machine, const LatencyQuestion& question, std::vector<ChaseThread>& threads);

/// Whether one thread walks a ring so long that every load misses every cache whatever the caches hold,
/// and no statistics show what they hold.
bool misses_all_caches(const machine::Machine& machine, const LatencyQuestion& question,
                       const std::vector<ChaseThread>& threads);
/// The same for such a ring: TLBs and row buffers, and no cache.
void warm_past_caches(machine::Machine& machine, const LatencyQuestion& question, ChaseThread& thread);

/// What of the rings is timed.
struct TimedPart {
  std::uint64_t loads = 0;   ///< of each thread
  std::uint64_t pieces = 1;  ///< in which these are spread over a round
};

/// loads: of each thread, where any part of a ring stands for the whole. Caches that do not forget hold some pieces of a
/// ring and not others: there one thread is timed in pieces, and several time a round together.
TimedPart timed_part(const machine::MachineSpec& spec, const LatencyQuestion& question,
                     const std::vector<ChaseThread>& threads, std::uint64_t loads);

/// So many nodes of the ring.
void walk_on(machine::Machine& machine, const LatencyQuestion& question, ChaseThread& thread, std::uint64_t nodes);

}  // namespace strata::study
