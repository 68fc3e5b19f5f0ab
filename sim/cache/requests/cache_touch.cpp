// SPDX-License-Identifier: Apache-2.0
// Untimed accesses: the same calls on the same tags, with a fetch and its fill at once. Only
// timed stores enforce the bound on incomplete dirty lines; warm-up may leave any number of
// them.
#include "cache/requests/cache_requests.hpp"

namespace strata::cache {

using memory::CacheOperator;
using memory::Operation;

Touch Cache::touch(const TouchRequest& request) {
  return std::visit(
      [&]<class Tags>(Tags& tags) {
        const LineNumber line = line_of<Tags>(design_, request.block, request.sectors);
        return touch_with(tags, request, line, index(line));
      },
      tags_);
}

Touch Cache::touch(const TouchRequest& request, std::uint64_t set) {
  return std::visit(
      [&]<class Tags>(Tags& tags) {
        return touch_with(tags, request, line_of<Tags>(design_, request.block, request.sectors), set);
      },
      tags_);
}

/// The dirty sectors of a line are written back to the level below.
template <class Tags>
static void leave_dirty(const CacheDesign& design, Touch& touch, const Victim& victim) {
  if (victim.dirty == 0) return;
  touch.victim_dirty = touch.next_dirty = 0;
  each_block<Tags>(design, victim.line, victim.dirty, [&touch](std::uint64_t block, SectorMask dirty) {
    if (touch.victim_dirty == 0) {
      touch.victim_dirty = dirty;
      touch.victim_block = block;
    } else {
      touch.next_dirty = dirty;
    }
  });
}

template <class Tags>
Touch Cache::touch_with(Tags& tags, const TouchRequest& request, LineNumber line, std::uint64_t set) {
  const bool atomic = request.operation == Operation::atomic;
  const bool read = request.operation == Operation::load || (atomic && performs_atomics(request.home_die));
  Touch result;
  result.below_operation = read ? Operation::load : request.operation;

  const bool passes = read && !atomic && design_.bypass_cg && request.cache_operator != CacheOperator::ca;
  if (passes || (atomic && !read)) {
    const SectorMask dirty = drop(tags, set, line);
    if (tracked_ != nullptr) evictions_(request.block, request.sectors);
    if (design_.writes_back) leave_dirty<Tags>(design_, result, {line, dirty});  // before the atomic
    result.below = passes ? design_.fill_groups.touched(request.sectors) : request.sectors;
    return result;
  }

  const SectorMask covered = design_.sector_groups.covered(request.sectors);
  const Kind kind = read                             ? Kind::read
                    : keeps_writes(request.home_die) ? Kind::write_dirty
                    : covered == 0                   ? Kind::write_present
                                                     : through_kind();
  const SectorMask asked = in_line<Tags>(request.block, request.sectors);
  if (kind != Kind::write_present && lacks_space(tags, set, line) && tags.find(set, line) == no_way)
    result.surplus = evict_surplus(tags, set, line);
  Access done;
  if (read) {
    done = tags.access(set, line, asked, kind);
    result.hit = common(request.sectors, in_block<Tags>(request.block, done.hit));
    result.below = design_.fill_groups.touched(without(request.sectors, result.hit));
    if (done.way != no_way) {
      const SectorMask come = in_line<Tags>(request.block, result.below);
      SectorMask merged = incomplete_.validate(line, come);
      if (!design_.writes_back) merged = 0;
      tags.fill(set, done.way, come, atomic ? joined(asked, merged) : merged);
    }
  } else if (keeps_writes(request.home_die)) {
    done = tags.access(set, line, asked, kind);
    result.hit = common(request.sectors, in_block<Tags>(request.block, done.hit));
    incomplete_.validate(line, asked);
    // Where a dirty line is evicted, no other must be cleaned.
    leave_dirty<Tags>(design_, result, bound_dirty(tags, set));
  } else {
    done = tags.access(set, line, in_line<Tags>(request.block, covered), kind);
    result.hit = common(request.sectors, in_block<Tags>(request.block, done.hit));
    result.below = request.sectors;
  }
  if (done.way != no_way) incomplete_.forget_if_complete(line, LineWord::valid(tags.word(set, done.way)));
  report_eviction<Tags>(done);
  if (done.evicted)
    if (const SectorMask masked = incomplete_.forget(done.victim.line); design_.writes_back)
      done.victim.dirty = joined(done.victim.dirty, masked);
  if (done.evicted) leave_dirty<Tags>(design_, result, done.victim);
  return result;
}

/// As make_space(), without time. Returns the dirty lines among those that were evicted.
template <class Tags>
const SurplusVictims* Cache::evict_surplus(Tags& tags, std::uint64_t set, LineNumber line) {
  surplus_victims_.clear();
  if constexpr (SharesSectors<Tags>) {
    for (std::uint32_t way = tags.surplus(set, line); way != no_way; way = tags.surplus(set, line)) {
      const Victim victim = tags.remove(set, way);
      if (evictions_.listens()) each_block<Tags>(design_, victim.line, victim.valid, evictions_);
      const SectorMask masked = incomplete_.forget(victim.line);
      const SectorMask dirty = design_.writes_back ? joined(victim.dirty, masked) : SectorMask{0};
      if (dirty != 0) surplus_victims_.push_back({design_.block_of(victim.line), dirty});
    }
  }
  return &surplus_victims_;
}

// As after timed stores. Returns the cleaned line and its sectors that are written back.
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

void Cache::expect(std::uint64_t set) const {
  std::visit([set](const auto& tags) { tags.prefetch(set); }, tags_);
}

SectorMask Cache::invalidate(std::uint64_t block) {
  SectorMask lost = 0;
  for (LineNumber line = design_.first_line(block); line <= design_.last_line(block); ++line) {
    const auto drop_line = [&]<class Tags>(Tags& tags) { return in_block<Tags>(block, drop(tags, index(line), line)); };
    lost = joined(lost, std::visit(drop_line, tags_));
  }
  return lost;
}

bool Cache::contains(std::uint64_t block, SectorMask sectors) const {
  return std::visit(
      [&]<class Tags>(const Tags& tags) {
        const LineNumber line = line_of<Tags>(design_, block, sectors);
        const std::uint64_t set = index(line);
        const std::uint32_t way = tags.find(set, line);
        return way != no_way && without(sectors, in_block<Tags>(block, LineWord::valid(tags.word(set, way)))) == 0;
      },
      tags_);
}

void Cache::drop_all() {
  mshrs_.detach_all();
  incomplete_.clear();
  std::visit([](auto& tags) { tags.clear(); }, tags_);
}

}  // namespace strata::cache
