// SPDX-License-Identifier: Apache-2.0
#include "machine/account/coherence_balance.hpp"

#include <fmt/format.h>

namespace strata::machine {

namespace {

using observe::counted;

bool present(ComputeDie& die, std::uint64_t block) {
  const cache::Cache& slice = die.slice(die.place(block).slice);
  bool any = false;
  for (unsigned sector = 0; sector < memory::sectors_per_block; ++sector)
    any = any || slice.contains(block, static_cast<memory::SectorMask>(1U << sector));
  return any;
}

}  // namespace

void check_coherence(observe::Balance& balance, std::deque<ComputeDie>& compute_dies,
                     const std::deque<MemoryDie>& memory_dies, const fabric::AddressMap& map) {
  std::uint64_t copies = 0, waiting = 0, tracked = 0, known = 0, there = 0;
  for (const MemoryDie& die : memory_dies)
    for (const cache::CoherentSlave& slave : die.slaves()) {
      copies += slave.filter().copies();
      waiting += slave.waiting();
    }
  for (std::uint32_t d = 0; d < compute_dies.size(); ++d) {
    ComputeDie& die = compute_dies[d];
    if (die.master() == nullptr) continue;
    tracked += die.master()->copies().count();
    die.master()->copies().visit([&](std::uint64_t block) {
      known += memory_dies[map.home(block)].copies_of(block, d);
      there += present(die, block) ? 1 : 0;
    });
    balance.equal([d] { return fmt::format("coherent master of die {}", d); }, "probes",
                  counted(die.master()->statistics().needless, "met no copy that nothing explains"),
                  counted(0, "may have"));
  }
  balance.equal("probe filters", "copies", counted(copies, "are counted"), counted(tracked, "are tracked in L2s"));
  balance.equal("probe filters", "copies", counted(known, "of those tracked are counted"),
                counted(tracked, "are tracked"));
  balance.equal("probe filters", "copies", counted(there, "of those tracked are valid"),
                counted(tracked, "are tracked"));
  balance.equal("coherent slaves", "requests", counted(waiting, "wait at rest"), counted(0, "can"));
}

}  // namespace strata::machine
