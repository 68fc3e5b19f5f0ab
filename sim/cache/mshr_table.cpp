// SPDX-License-Identifier: Apache-2.0
#include "cache/mshr_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace strata::cache {

MshrTable::MshrTable(std::uint32_t count)
    : count_(count),
      registers_(count),
      chains_(std::bit_ceil(count)),
      chain_mask_(chains_.size() - 1),
      shift_(static_cast<unsigned>(std::countr_zero(chains_.size()))) {
  assert(count > 0 && count <= most);
  for (std::uint32_t i = 0; i + 1 < count; ++i) registers_[i].next = i + 2;
}

void MshrTable::detach_all() {
  std::fill(chains_.begin(), chains_.end(), 0U);
  for (Mshr& mshr : registers_) mshr.attached = false;
}

}  // namespace strata::cache
