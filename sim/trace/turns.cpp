// SPDX-License-Identifier: Apache-2.0
#include "trace/turns.hpp"

namespace strata::trace {

bool TurnWarp::next(Instruction& instruction) {
  if (turns_.accesses_left == 0) return false;
  --turns_.accesses_left;
  if (!begun_) {
    // Constant fields are written once: the caller keeps the instruction.
    instruction = {};
    instruction.cache_operator = kernel_.cache_operator;
    instruction.lanes = static_cast<std::uint8_t>(kernel_.lanes);
    instruction.bytes_per_lane = static_cast<std::uint8_t>(kernel_.bytes_per_lane);
    instruction.strided = true;
    instruction.lane_stride = kernel_.bytes_per_lane;
  }
  if (row_ == kernel_.rows) {
    row_ = 0;
    if (++taken_ == place_.parts.size()) place_.parts.push_back(turns_.take(kernel_));
  }
  instruction.dependent = kernel_.batch && slot_ == 0 && begun_;
  instruction.work = kernel_.work_per_access;
  if (kernel_.batch && slot_ == 0) instruction.work += kernel_.work_per_batch;
  instruction.destination = static_cast<std::uint8_t>(1 + slot_);
  instruction.addresses[0] = kernel_.row(place_.parts[taken_], row_) + warp_ * kernel_.access_bytes();
  if (++slot_ == kernel_.unroll) slot_ = 0;
  ++row_;
  begun_ = true;
  return true;
}

}  // namespace strata::trace
