// SPDX-License-Identifier: Apache-2.0
// Caches whose MSHRs cannot carry their traffic: by Little's law the lines that
// a cache may have under way, over the time that a fetch takes on an idle
// machine, bound what it brings in.
#pragma once
#include <string>
#include <vector>

#include "machine/spec.hpp"

namespace strata::machine {

/// Where groups of cores are the sources of the crossbar: widths of a source that let less through than the level of a
/// group delivers, in words; empty: none.
std::string narrow_group_ports(const MachineSpec& spec);

/// Each cache that fetches less than the level below gives it and its own port takes, in words.
struct CacheShortage {
  std::string cache;  ///< its name
  std::string words;
};
std::vector<CacheShortage> cache_shortages(const MachineSpec& spec);

}  // namespace strata::machine
