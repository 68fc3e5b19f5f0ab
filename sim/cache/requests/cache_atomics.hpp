// SPDX-License-Identifier: Apache-2.0
// Atomics that are performed at a level below: member templates of Cache as those of
// cache_requests.hpp, which includes them.
#pragma once
#include "cache/cache.hpp"

namespace strata::cache {

/// What is dirty of a line that is about to be dropped goes down: stall_kinds, or what that must wait for.
template <class Tags>
Stall Cache::clean_before_drop(Tags& tags, std::uint64_t set, LineNumber line) {
  const std::uint32_t way = tags.find(set, line);
  if (way == no_way) return stall_kinds;
  const SectorMask masked = incomplete_.masked(line);
  const SectorMask dirty = LineWord::dirty(tags.word(set, way));
  if (masked == 0 && dirty == 0) return stall_kinds;
  if (LineWord::pending(tags.word(set, way))) return being_completed;
  Needs needs;
  needs.add(masked, dirty, blocks_in<Tags>(dirty));
  if (const Stall by = lacking(needs); by != stall_kinds) return by;
  clean(tags, line);
  return stall_kinds;
}

/// An atomic that is performed below. A copy here goes; what is dirty of it goes down first.
/// The old value comes back through a cache that keeps writes, as a load's data do; in front of
/// the cores it goes to a register and passes the array by.
template <class Tags>
bool Cache::forward_atomic(Tags& tags, Transaction& transaction) {
  const LineNumber line = line_of<Tags>(design_, transaction.block, transaction.wanted);
  const std::uint64_t set = set_of(transaction, line);
  if (design_.writes_back)
    if (const Stall by = clean_before_drop(tags, set, line); by != stall_kinds) return stall(by, set);
  const Time begun = start(transaction);
  lanes_.look_up_again(design_, simulation_.now(), transaction.atomic_repeats());
  drop(tags, set, line);
  ++statistics_.atomics_forwarded;
  statistics_.sectors_atomic += count(transaction.wanted);
  if (design_.writes_back) transaction.return_through(passed_back_);
  // It passes the data array, from which its copy goes, where it crosses to another die.
  const Time leaves = begun + (far(transaction.home_die) ? design_.hit_latency : design_.tag_latency);
  transaction.mark(design_.stages.data, leaves);
  downstream_.take(transaction, leaves);
  return true;
}

}  // namespace strata::cache
