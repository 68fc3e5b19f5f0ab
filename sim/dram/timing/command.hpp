// SPDX-License-Identifier: Apache-2.0
// The commands that a DRAM channel sends, and the hook through which a test or
// a trace can listen to them. There is no listener by default.
#pragma once
#include <cstdint>

namespace strata::dram {

/// A number of command edges since the start of the run.
using Tick = std::int64_t;
inline constexpr Tick never = Tick{1} << 60U;

enum class CommandKind : std::uint8_t { activate, precharge, precharge_all, read, write, refresh_all, refresh_bank };

struct Command {
  Tick tick;
  CommandKind kind;
  std::uint32_t pseudo_channel;
  std::uint32_t bank;  ///< within the pseudo-channel: (stack, group, bank), most significant first
  std::uint32_t row;
};

struct CommandListener {
  void (*function)(void* self, const Command& command) = nullptr;
  void* self = nullptr;
};

}  // namespace strata::dram
