// SPDX-License-Identifier: Apache-2.0
#include "cache/coherence/probe_filter.hpp"

#include <algorithm>
#include <stdexcept>

namespace strata::cache {

std::uint32_t ProbeFilter::find(std::uint32_t set, std::uint64_t block) const {
  if (entries_.empty()) return none;
  for (std::uint32_t entry = set * ways_; entry != (set + 1) * ways_; ++entry)
    if (entries_[entry].block == block) return entry;
  return none;
}

std::uint32_t ProbeFilter::allocate(std::uint32_t set, std::uint64_t block) {
  if (entries_.empty()) {
    entries_.resize(std::size_t{sets_} * ways_);
    copies_.resize(entries_.size() * dies_);
  }
  const std::uint32_t entry = find(set, no_block);
  if (entry != none) entries_[entry] = {block, ++uses_, 0};
  return entry;
}

void ProbeFilter::add(std::uint32_t entry, std::uint32_t die) {
  ++copies_[entry * dies_ + die];
  ++entries_[entry].copies;
  entries_[entry].used = ++uses_;
}

void ProbeFilter::remove(std::uint32_t entry, std::uint32_t die) {
  if (entry == none || copies_[entry * dies_ + die] == 0)
    throw std::logic_error("the end of a copy is reported to a probe filter that does not count it");
  --copies_[entry * dies_ + die];
  --entries_[entry].copies;
}

ProbeFilter::Dies ProbeFilter::holders(std::uint32_t entry) const {
  Dies dies = 0;
  for (std::uint32_t die = 0; die < dies_; ++die) dies |= Dies{copies(entry, die) != 0} << die;
  return dies;
}

std::uint64_t ProbeFilter::copies() const {
  std::uint64_t all = 0;
  for (const Entry& entry : entries_) all += entry.copies;
  return all;
}

void ProbeFilter::clear() {
  std::fill(entries_.begin(), entries_.end(), Entry{});
  std::fill(copies_.begin(), copies_.end(), std::uint16_t{0});
}

}  // namespace strata::cache
