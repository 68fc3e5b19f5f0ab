// SPDX-License-Identifier: Apache-2.0
// Shared memory: banks of one word each. Lanes that read the same word share
// it (broadcast); lanes that want different words of one bank take further
// passes. An access wider than a bank word takes as many phases as its width,
// each over the lanes that fit the banks at once.
#pragma once
#include <array>
#include <cstdint>

#include "compute/core_spec.hpp"
#include "engine/clock.hpp"
#include "engine/lane.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

class SharedMemory {
 public:
  SharedMemory(const SharedMemorySpec& spec, const engine::Clock& clock)
      : banks_(static_cast<unsigned>(spec.banks)),
        word_bytes_(spec.bank_width.value),
        latency_(clock.cycles(spec.latency.value)),
        per_conflict_(clock.cycles(spec.per_conflict.value)),
        per_pass_(clock.cycles(spec.per_pass.value)) {}

  /// When the data of an access issued at t is ready to use.
  Time access(const trace::Instruction& instruction, Time t) {
    const unsigned needed = passes(instruction);
    const Time start = banks_busy_.reserve(t, per_pass_ * needed);
    return start + latency_ + per_conflict_ * (needed - 1);
  }
  /// Passes over the banks that an access takes, at least one.
  unsigned passes(const trace::Instruction& instruction) const;

  const engine::Lane& bank_lane() const { return banks_busy_; }

 private:
  unsigned banks_;
  std::uint64_t word_bytes_;
  Duration latency_;
  Duration per_conflict_;
  Duration per_pass_;
  engine::Lane banks_busy_;
};

}  // namespace strata::compute
