// SPDX-License-Identifier: Apache-2.0
#include "cache/mshr_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace strata::cache {

MshrTable::MshrTable(std::uint32_t count)
    : registers_(count),
      chains_(std::bit_ceil(count)),
      shift_(static_cast<unsigned>(std::countr_zero(chains_.size()))) {
  assert(count > 0 && count <= most);
  for (std::uint32_t i = 0; i + 1 < count; ++i) registers_[i].next = i + 2;
}

std::uint32_t MshrTable::take(LineNumber line, std::uint64_t set, SectorMask have, bool attached) {
  assert(!full());
  const std::uint32_t index = free_ - 1;
  Mshr& mshr = registers_[index];
  free_ = mshr.next;
  if (++open_ > peak_) peak_ = open_;
  mshr.line = line;
  mshr.set = static_cast<std::uint32_t>(set);
  mshr.have = have & 0xFU;
  mshr.coming = 0;
  mshr.outstanding = 0;
  mshr.attached = attached;
  if (attached) {
    std::uint32_t& first = chains_[chain(line)];
    mshr.next = first;
    first = index + 1;
  }
  return index;
}

std::uint32_t MshrTable::find(LineNumber line) const {
  for (std::uint32_t at = chains_[chain(line)]; at != 0; at = registers_[at - 1].next) {
    if (registers_[at - 1].line == line) return at - 1;
  }
  return none;
}

void MshrTable::detach(std::uint32_t index) {
  Mshr& mshr = registers_[index];
  if (!mshr.attached) return;
  mshr.attached = false;
  std::uint32_t* link = &chains_[chain(mshr.line)];
  while (*link != index + 1) link = &registers_[*link - 1].next;
  *link = mshr.next;
}

void MshrTable::detach_all() {
  std::fill(chains_.begin(), chains_.end(), 0U);
  for (Mshr& mshr : registers_) mshr.attached = false;
}

void MshrTable::give_back(std::uint32_t index) {
  Mshr& mshr = registers_[index];
  assert(mshr.waiters.empty() && mshr.outstanding == 0);
  detach(index);
  mshr.next = free_;
  free_ = index + 1;
  --open_;
}

}  // namespace strata::cache
