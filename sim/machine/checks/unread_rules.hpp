// SPDX-License-Identifier: Apache-2.0
// The rules behind unread.hpp. Internal to machine.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/checks/activity.hpp"
#include "machine/spec.hpp"

namespace strata::machine {

/// A setting in question: the machine, what it does, and the indices of the path.
struct Inquiry {
  const MachineSpec& spec;
  const Activity& does;
  std::vector<std::size_t> at;  ///< entries of lists that the path goes through, in order
};

/// Holds for the setting at `path` and for all below it; `[]` stands for any entry.
struct UnreadRule {
  std::string_view path;
  /// The reason; empty: it is read.
  std::string (*why)(const Inquiry& inquiry);
};

/// What rules of several blocks answer.
inline const std::string read;
inline const std::string no_store = "nothing is stored";
inline const std::string one_load = "one load is under way at a time, so nothing waits";
inline std::string unless(bool used, const std::string& why) { return used ? read : why; }

std::span<const UnreadRule> core_unread_rules();
std::span<const UnreadRule> memory_unread_rules();

/// Of a setting of a cache, by its path within the cache. loads_only: no store comes to it.
std::string why_cache_unread(const cache::CacheSpec& cache, const Activity& does, bool loads_only,
                             std::string_view field);

}  // namespace strata::machine
