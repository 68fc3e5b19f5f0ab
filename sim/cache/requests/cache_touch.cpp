// SPDX-License-Identifier: Apache-2.0
// The way through the cache that takes no time: the same calls on the same
// tags, a fetch and its fill at once. Only the bound on dirty lines that are incomplete is
// left to timed stores: what warms up leaves as many as it likes.
#include "cache/requests/cache_requests.hpp"

namespace strata::cache {

using memory::CacheOperator;
using memory::Operation;

Touch Cache::touch(const TouchRequest& request) {
  return std::visit([&](auto& tags) { return touch_with(tags, request); }, tags_);
}

template <class Tags>
Touch Cache::touch_with(Tags& tags, const TouchRequest& request) {
  const LineNumber line = design_.line_of(request.block, request.sectors);
  const std::uint64_t set = index(line);
  const bool atomic = request.operation == Operation::atomic;
  const bool read = request.operation == Operation::load || (atomic && performs_atomics(request.home_die));
  Touch result;
  result.below_operation = read ? Operation::load : request.operation;

  const bool passes = read && !atomic && design_.bypass_cg && request.cache_operator == CacheOperator::cg;
  if (passes || (atomic && !read)) {
    const SectorMask dirty = drop(tags, set, line);
    if (design_.writes_back && dirty != 0) {  // before the atomic
      result.victim_dirty = dirty;
      result.victim_block = design_.block_of(line);
    }
    result.below = passes ? design_.fill_groups.touched(request.sectors) : request.sectors;
    return result;
  }

  const Kind kind = read ? Kind::read : keeps_writes(request.home_die) ? Kind::write_dirty : through_kind();
  if (kind != Kind::write_present && lacks_space(tags, set, line) && tags.find(set, line) == no_way)
    result.surplus = evict_surplus(tags, set, line);
  Access done;
  if (read) {
    done = tags.access(set, line, request.sectors, kind);
    result.hit = done.hit;
    result.below = design_.fill_groups.touched(without(request.sectors, done.hit));
    if (done.way != no_way) {
      SectorMask merged = incomplete_.validate(line, result.below);
      if (!design_.writes_back) merged = 0;
      tags.fill(set, done.way, result.below, atomic ? joined(request.sectors, merged) : merged);
    }
  } else if (keeps_writes(request.home_die)) {
    done = tags.access(set, line, request.sectors, kind);
    result.hit = done.hit;
    incomplete_.validate(line, request.sectors);
    // Where a dirty line goes, no other must be cleaned.
    if (const Victim cleaned = bound_dirty(tags, set); cleaned.dirty != 0) {
      result.victim_dirty = cleaned.dirty;
      result.victim_block = design_.block_of(cleaned.line);
    }
  } else {
    const SectorMask covered = design_.sector_groups.covered(request.sectors);
    done = tags.access(set, line, covered, kind);
    result.hit = done.hit;
    result.below = request.sectors;
  }
  if (done.way != no_way) incomplete_.forget_if_complete(line, LineWord::valid(tags.word(set, done.way)));
  report_eviction(done);
  if (done.evicted)
    if (const SectorMask masked = incomplete_.forget(done.victim.line); design_.writes_back)
      done.victim.dirty = joined(done.victim.dirty, masked);
  if (done.evicted && done.victim.dirty != 0) {
    result.victim_dirty = done.victim.dirty;
    result.victim_block = design_.block_of(done.victim.line);
  }
  return result;
}

/// As make_space(), without time. Returns the dirty lines among those that were evicted.
template <class Tags>
const SurplusVictims* Cache::evict_surplus(Tags& tags, std::uint64_t set, LineNumber line) {
  surplus_victims_.clear();
  if constexpr (SharesSectors<Tags>) {
    for (std::uint32_t way = tags.surplus(set, line); way != no_way; way = tags.surplus(set, line)) {
      const Victim victim = tags.remove(set, way);
      if (evictions_.listens()) evictions_.report(design_.block_of(victim.line), victim.valid);
      const SectorMask masked = incomplete_.forget(victim.line);
      const SectorMask dirty = design_.writes_back ? joined(victim.dirty, masked) : SectorMask{0};
      if (dirty != 0) surplus_victims_.push_back({design_.block_of(victim.line), dirty});
    }
  }
  return &surplus_victims_;
}

// As after timed stores. Returns the line that was cleaned and what goes down of it.
template <class Tags>
Victim Cache::bound_dirty(Tags& tags, std::uint64_t set) {
  if (!design_.spec.dirty_ways) return {};
  const auto most = static_cast<std::uint32_t>(*design_.spec.dirty_ways);
  const std::uint32_t oldest = tags.oldest_dirty(set, most + 1, no_way);
  if (oldest == no_way) return {};
  const LineNumber line = LineWord::line(tags.word(set, oldest));
  const SectorMask masked = incomplete_.forget(line);
  const Victim cleaned{line, joined(LineWord::dirty(tags.word(set, oldest)), masked)};
  tags.fill(set, oldest, masked, 0);
  tags.clean(set, oldest);
  return cleaned;
}

void Cache::expect(std::uint64_t block) const {
  const std::uint64_t set = index(block << design_.line_shift);
  std::visit([set](const auto& tags) { tags.prefetch(set); }, tags_);
}

SectorMask Cache::invalidate(std::uint64_t block) {
  SectorMask lost = 0;
  for (LineNumber part = 0; part < LineNumber{1} << design_.line_shift; ++part) {
    const LineNumber line = block << design_.line_shift | part;
    lost = joined(lost, std::visit([&](auto& tags) { return drop(tags, index(line), line); }, tags_));
  }
  return lost;
}

bool Cache::contains(std::uint64_t block, SectorMask sectors) const {
  const LineNumber line = design_.line_of(block, sectors);
  return std::visit(
      [&](const auto& tags) {
        const std::uint64_t set = index(line);
        const std::uint32_t way = tags.find(set, line);
        return way != no_way && without(sectors, LineWord::valid(tags.word(set, way))) == 0;
      },
      tags_);
}

void Cache::drop_all() {
  mshrs_.detach_all();
  incomplete_.clear();
  std::visit([](auto& tags) { tags.clear(); }, tags_);
}

}  // namespace strata::cache
