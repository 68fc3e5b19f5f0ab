// SPDX-License-Identifier: Apache-2.0
// What an instance of a level of TLB holds in the set of a page.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace strata::translation {

struct HeldPages {
  std::string name;
  std::uint64_t reach_bytes = 0;  ///< of an entry
  std::uint64_t page = 0;         ///< for which was asked: virtual address / reach
  std::uint64_t set = 0;
  std::uint64_t sets = 0;
  std::uint32_t ways = 0;
  std::vector<std::uint64_t> pages;  ///< of the set, the most recently used first
};

}  // namespace strata::translation
