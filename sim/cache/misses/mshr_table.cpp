// SPDX-License-Identifier: Apache-2.0
#include "cache/misses/mshr_table.hpp"

#include <bit>
#include <cassert>
#include <type_traits>

namespace strata::cache {

MshrTable::MshrTable(std::uint32_t count)
    : chain_mask_(std::bit_ceil(count) - 1U),
      shift_(static_cast<unsigned>(std::countr_zero(std::bit_ceil(count)))),
      count_(count),
      register_words_(count * (sizeof(Mshr) / sizeof(std::uint64_t))),
      chain_words_((std::bit_ceil(count) + 1) / 2) {
  registers_ = reinterpret_cast<Mshr*>(register_words_.data());
  chains_ = reinterpret_cast<std::uint32_t*>(chain_words_.data());
  static_assert(sizeof(Mshr) % sizeof(std::uint64_t) == 0 && std::is_trivially_copyable_v<Mshr>);
  assert(count > 0 && count <= most);
}

void MshrTable::detach_all() {
  for (std::uint32_t i = 0; i < fresh_; ++i) {
    if (registers_[i].attached) chains_[chain(registers_[i].line)] = 0;
    registers_[i].attached = false;
  }
}

}  // namespace strata::cache
