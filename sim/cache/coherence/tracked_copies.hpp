// SPDX-License-Identifier: Apache-2.0
// The copies in the L2 of a die that a probe filter tracks: what would be a bit of its tags. Ordinary accesses neither
// read nor change it, so it stands beside the tags.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace strata::cache {

class TrackedCopies {
 public:
  bool holds(std::uint64_t block) const { return !copies_.empty() && copies_.contains(block); }
  void add(std::uint64_t block) { copies_.insert(block); }
  /// False: it was none.
  bool remove(std::uint64_t block) { return !copies_.empty() && copies_.erase(block) != 0; }

  /// Coherent fetches of the block are under way.
  bool coming(std::uint64_t block) const { return !coming_.empty() && coming_.contains(block); }
  void fetch(std::uint64_t block) { ++coming_[block]; }
  void fetched(std::uint64_t block) {
    const auto found = coming_.find(block);
    if (--found->second == 0) coming_.erase(found);
  }

  std::uint64_t count() const { return copies_.size(); }
  template <class Visit>
  void visit(const Visit& visit) const {
    for (const std::uint64_t block : copies_) visit(block);
  }
  /// While no fetch is under way.
  void clear() { copies_.clear(); }

 private:
  std::unordered_set<std::uint64_t> copies_;
  std::unordered_map<std::uint64_t, std::uint32_t> coming_;
};

}  // namespace strata::cache
