// SPDX-License-Identifier: Apache-2.0
// Coherent loads of a cache whose copies a probe filter tracks: a member template of Cache as those of
// cache_requests.hpp, which includes it.
#pragma once
#include "cache/cache.hpp"
#include "cache/coherence/tracked_copies.hpp"

namespace strata::cache {

/// A clean copy that an ordinary access brought may be older than what a coherent one has left elsewhere, and no probe
/// reaches it: a coherent load drops it and asks the home. A line with dirty sectors stays: it is the newest that this
/// die has.
template <class Tags>
void Cache::drop_untracked(Tags& tags, const Transaction& transaction) {
  if (tracked_->holds(transaction.block) || tracked_->coming(transaction.block)) return;
  const LineNumber line = line_of<Tags>(design_, transaction.block, sectors_of(transaction));
  const std::uint64_t set = set_of(transaction, line);
  const std::uint32_t way = tags.find(set, line);
  if (way != no_way && LineWord::dirty(tags.word(set, way)) == 0 && incomplete_.masked(line) == 0)
    drop(tags, set, line);
}

}  // namespace strata::cache
