// SPDX-License-Identifier: Apache-2.0
#include "cache/masked_lines.hpp"

#include <bit>
#include <cassert>

namespace strata::cache {

MaskedLines::MaskedLines(std::uint64_t most)
    : entries_(most),
      buckets_(std::bit_ceil(most)),
      by_line_(ByLine::bucket_traits(buckets_.data(), buckets_.size())) {
  free_.reserve(most);
  for (Entry& entry : entries_) free_.push_back(&entry);
}

SectorMask MaskedLines::sectors(LineNumber line) const {
  const auto at = find(line);
  return at == by_line_.end() ? SectorMask{0} : at->sectors;
}

SectorMask MaskedLines::write(LineNumber line, SectorMask sectors, WordMask words) {
  const auto at = by_line_.find(line);
  if (at == by_line_.end()) {
    assert(!full());
    Entry& entry = *free_.back();
    free_.pop_back();
    entry.line = line;
    entry.words = words & memory::words_of(sectors);
    entry.sectors = sectors;
    by_line_.insert(entry);
    by_age_.push_back(entry);
    return 0;
  }
  Entry& entry = *at;
  entry.sectors = static_cast<SectorMask>(entry.sectors | sectors);
  entry.words |= words & memory::words_of(sectors);
  by_age_.splice(by_age_.end(), by_age_, by_age_.iterator_to(entry));
  return forget(line, memory::whole_sectors(entry.words));
}

SectorMask MaskedLines::forget(LineNumber line, SectorMask sectors) {
  const auto at = by_line_.find(line);
  if (at == by_line_.end()) return 0;
  Entry& entry = *at;
  const auto known = static_cast<SectorMask>(entry.sectors & sectors);
  entry.sectors = static_cast<SectorMask>(entry.sectors & ~known);
  entry.words &= ~memory::words_of(known);
  if (entry.sectors == 0) drop(entry);
  return known;
}

void MaskedLines::clear() {
  while (!by_age_.empty()) drop(by_age_.front());
}

void MaskedLines::drop(Entry& entry) {
  by_line_.erase(by_line_.iterator_to(entry));
  by_age_.erase(by_age_.iterator_to(entry));
  free_.push_back(&entry);
}

}  // namespace strata::cache
