// SPDX-License-Identifier: Apache-2.0
// The watchdog: when nothing is left to happen although transactions are
// outstanding, it says who waits for whom instead of letting the run end in
// silence. A port whose messages wait is short of credits because the buffer
// behind it is full; that buffer is full because its messages wait at other
// ports. Where these waits close a circle, the circle is the deadlock and is
// named (Dally and Towles: Principles and Practices of Interconnection
// Networks, 2004, chapter 14).
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "engine/port.hpp"

namespace strata::observe {

/// Thrown when a run can go no further; what() says who waits for whom.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Who waits for whom among ports, one port a line; and the circle, if the
/// waits close one.
std::string describe_waits(std::span<const engine::Port* const> ports, std::uint64_t outstanding);

/// To be called when the event queue has run dry. Throws Deadlock where
/// transactions are outstanding.
void require_drained(std::span<const engine::Port* const> ports, std::uint64_t outstanding);

}  // namespace strata::observe
