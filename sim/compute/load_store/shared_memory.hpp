// SPDX-License-Identifier: Apache-2.0
// Shared memory in time: an access waits for the banks, keeps them for as many
// passes as its lanes need and answers after a latency that grows with them.
#pragma once
#include "compute/core_spec.hpp"
#include "compute/load_store/banks.hpp"
#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

class SharedMemory {
 public:
  SharedMemory(const SharedMemorySpec& spec, const engine::Clock& clock)
      : banks_(spec),
        latency_(clock.cycles(spec.latency.value)),
        wide_(clock.cycles(spec.wide_access.value)),
        atomic_(clock.cycles(spec.atomic_latency.value)),
        compare_(clock.cycles(spec.compare_latency.value_or(spec.atomic_latency).value)),
        compare_passes_(static_cast<unsigned>(spec.compare_passes)),
        per_conflict_(clock.cycles(spec.per_conflict.value)),
        per_pass_(clock.cycles(spec.per_pass.value)) {}

  /// When the data of an access that asks at t is ready to use.
  Time access(const trace::Instruction& instruction, Time t) {
    const Banks::Taken needed = taken(instruction);
    return reserve(t, needed.wavefronts) + latency(instruction, needed.passes);
  }
  /// Passes over the banks that an access takes, and how many of these keep the banks busy; the
  /// others are passes of the lanes alone, which latency shows (h200 l1_access_cost, 16 B of one address).
  Banks::Taken taken(const trace::Instruction& instruction) const {
    Banks::Taken taken = banks_.taken(instruction);
    if (instruction.compares && Banks::performed_here(instruction)) taken.wavefronts *= compare_passes_;
    return taken;
  }
  /// When banks that are asked at t begin with so many wavefronts.
  Time reserve(Time t, std::uint64_t wavefronts) { return banks_busy_.reserve(t, time_of(wavefronts)); }
  Duration time_of(std::uint64_t wavefronts) const { return per_pass_ * static_cast<std::int64_t>(wavefronts); }
  Duration latency(const trace::Instruction& instruction, unsigned passes) const {
    return latency_ + conflicts(passes) + (instruction.bytes_per_lane > 8 ? wide_ : Duration{}) +
           (!Banks::performed_here(instruction) ? Duration{}
            : instruction.compares              ? compare_
                                                : atomic_);
  }
  /// What further passes add to the latency.
  Duration conflicts(unsigned passes) const { return per_conflict_ * (passes - 1); }

  const engine::Lane& bank_lane() const { return banks_busy_; }

 private:
  Banks banks_;
  Duration latency_;
  Duration wide_;
  Duration atomic_;
  Duration compare_;
  unsigned compare_passes_;
  Duration per_conflict_;
  Duration per_pass_;
  engine::Lane banks_busy_;
};

}  // namespace strata::compute
