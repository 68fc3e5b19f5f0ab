// SPDX-License-Identifier: Apache-2.0
// Passes over a banked array. Lanes that access the same word share it
// (broadcast); lanes that want different words of one bank take further
// passes, and so do lanes that change one word by atomics: each has its turn, as
// h200 atomic_shared_throughput shows (32 cycles a warp on one address, 1 on 32).
// An access wider than a bank word takes as many phases as its width, each over
// the lanes that fit the banks at once, and so does a warp with more lanes than
// banks.
#pragma once
#include <cstdint>

#include "compute/core_spec.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

class Banks {
 public:
  explicit Banks(const SharedMemorySpec& spec)
      : banks_(static_cast<unsigned>(spec.banks)),
        word_bytes_(spec.bank_width.value),
        pairs_share_(spec.pairs_share) {}

  /// How often the banks are busy with it: fewer than its passes where pairs share.
  unsigned wavefronts(const trace::Instruction& instruction) const;
  /// At least one.
  unsigned passes(const trace::Instruction& instruction) const {
    if (!instruction.strided) return count(instruction);
    // Shifted by whole words, an access takes as many passes: a stream repeats itself.
    const Key key{instruction.lane_stride, instruction.lanes, instruction.bytes_per_lane,
                  static_cast<std::uint8_t>(instruction.addresses[0] % word_bytes_),
                  performed_here(instruction)};
    if (key != last_) {
      last_ = key;
      last_passes_ = count(instruction);
    }
    return last_passes_;
  }

 private:
  /// Atomics of global memory only pass through an array that is also the L1's.
  static bool performed_here(const trace::Instruction& instruction) {
    return instruction.operation == memory::Operation::atomic &&
           instruction.space == trace::Space::shared;
  }

  struct Key {
    std::uint32_t stride = 0;
    std::uint8_t lanes = 0;
    std::uint8_t bytes = 0;
    std::uint8_t offset = 0;
    bool atomic = false;
    bool operator==(const Key&) const = default;
  };

  unsigned count(const trace::Instruction& instruction, unsigned sharing = 1) const;

  unsigned banks_;
  std::uint64_t word_bytes_;
  bool pairs_share_;
  mutable Key last_{};  ///< no access has no lanes
  mutable unsigned last_passes_ = 1;
};

}  // namespace strata::compute
