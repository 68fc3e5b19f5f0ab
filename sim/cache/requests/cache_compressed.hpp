// SPDX-License-Identifier: Apache-2.0
// Space for a new line where lines are compressed: member templates of Cache as those of
// cache_requests.hpp. Other tags evict one line for one and compile to nothing here.
#pragma once
#include "cache/cache.hpp"

namespace strata::cache {

template <class Tags>
concept SharesSectors = requires(const Tags& tags, std::uint64_t set, LineNumber line) { tags.surplus(set, line); };

/// More than one line must be evicted for a new one.
template <class Tags>
[[gnu::always_inline]] inline bool lacks_space(const Tags& tags, std::uint64_t set, LineNumber line) {
  if constexpr (SharesSectors<Tags>) return tags.surplus(set, line) != no_way;
  return false;
}

/// Evicts lines until one more at most is in the way of a new one, which is absent. stall_kinds, or what
/// that must wait for; lines that are gone by then stay evicted. with: what the request needs besides.
template <class Tags>
[[gnu::always_inline]] inline Stall Cache::make_space(Tags& tags, std::uint64_t set, LineNumber line, Needs with) {
  if constexpr (SharesSectors<Tags>) {
    for (std::uint32_t way = tags.surplus(set, line); way != no_way; way = tags.surplus(set, line)) {
      Needs needs = with;
      add_leaving<Tags>(needs, Room{way, tags.word(set, way), true});
      if (const Stall by = lacking(needs); by != stall_kinds) return by;
      const Victim victim = tags.remove(set, way);
      ++statistics_.evictions;
      if (evictions_.listens()) each_block<Tags>(design_, victim.line, victim.valid, evictions_);
      let_go<Tags>(set, victim, incomplete_.forget(victim.line));
    }
  }
  return stall_kinds;
}

}  // namespace strata::cache
