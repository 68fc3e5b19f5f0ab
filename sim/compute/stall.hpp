// SPDX-License-Identifier: Apache-2.0
// What a resident warp is waiting for. Every instant of a warp's life belongs
// to one of these, so they add up to the warps resident over time; the names in
// brackets are those of NVIDIA's profiler for the nearest of its stall reasons.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/time.hpp"

namespace strata::compute {

enum class Stall : std::uint8_t {
  load,
  fence,
  result,
  pipe,
  barrier,
  line,
  issue,
  pause,
  drain,
  launch,
  columns,
  instruction
};

struct StallName {
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array<StallName, 12> stall_names{{
    {"load", "a register that a load or atomic has yet to write (long scoreboard)"},
    {"fence", "its own accesses to be performed (membar)"},
    {"result", "the result of arithmetic (wait, short scoreboard)"},
    {"pipe", "a pipe that is busy (math pipe throttle)"},
    {"barrier", "other warps of its block (barrier)"},
    {"line", "a free entry of the load/store queue (lg throttle, mio throttle)"},
    {"issue", "an issue slot (not selected)"},
    {"pause", "the time from which its workload lets it issue (sleeping)"},
    {"drain", "its last accesses to be answered (drain)"},
    {"launch", "its block to start: the launch of the kernel and of the block (not resident)"},
    {"columns", "columns of Tensor Memory that other blocks have allocated"},
    {"instruction", "a line of its code that the instruction cache does not hold (no instruction)"},
}};
inline constexpr std::size_t stalls = stall_names.size();

/// Time of warps, by what they waited for.
using StallTimes = std::array<Duration, stalls>;

}  // namespace strata::compute
