// SPDX-License-Identifier: Apache-2.0
// What a machine at rest must obey where it has a probe filter: the filter counts each copy that an L2 tracks once, and
// no other; what is tracked is there; nothing waits for probes; and no probe was sent where no copy was.
#pragma once
#include <deque>

#include "fabric/address_map.hpp"
#include "machine/account/level_balance.hpp"
#include "machine/blocks/compute_die.hpp"
#include "machine/blocks/memory_die.hpp"

namespace strata::machine {

/// map: gives the homes of blocks.
void check_coherence(observe::Balance& balance, std::deque<ComputeDie>& compute_dies,
                     const std::deque<MemoryDie>& memory_dies, const fabric::AddressMap& map);

}  // namespace strata::machine
