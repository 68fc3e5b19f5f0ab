// SPDX-License-Identifier: Apache-2.0
// What the memory hierarchy holds at this moment, as one access sees it: of each cache on its way the
// set that it selects and the lines being fetched, of each level of TLB the pages of its instance, and
// the row buffer of its bank. For those who step through a machine (sim/study/journey/walk.hpp): nothing
// here is read while a simulation runs, and reading changes nothing but where a page lies that its first access places.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cache/tags/held_set.hpp"
#include "dram/held_row.hpp"
#include "translation/held_pages.hpp"

namespace strata::machine {

/// A cache on the way of an access.
struct CacheContents {
  std::string name;      ///< as among the levels of the machine
  std::string instance;  ///< which of the caches of that name: "core 0", "die 1 slice 12"
  cache::HeldSet set;
};

struct Contents {
  std::uint64_t physical = 0;         ///< the byte address, translated
  std::vector<CacheContents> caches;  ///< from the core to memory
  std::vector<translation::HeldPages> tlbs;
  std::uint32_t channel = 0;         ///< over all dies; of the host's memory: that of no channel
  std::optional<dram::HeldRow> row;  ///< none: the host's memory
};

}  // namespace strata::machine
