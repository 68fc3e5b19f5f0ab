// SPDX-License-Identifier: Apache-2.0
// A chase over lines of one home alone. Where memory is spread over several dies, each line has
// a home die: the one whose channels hold it and, where the L2 is partitioned, whose slice is asked
// for it. Seen from a core, the die with the shortest way is near, all others are far. The host's memory lies behind a
// link of its own.
#pragma once
#include <cstdint>

#include "trace/pointer_chase.hpp"

namespace strata::machine {
class Machine;
}

namespace strata::study {

enum class ChaseHome : std::uint8_t { any, near, far, host };

/// Leaves the ring as many nodes, all of them of that home: every line is looked at where the dies take
/// turns line by line or page by page; where each die has a part of the memory, the ring begins in that of
/// the nearest or of the farthest die.
/// Throws InvalidRequest where there is one memory die, no host, or too little memory of that home.
void keep_home(const machine::Machine& machine, ChaseHome home, std::uint32_t core, trace::ChaseRing& ring);

}  // namespace strata::study
