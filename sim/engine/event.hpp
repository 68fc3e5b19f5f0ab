// SPDX-License-Identifier: Apache-2.0
// An event: at which time, in which order among those of the same time, who is
// called and with what.
#pragma once
#include <cstdint>

#include "base/time.hpp"

namespace strata::engine {

/// Who is called when an event falls due. A block embeds its handlers, so the
/// pointer stays valid for the block's life.
struct Handler {
  using Function = void (*)(void* self, void* argument);
  Function function = nullptr;
  void* self = nullptr;
};

/// A handler in the table of a Simulation, see number(): in four bytes, for messages that name the
/// handlers of their way back.
enum class HandlerNumber : std::uint32_t {};

/// Order among events of one instant: credits and completions come before new
/// arrivals, arrivals before decisions that look at all of them.
enum class Priority : std::uint8_t { completion = 0, arrival = 1, decision = 2, observe = 3 };

struct Event {
  std::uint64_t key = 0;  ///< time in ticks * 4 + priority
  const Handler* handler = nullptr;
  void* argument = nullptr;

  static constexpr std::uint64_t make_key(Time t, Priority p) {
    return (static_cast<std::uint64_t>(t.ticks) << 2U) | static_cast<std::uint64_t>(p);
  }
  Time time() const { return {static_cast<std::int64_t>(key >> 2U)}; }
};

}  // namespace strata::engine
