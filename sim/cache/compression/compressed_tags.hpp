// SPDX-License-Identifier: Apache-2.0
// Tags of a cache whose lines are compressed (compare the decoupled variable-segment cache of Alameldeen
// and Wood: Adaptive Cache Compression, ISCA 2004). A set has more tags than lines of data. Its
// data are sectors, which its lines share: a line takes as many as its policy says. A new line may thus
// evict several. Which ones is the replacement policy's choice, asked again for each.
//
// Invariant: the sectors of the lines of a set are never more than the set has.
#pragma once
#include <cstdint>
#include <string_view>

#include "cache/compression/table.hpp"
#include "cache/tags/tag_array.hpp"
#include "replacement/any_policy.hpp"

namespace strata::cache {

/// Of one set, in tags and in sectors of data.
struct CompressedShape {
  std::uint64_t sets;
  std::uint32_t tags;
  std::uint32_t sectors;  ///< those of one line at least
};

class CompressedTags {
 public:
  /// policy: of replacement, as of TagArray. Throws std::bad_alloc.
  CompressedTags(const CompressedShape& shape, CompressionTable::Any sizes, std::uint64_t seed, std::string_view policy)
      : tags_(shape.sets, shape.tags, seed, policy), sectors_(shape.sectors), sizes_(sizes) {}

  std::uint64_t sets() const { return tags_.sets(); }
  std::uint32_t ways() const { return tags_.ways(); }
  unsigned sectors_of(LineNumber line) const {
    return std::visit([line](const auto& sizes) { return sizes.sectors(line); }, sizes_);
  }
  /// What the lines of a set take.
  std::uint32_t sectors_used(std::uint64_t set) const;

  /// A line that must be evicted before a new one has space, found one at a time; no_way: none.
  std::uint32_t surplus(std::uint64_t set, LineNumber line) const;
  /// surplus() is no_way.
  Room room(std::uint64_t set, LineNumber line) const;

  // As in TagArray.
  std::uint32_t find(std::uint64_t set, LineNumber line) const { return tags_.find(set, line); }
  std::uint64_t word(std::uint64_t set, std::uint32_t way) const { return tags_.word(set, way); }
  void prefetch(std::uint64_t set) const { tags_.prefetch(set); }
  bool spare(std::uint64_t set) const { return tags_.spare(set); }
  Access use(std::uint64_t set, std::uint32_t way, SectorMask sectors, Kind kind) {
    return tags_.use(set, way, sectors, kind);
  }
  Access install(std::uint64_t set, const Room& room, LineNumber line, SectorMask sectors, Kind kind) {
    return tags_.install(set, room, line, sectors, kind);
  }
  /// surplus() is no_way where the line is absent and the kind allocates.
  Access access(std::uint64_t set, LineNumber line, SectorMask sectors, Kind kind) {
    if (const std::uint32_t way = find(set, line); way != no_way) return use(set, way, sectors, kind);
    if (kind == Kind::write_present) return {};
    const Room place = room(set, line);
    return place.way == no_way ? Access{} : install(set, place, line, sectors, kind);
  }
  void hold(std::uint64_t set, std::uint32_t way) { tags_.hold(set, way); }
  void fill(std::uint64_t set, std::uint32_t way, SectorMask sectors, SectorMask dirty) {
    tags_.fill(set, way, sectors, dirty);
  }
  void clean(std::uint64_t set, std::uint32_t way) { tags_.clean(set, way); }
  std::uint32_t oldest_dirty(std::uint64_t set, std::uint32_t most, std::uint32_t leaving) const {
    return tags_.oldest_dirty(set, most, leaving);
  }
  void release(std::uint64_t set, std::uint32_t way) { tags_.release(set, way); }
  Victim remove(std::uint64_t set, std::uint32_t way) { return tags_.remove(set, way); }
  void clear() { tags_.clear(); }
  const ZeroedWords& words() const { return tags_.words(); }

 private:
  std::uint32_t sectors_at(std::uint64_t set, std::uint32_t way) const {
    const std::uint64_t at = word(set, way);
    return LineWord::empty(at) ? 0 : sectors_of(LineWord::line(at));
  }
  /// The empty way of a new line that fits, or that of the next victim, or no_way.
  std::uint32_t next_way(std::uint64_t set, std::uint32_t used, std::uint32_t needed) const;

  TagArray<replacement::AnyPolicy> tags_;
  std::uint32_t sectors_;  ///< of a set
  CompressionTable::Any sizes_;
};

inline std::uint32_t CompressedTags::sectors_used(std::uint64_t set) const {
  std::uint32_t used = 0;
  for (std::uint32_t way = 0; way < ways(); ++way) used += sectors_at(set, way);
  return used;
}

inline std::uint32_t CompressedTags::next_way(std::uint64_t set, std::uint32_t used, std::uint32_t needed) const {
  // Every policy takes an empty way first.
  return used + needed <= sectors_ ? tags_.victim(set) : tags_.victim_with_data(set);
}

inline std::uint32_t CompressedTags::surplus(std::uint64_t set, LineNumber line) const {
  const std::uint32_t used = sectors_used(set);
  const std::uint32_t needed = sectors_of(line);
  const std::uint32_t way = next_way(set, used, needed);
  return way == no_way || used - sectors_at(set, way) + needed <= sectors_ ? no_way : way;
}

inline Room CompressedTags::room(std::uint64_t set, LineNumber line) const {
  const std::uint32_t way = next_way(set, sectors_used(set), sectors_of(line));
  return way == no_way ? Room{} : Room{way, word(set, way), true};
}

}  // namespace strata::cache
