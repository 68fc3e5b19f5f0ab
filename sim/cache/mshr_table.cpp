// SPDX-License-Identifier: Apache-2.0
#include "cache/mshr_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace strata::cache {

MshrTable::MshrTable(std::uint32_t count)
    : registers_(count),
      slots_(std::bit_ceil(std::size_t{count} * 2)),
      shift_(64U - static_cast<unsigned>(std::countr_zero(slots_.size()))) {
  assert(count > 0 && count <= most);
  for (std::uint32_t i = 0; i < count; ++i) registers_[i].next_free = i + 1;
}

std::uint32_t MshrTable::take(LineNumber line, std::uint64_t set, SectorMask have, bool attached) {
  assert(!full());
  const std::uint32_t index = free_;
  Mshr& mshr = registers_[index];
  free_ = mshr.next_free;
  ++open_;
  mshr.line = line;
  mshr.set = set;
  mshr.have = have;
  mshr.coming = 0;
  mshr.outstanding = 0;
  mshr.attached = attached;
  if (attached) {
    std::size_t slot = home(line);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = index + 1;
  }
  return index;
}

std::uint32_t MshrTable::find(LineNumber line) const {
  for (std::size_t slot = home(line); slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    if (registers_[slots_[slot] - 1].line == line) return slots_[slot] - 1;
  }
  return none;
}

std::size_t MshrTable::slot_of(std::uint32_t index) const {
  std::size_t slot = home(registers_[index].line);
  while (slots_[slot] != index + 1) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void MshrTable::detach(std::uint32_t index) {
  if (!registers_[index].attached) return;
  registers_[index].attached = false;
  const std::size_t mask = slots_.size() - 1;
  std::size_t gap = slot_of(index);
  slots_[gap] = 0;
  // Those behind the gap that would have sat at or before it move up.
  for (std::size_t slot = (gap + 1) & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const std::size_t wanted = home(registers_[slots_[slot] - 1].line);
    if (((slot - wanted) & mask) >= ((slot - gap) & mask)) {
      slots_[gap] = slots_[slot];
      slots_[slot] = 0;
      gap = slot;
    }
  }
}

void MshrTable::detach_all() {
  std::fill(slots_.begin(), slots_.end(), 0U);
  for (Mshr& mshr : registers_) mshr.attached = false;
}

void MshrTable::give_back(std::uint32_t index) {
  Mshr& mshr = registers_[index];
  assert(mshr.waiters.empty() && mshr.outstanding == 0);
  detach(index);
  mshr.next_free = free_;
  free_ = index;
  --open_;
}

}  // namespace strata::cache
