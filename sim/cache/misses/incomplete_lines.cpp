// SPDX-License-Identifier: Apache-2.0
#include "cache/misses/incomplete_lines.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace strata::cache {

IncompleteLines::IncompleteLines(std::uint64_t most, std::uint64_t masked)
    : most_(most),
      most_masked_(masked),
      buckets_(std::bit_ceil(std::min<std::uint64_t>(most, 4096))),
      by_line_(ByLine::bucket_traits(buckets_.data(), buckets_.size())) {}

SectorMask IncompleteLines::masked(LineNumber line) const {
  const auto at = find(line);
  return at == by_line_.end() ? SectorMask{0} : at->masked;
}

const LineNumber* IncompleteLines::one_too_many(LineNumber line, bool masked) const {
  const auto at = find(line);
  const bool kept = at != by_line_.end();
  if (masked && masked_by_age_.size() == most_masked_ && (!kept || at->masked == 0))
    return &masked_by_age_.front().line;
  return !kept && by_age_.size() == most_ ? &by_age_.front().line : nullptr;
}

SectorMask IncompleteLines::keep(LineNumber line, SectorMask masked, WordMask words) {
  assert(one_too_many(line, masked != 0) == nullptr);
  auto at = by_line_.find(line);
  if (at == by_line_.end()) {
    Entry& fresh = entries_.take();
    fresh.line = line;
    at = by_line_.insert(fresh).first;
    by_age_.push_back(fresh);
  }
  Entry& entry = *at;
  by_age_.splice(by_age_.end(), by_age_, by_age_.iterator_to(entry));
  if (masked != 0) {
    if (entry.masked == 0) masked_by_age_.push_back(entry);
    entry.masked = static_cast<SectorMask>(entry.masked | masked);
    entry.words |= words & memory::words_of(masked);
  }
  if (entry.masked == 0) return 0;
  masked_by_age_.splice(masked_by_age_.end(), masked_by_age_, masked_by_age_.iterator_to(entry));
  const auto whole = static_cast<SectorMask>(entry.masked & memory::whole_sectors(entry.words));
  unmask(entry, whole);
  return whole;
}

void IncompleteLines::unmask(Entry& entry, SectorMask sectors) {
  if (entry.masked == 0) return;
  entry.masked = static_cast<SectorMask>(entry.masked & ~sectors);
  entry.words &= memory::words_of(entry.masked);
  if (entry.masked == 0) masked_by_age_.erase(masked_by_age_.iterator_to(entry));
}

SectorMask IncompleteLines::validate(LineNumber line, SectorMask sectors) {
  const auto at = by_line_.find(line);
  if (at == by_line_.end()) return 0;
  const auto were = static_cast<SectorMask>(at->masked & sectors);
  unmask(*at, sectors);
  return were;
}

SectorMask IncompleteLines::forget(LineNumber line) {
  const auto at = by_line_.find(line);
  if (at == by_line_.end()) return 0;
  Entry& entry = *at;
  const SectorMask were = entry.masked;
  unmask(entry, memory::all_sectors);
  by_line_.erase(at);
  by_age_.erase(by_age_.iterator_to(entry));
  entries_.give_back(entry);
  return were;
}

void IncompleteLines::clear() {
  while (!by_age_.empty()) forget(by_age_.front().line);
}

}  // namespace strata::cache
