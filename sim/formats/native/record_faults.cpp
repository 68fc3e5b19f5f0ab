// SPDX-License-Identifier: Apache-2.0
// What no instruction of a trace may say.
#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "formats/native/record.hpp"

namespace strata::formats {

using trace::Instruction;

std::string fault_of(const Instruction& i) {
  if (i.not_before_cycle > latest_cycle)
    return fmt::format("cycle {} of the kernel; the last is {}", i.not_before_cycle, latest_cycle);
  if (!i.is_access()) return {};
  constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  for (unsigned lane = 0; lane < i.lanes; ++lane) {
    const std::uint64_t steps = i.strided ? std::uint64_t{lane} * i.lane_stride : 0;
    const std::uint64_t base = i.strided ? i.addresses[0] : i.addresses[lane];
    if (steps > last - base || i.bytes_per_lane - 1U > last - base - steps)
      return fmt::format("an access of {} bytes at 0x{:x}{} reaches beyond the last address, 0x{:x}", i.bytes_per_lane,
                         base, steps == 0 ? "" : fmt::format(" + {}", steps), last);
  }
  return {};
}

void require_valid(const Instruction& i) {
  if (const std::string fault = fault_of(i); !fault.empty()) throw std::invalid_argument(fault);
}

}  // namespace strata::formats
