// SPDX-License-Identifier: Apache-2.0
#include "cache/requests/ready_lines.hpp"

#include "cache/requests/cache_requests.hpp"

namespace strata::cache {

bool ReadyLines::read(const memory::Transaction& load) {
  return std::visit([&](auto& tags) { return read_in(tags, load); }, cache_.tags_);
}

template <class Tags>
bool ReadyLines::read_in(Tags& tags, const memory::Transaction& load) {
  const CacheDesign& design = cache_.design_;
  const LineNumber line = line_of<Tags>(design, load.block, load.wanted);
  const std::uint64_t set = cache_.index(line);
  const std::uint32_t way = tags.find(set, line);
  if (way == no_way) return false;
  if (without(load.wanted, in_block<Tags>(load.block, LineWord::valid(tags.word(set, way)))) != 0) return false;
  const std::uint32_t sectors = count(load.wanted);
  tags.use(set, way, in_line<Tags>(load.block, load.wanted), Kind::read);
  cache_.counts_.looked_up(CacheCounts::hit, sectors, sectors);
  ++cache_.counts_.of(sectors).answered;
  if (!design.prefetches) return true;
  const PrefetchOrigin origin = PrefetchOrigin::of(load);
  const bool used = cache_.prefetching_->load(line, origin.warp_of_machine(), false,
                                              [&](LineNumber wanted) { cache_.prefetch(tags, origin, wanted); });
  cache_.statistics_.prefetches.used += used ? 1 : 0;
  return true;
}

}  // namespace strata::cache
