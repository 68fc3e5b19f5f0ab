// SPDX-License-Identifier: Apache-2.0
// One instruction as bytes, coded as the difference from those before it in the
// same segment: the mask if it changed, the base address as a step from the
// last one in the same space. docs/formats/trace.md has the layout. Times of
// synthetic loads (work, not_before) belong to a machine and are not kept.
#pragma once
#include <array>

#include "formats/native/coding.hpp"
#include "trace/instruction.hpp"

namespace strata::formats {

/// State that the next record is coded against; fresh at the start of each segment.
struct RecordState {
  explicit RecordState(std::uint32_t warp_width) : lanes(trace::first_lanes(warp_width)), mask(lanes) {}
  std::uint64_t lanes;  ///< that a warp has
  std::uint64_t mask;
  std::array<std::uint64_t, trace::spaces.size()> base{};  ///< by space
  std::uint64_t cycle = 0;
  std::uint64_t pc = 0;  ///< the last that was known
};

void write_record(Buffer& out, RecordState& state, const trace::Instruction& instruction);
/// Throws Malformed.
void read_record(Cursor& in, RecordState& state, trace::Instruction& instruction);

/// The one way of saying the same: no mask where the first lanes are active,
/// a stride where there is one, nothing in fields that its class does not have.
trace::Instruction canonical(const trace::Instruction& instruction);
/// Whether both say the same once they are canonical.
bool same(const trace::Instruction& one, const trace::Instruction& other);

/// Cycles before which an instruction is not issued: no more, since time ends.
inline constexpr std::uint64_t latest_cycle = std::uint64_t{1} << 30U;

/// What is wrong with an access that reaches beyond the last address, 2^64 - 1, or with
/// one that is issued too late; empty: nothing.
std::string fault_of(const trace::Instruction& instruction);
/// Throws std::invalid_argument with that.
void require_valid(const trace::Instruction& instruction);

}  // namespace strata::formats
