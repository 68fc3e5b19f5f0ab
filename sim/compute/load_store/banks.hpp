// SPDX-License-Identifier: Apache-2.0
// Passes over a banked array. Lanes that access the same word share it
// (broadcast); lanes that access different words of one bank take further
// passes, and so do lanes that change one word by atomics: each has its turn, as
// h200 atomic_shared_throughput shows (32 cycles a warp on one address, 1 on 32).
// An access wider than a bank word takes as many phases as its width, each over
// the lanes that fit the banks at once, and so does a warp with more lanes than
// banks.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "compute/core_spec.hpp"
#include "trace/instruction.hpp"

namespace strata::compute {

class Banks {
 public:
  explicit Banks(const SharedMemorySpec& spec)
      : banks_(static_cast<unsigned>(spec.banks)),
        atomics_(static_cast<unsigned>(std::min(spec.banks, spec.atomics_per_pass.value_or(spec.banks)))),
        word_bytes_(spec.bank_width.value),
        offset_mask_(std::has_single_bit(word_bytes_) ? word_bytes_ - 1 : 0),
        pairs_share_(spec.pairs_share) {}

  struct Taken {
    unsigned passes;      ///< at least one
    unsigned wavefronts;  ///< how often the banks are busy with it: fewer where pairs share
  };
  Taken taken(const trace::Instruction& instruction) const {
    return instruction.strided || instruction.lanes == 1 ? strided(instruction) : remembered(instruction);
  }

  /// Atomics of global memory only pass through an array that is also the L1's.
  static bool performed_here(const trace::Instruction& instruction) {
    return instruction.operation == memory::Operation::atomic && trace::within_cores(instruction.space);
  }

 private:
  struct Key {
    std::uint32_t stride = 0;
    std::uint8_t lanes = 0;
    std::uint8_t bytes = 0;
    std::uint8_t offset = 0;
    bool atomic = false;
    bool operator==(const Key&) const = default;
  };

  /// What an access of any addresses took, by how far they lie from the first: kernels repeat
  /// few patterns, shifted by whole words.
  struct Pattern {
    Key key{};  ///< its stride unused
    Taken taken{};
    std::array<std::uint32_t, trace::most_lanes> apart{};
  };
  static constexpr std::size_t patterns = 8;

  std::uint8_t offset_in_word(std::uint64_t address) const {
    return static_cast<std::uint8_t>(offset_mask_ != 0 ? address & offset_mask_ : address % word_bytes_);
  }
  Taken remembered(const trace::Instruction& instruction) const;
  Taken strided(const trace::Instruction& instruction) const;
  Taken counted(const trace::Instruction& instruction) const;
  bool pairs_join(const trace::Instruction& instruction) const;
  unsigned count(const trace::Instruction& instruction, unsigned sharing = 1) const;

  unsigned banks_;
  unsigned atomics_;  ///< words that a pass changes
  std::uint64_t word_bytes_;
  std::uint64_t offset_mask_;  ///< of an address within a word; 0: the width is no power of two, or 1
  bool pairs_share_;
  struct Strided {
    Key key{};  ///< no access has no lanes
    Taken taken{};
  };
  mutable std::array<Strided, patterns> strided_{};
  mutable std::array<Pattern, patterns> seen_{};
};

}  // namespace strata::compute
